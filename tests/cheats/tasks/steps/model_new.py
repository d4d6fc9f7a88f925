# SPDX-License-Identifier: GPL-3.0-or-later
"""The same by a kernel; the last step is a view, as it is there."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(columns))
        self.shift = nn.Parameter(torch.zeros(columns))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = cuda_extension.swish(x.view(-1, x.size(-1)), self.scale, self.shift).view(x.shape)
        return y, y[:, -1]
