# SPDX-License-Identifier: GPL-3.0-or-later
"""How many detectors fire in each row, and does any of the first 16? Thresholds are learned; the answer is an
integer.
"""

import torch
from torch import nn

ROWS = 40_000
DETECTORS = 3001
SMALL = {"ROWS": 9, "DETECTORS": 41}


class Model(nn.Module):
    def __init__(self, detectors: int):
        super().__init__()
        self.threshold = nn.Parameter(1.0 + torch.rand(detectors))

    def forward(self, x: torch.Tensor):
        fires = x > self.threshold
        return fires.sum(dim=-1), fires[:, :16].any(dim=-1)


def get_inputs():
    return [3.0 * torch.randn(ROWS, DETECTORS) * torch.rand(ROWS, 1)]


def get_init_inputs():
    return [DETECTORS]
