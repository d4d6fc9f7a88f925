# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.starts = nn.Parameter(torch.zeros(channels))
        self.register_buffer("table", torch.linspace(0.0, 8.0, 256))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cuda_extension.shifted(x, self.starts, self.table)
