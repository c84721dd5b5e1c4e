"""The Space's entry point: `python app.py` serves the page."""

from lhs_hf.space import launch

if __name__ == "__main__":
    launch()
