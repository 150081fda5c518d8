"""Files as streams: archives, XML, JSON, blocks of rows."""
