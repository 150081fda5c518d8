"""What is ranked: releases, pools of names, messages."""
