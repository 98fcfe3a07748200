"""Prints the ways on from a blocked machine: each main way with its steps, the next one with what to type."""

from __future__ import annotations

from gpuconfig_app.cli.output import Output
from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.way_on import Way, WaysOn, WayStep

_WIDTH = 16


def ways_json(ways: WaysOn | None, output: Output) -> JsonValue:
    """Give the ways as scripts get them, null where there are none; of each way the step to do now by its id."""
    if ways is None:
        return None
    body = encode(ways, keep_none=True, message=output.texts.as_json)
    rows = body["ways"] if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(rows, list):
        raise TypeError("ways are an object with a list")
    for row, way in zip(rows, ways.ways, strict=True):
        if isinstance(row, dict):
            row["done"], row["count"] = way.done, way.count
            row["next_step"] = way.next_step.id if way.next_step is not None else None
    return body


def print_ways(ways: WaysOn, output: Output) -> None:
    """Print the ways, the best one first; commands only of the step to do now."""
    output.line()
    output.say(Message("cli.ways-title"))
    for number, way in enumerate(ways.ways, start=1):
        _print_way(number, way, output)
    if ways.will_not_help:
        listed = "; ".join(output.sentence(text) for text in ways.will_not_help)
        output.say(Message("cli.will-not-help", {"list": listed}))


def _print_way(number: int, way: Way, output: Output) -> None:
    values: dict[str, MessageValue] = {"number": number, "title": output.sentence(way.title)}
    output.say(Message(f"cli.way-{way.confidence.value.replace('_', '-')}", values))
    output.say(way.summary, indent=3)
    if not way.is_main:
        return
    output.say(Message("cli.way-steps", {"done": way.done, "count": way.count}), indent=3)
    for step in way.steps:
        _print_step(step, output)
        if step is way.next_step:
            _print_deed(step, output)


def _print_step(step: WayStep, output: Output) -> None:
    state = output.sentence(Message(f"cli.step-{step.state.value.replace('_', '-')}"))
    found = f": {output.sentence(step.found)}" if step.found is not None else ""
    output.line(f"   [{state}] {output.sentence(step.name)}{found}")


def _print_deed(step: WayStep, output: Output) -> None:
    if step.explanation is not None:
        output.say(step.explanation, indent=_WIDTH // 2)
    for command in step.commands:
        output.line(" " * (_WIDTH // 2) + command)
