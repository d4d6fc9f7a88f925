#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a document on standard input against a JSON Schema: validate.py SCHEMA. Prints what is wrong with it.
A list is many documents: no schema of ours is one of a list."""

import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
given = json.load(sys.stdin)
documents = given if isinstance(given, list) else [given]
problems = [problem for one in documents for problem in Draft202012Validator(schema).iter_errors(one)]
for problem in problems:
    print("/".join(str(part) for part in problem.absolute_path) or "(the document)", problem.message[:300], sep=": ")
sys.exit(1 if problems else 0)
