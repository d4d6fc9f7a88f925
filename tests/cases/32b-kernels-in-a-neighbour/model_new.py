# SPDX-License-Identifier: GPL-3.0-or-later

import torch
from torch import nn

from ops import added


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.root = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, a, b):
        y = torch.empty_like(a)
        added[(a.shape[0],)](a, b, self.root, y, a.shape[1], BLOCK=256)
        return y
