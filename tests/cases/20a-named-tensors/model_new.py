# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, scale, *, shift, power=1.0):
        super().__init__()
        self.scale = nn.Parameter(scale)
        self.register_buffer("shift", shift)

    def forward(self, x):
        return cuda_extension.scaled_shift(x, self.scale, self.shift)
