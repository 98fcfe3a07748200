"""Copies a CSV file that scikit-learn ships, with its column names in the first line: NAME FILE.

scikit-learn's own first line holds counts and class names; the rows are taken over byte for byte.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from sklearn import datasets

name, target = sys.argv[1], Path(sys.argv[2])
columns = [*getattr(datasets, f"load_{name}")().feature_names, "target"]
files_of_name = {"wine": "wine_data.csv", "breast_cancer": "breast_cancer.csv", "iris": "iris.csv"}
text = files("sklearn.datasets.data").joinpath(files_of_name[name]).read_text(encoding="utf-8")
target.write_text(",".join(columns) + "\n" + text.partition("\n")[2], encoding="utf-8")
