"""A team of many clients on a real server that is killed, restarted and cut off."""
