# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.softmax(x, 0)
