# SPDX-License-Identifier: GPL-3.0-or-later
import json
from pathlib import Path

SIZES = json.loads((Path(__file__).parent / "sizes.json").read_text())
