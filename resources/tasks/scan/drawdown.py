# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a value has fallen below its highest so far, and when that highest was: running maxima with their
places.
"""

import torch
from torch import nn

SERIES = 8192
STEPS = 3333
SMALL = {"SERIES": 5, "STEPS": 29}


class Model(nn.Module):
    def forward(self, change: torch.Tensor):
        level = torch.cumsum(change, dim=1)
        highest, place = torch.cummax(level, dim=1)
        return highest - level, place


def get_inputs():
    # Eighths add up exactly, so that no order of sums moves the place of a maximum.
    return [torch.randint(-16, 17, (SERIES, STEPS)) / 8.0]


def get_init_inputs():
    return []
