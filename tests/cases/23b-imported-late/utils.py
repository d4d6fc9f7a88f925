# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os


def width_of():
    with open(os.path.join(os.path.dirname(__file__), "data", "width.json")) as file:
        return json.load(file)["width"]
