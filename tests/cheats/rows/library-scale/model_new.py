# SPDX-License-Identifier: GPL-3.0-or-later
"""A library divides by the sums: BLAS's scal."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.borrowed_softmax(x, 0)
