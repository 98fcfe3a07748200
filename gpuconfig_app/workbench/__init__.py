"""Composes the verbs once for both faces: opens a machine, asks for verdict, plan and script, renders sentences."""

from __future__ import annotations
