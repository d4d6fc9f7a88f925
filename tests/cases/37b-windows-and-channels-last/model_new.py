# SPDX-License-Identifier: GPL-3.0-or-later
"""Goes by the strides it is given."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, windows, image, tail):
        return cuda_extension.windowed(windows, self.gain, tail), cuda_extension.energy(image)
