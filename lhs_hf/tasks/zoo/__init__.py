"""Small tasks beside the ten of the paper: one file each, `TASK` in it, named after its file (`names.ZOO`).

They show what tasks of one's own look like, train models that shall serve any task, and can be searched by name.
"""
