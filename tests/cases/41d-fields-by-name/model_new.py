# SPDX-License-Identifier: GPL-3.0-or-later

import dataclasses  # noqa: F401  # a row of the table returns one

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(32) + 0.5)

    def forward(self, x):
        y = cuda_extension.shifted(x, self.gain)
        return {"values": y, "parts": [y], "rows": 40}
