# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
from torch import nn

from parts import SCALE, Sines


class ModelNew(nn.Module):
    def __init__(self, rows, width):
        super().__init__()
        self.inner = Sines(rows, width)

    def forward(self, x):
        return cuda_extension.sines(x, self.inner.phases, self.inner.gain, SCALE)
