"""The indexes of the search box and how texts are folded for them."""
