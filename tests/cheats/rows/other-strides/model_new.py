# SPDX-License-Identifier: GPL-3.0-or-later
"""Returns the right numbers in another order of memory."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(columns))
        self.shift = nn.Parameter(torch.zeros(columns))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty(x.size(1), x.size(0), device=x.device)
        cuda_extension.swish_into(x, self.scale, self.shift, y)
        return y.t()
