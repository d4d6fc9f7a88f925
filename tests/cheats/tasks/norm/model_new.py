# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        # Holds parameters and statistics under their names in the reference; it is never called.
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        norm = self.norm
        return cuda_extension.norm(x, norm.running_mean, norm.running_var, norm.weight, norm.bias, norm.eps)
