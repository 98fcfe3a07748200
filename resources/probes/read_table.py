"""Reads names, kinds and some values of a table's columns, in the user's Python, for formats that need a library.

``python read_table.py --table FILE --out ANSWER`` appends JSON lines to ANSWER: one ``columns`` line with the table's
size, then one ``column`` line each, or one ``error`` line. Needs pyarrow (Parquet). Observes only; what a column can be
used for is decided by the application.
"""

from __future__ import annotations

import argparse
import json
import math

ROWS_LOOKED_AT = 200000
MOST_DISTINCT = 10000
EXAMPLES = 3


def write(path, record):
    """Appends one JSON line."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=True, sort_keys=True) + "\n")


def look_at(name, kind, values):
    """Describes one column by the values looked at."""
    present = [value for value in values if value is not None and not (isinstance(value, float) and math.isnan(value))]
    numbers = [value for value in present if isinstance(value, (int, float)) and not isinstance(value, bool)]
    finite = [value for value in numbers if math.isfinite(value)]
    texts = set()
    for value in present:
        texts.add(str(value))
        if len(texts) > MOST_DISTINCT:
            break
    examples = []
    for value in present[:100]:
        text = str(value)[:40]
        if text not in examples:
            examples.append(text)
        if len(examples) == EXAMPLES:
            break
    words = sum(len(str(value).split()) for value in present) / len(present) if present else 0.0
    return {
        "record": "column",
        "name": name,
        "type": kind,
        "seen": len(values),
        "missing": len(values) - len(present),
        "distinct": None if len(texts) > MOST_DISTINCT else len(texts),
        "is_number": bool(present) and len(numbers) == len(present),
        "is_integer": bool(present) and len(finite) == len(present) and all(float(v).is_integer() for v in finite),
        "minimum": float(min(finite)) if finite else None,
        "maximum": float(max(finite)) if finite else None,
        "words": words,
        "examples": examples,
    }


def read_parquet(path, out):
    """Reads a Parquet file's schema and its first rows."""
    from pyarrow import parquet

    with open(path, "rb") as source:
        file = parquet.ParquetFile(source)
        write(
            out,
            {
                "record": "columns",
                "rows": file.metadata.num_rows,
                "names": [str(name) for name in file.schema_arrow.names],
            },
        )
        kinds = {field.name: str(field.type) for field in file.schema_arrow}
        columns = {name: [] for name in file.schema_arrow.names}
        count = 0
        for batch in file.iter_batches(batch_size=20000):
            for name, column in zip(batch.schema.names, batch.columns):
                columns[name] += column.to_pylist()
            count += batch.num_rows
            if count >= ROWS_LOOKED_AT:
                break
    for name, values in columns.items():
        write(out, look_at(name, kinds[name], values))


def main():
    """Reads one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    try:
        read_parquet(arguments.table, arguments.out)
    except Exception as error:  # the application shows it; the exit code alone would say nothing
        write(arguments.out, {"record": "error", "detail": "%s: %s" % (type(error).__name__, str(error)[:300])})
        return 1
    write(arguments.out, {"record": "done"})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
