"""Reads the facts about TensorFlow from the released wheels; loaded only when tables are refreshed or written anew."""
