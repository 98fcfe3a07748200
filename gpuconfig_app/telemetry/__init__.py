"""Live readings: who is asked, how often, what is kept, and when something is wrong.

Nothing here draws, and nothing here knows a vendor library; sources do the asking (``telemetry.sources``).
"""
