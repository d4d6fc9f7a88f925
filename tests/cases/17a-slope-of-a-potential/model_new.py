# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(hidden, width) * width**-0.5)
        self.out = nn.Parameter(torch.randn(hidden))

    def forward(self, x):
        return cuda_extension.forces(x, self.weight, self.out)
