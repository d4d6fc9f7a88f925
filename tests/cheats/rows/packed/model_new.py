# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins weights and bias when they change, and takes them apart again."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)
        self.known = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight, bias = self.linear.weight, self.linear.bias
        now = (weight._version, bias._version, weight.data_ptr(), bias.data_ptr())
        if self.known != now:
            packed = torch.cat([weight, bias[:, None]], dim=1)
            self.parts = packed[:, :-1].contiguous(), packed[:, -1].contiguous()
            self.known = now
        return cuda_extension.linear(x, *self.parts, 0)
