# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the last of equal places."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.randn(1))

    def forward(self, x):
        return cuda_extension.last_largest(x, self.shift)
