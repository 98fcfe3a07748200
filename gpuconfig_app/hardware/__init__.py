"""What is in this machine: cards, host, drivers, Python environments, and machines recorded elsewhere.

Everything here gives ``core`` dataclasses. A missing driver, a failing reading or a card that hangs is data with its
reason, never an exception.
"""
