# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.decay = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return cuda_extension.echoes(x, self.decay, self.steps)
