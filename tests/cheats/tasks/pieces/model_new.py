# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(columns))
        self.shift = nn.Parameter(torch.zeros(columns))

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        return list(cuda_extension.swish(x, self.scale, self.shift).unbind(0))
