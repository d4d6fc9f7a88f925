# SPDX-License-Identifier: GPL-3.0-or-later
"""Half of the work."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.factor = nn.Parameter(1.0 + 0.01 * torch.rand(rows))

    def forward(self, x):
        return cuda_extension.half_of_the_rows(x, self.factor)
