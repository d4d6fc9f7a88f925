# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, widths, options):
        super().__init__()
        self.scale = nn.Parameter(torch.full((sum(widths),), options["scale"]))
        self.shift = nn.Parameter(torch.randn(sum(widths)))

    def forward(self, x):
        return cuda_extension.scaled_shift(x, self.scale, self.shift)
