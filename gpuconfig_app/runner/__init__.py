"""Starting scripts in the user's Python, watching them and telling what really happened.

A training outlives the window: its output goes to files in a run folder, and it is found again by its process.
"""
