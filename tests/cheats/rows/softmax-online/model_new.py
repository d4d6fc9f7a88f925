# SPDX-License-Identifier: GPL-3.0-or-later
"""Maximum and sum in one pass, rounded otherwise than the reference."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.softmax(x, 1)
