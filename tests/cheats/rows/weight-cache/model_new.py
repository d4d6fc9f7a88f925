# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps transposed weights, and looks each time whether they are still the same."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)
        self.seen = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = self.linear.weight
        seen = (weight.data_ptr(), weight._version)
        if seen != self.seen:
            self.kept = cuda_extension.transposed(cuda_extension.transposed(weight))
            self.seen = seen
        return cuda_extension.linear(x, self.kept, self.linear.bias, 0)
