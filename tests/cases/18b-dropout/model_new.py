# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.drop = nn.Dropout(0.3)
        self.gate = nn.Parameter(torch.randn(width))

    def forward(self, x):
        return cuda_extension.gated(x, self.gate)
