def report(*a): return {}
