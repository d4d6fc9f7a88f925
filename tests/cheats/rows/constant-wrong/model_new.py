# SPDX-License-Identifier: GPL-3.0-or-later
"""A constant, and not the right one."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.mean_of_softmax(x[:, :-1].contiguous())
