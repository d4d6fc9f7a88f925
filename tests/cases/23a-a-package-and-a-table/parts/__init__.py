# SPDX-License-Identifier: GPL-3.0-or-later
import os

from .inner.sines import Sines

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.yaml")) as file:
    SETTINGS = dict(line.split(": ") for line in file.read().splitlines() if line)
ROWS, WIDTH, SCALE = int(SETTINGS["rows"]), int(SETTINGS["width"]), float(SETTINGS["scale"])

__all__ = ["ROWS", "SCALE", "SETTINGS", "WIDTH", "Sines"]
