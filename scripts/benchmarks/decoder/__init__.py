"""What `measure_decoder.py` measures, one idea a file."""
