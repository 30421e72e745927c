"""Pages and pictures of the documentation that are derived from the code; `docs/make.py` writes them."""
