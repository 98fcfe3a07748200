"""Decides how a workload is trained on a machine, with a reason for each choice and an interval for each number."""
