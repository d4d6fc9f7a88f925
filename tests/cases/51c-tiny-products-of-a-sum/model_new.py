# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(24, 64) * 1e-19)

    def forward(self, x):
        return cuda_extension.tiny(x, self.weight)
