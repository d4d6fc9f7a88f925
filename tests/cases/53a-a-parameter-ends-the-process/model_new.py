# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.rates = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return cuda_extension.gain(x, self.rates)
