# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        # Holds the parameters under their names in the reference; it is never called.
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.convolved(x, self.conv.weight, self.conv.bias)
