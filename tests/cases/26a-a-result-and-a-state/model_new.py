# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width, taps):
        super().__init__()
        self.taps = nn.Parameter(torch.randn(width, taps))

    def forward(self, x, state):
        return cuda_extension.moved_on(x, state, self.taps)
