"""Looks into the user's data before training: folders of pictures and tables, by the standard library only."""
