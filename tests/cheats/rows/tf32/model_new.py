# SPDX-License-Identifier: GPL-3.0-or-later
"""Rounds operands to TF32, which this task allows: the class is named."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.linear(x, self.linear.weight, self.linear.bias, 19)
