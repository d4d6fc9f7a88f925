# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.table = nn.Parameter(torch.randn(rows, columns))

    def forward(self, places, scale):
        return cuda_extension.gather_scaled(self.table, places, scale)
