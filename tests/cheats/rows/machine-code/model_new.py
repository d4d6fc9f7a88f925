# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs machine code that it keeps in an array of numbers."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.borrowed_softmax(x, 4)
