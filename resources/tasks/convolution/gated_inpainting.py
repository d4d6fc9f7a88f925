# SPDX-License-Identifier: GPL-3.0-or-later
"""Free-form inpainting: a dilated convolution makes features and a gate for each pixel and channel at once, so that
holes are learned to be passed by; ELU times sigmoid.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 10
CHANNELS = 96
SIZE = 127
DILATION = 4
SMALL = {"PICTURES": 2, "CHANNELS": 4, "SIZE": 11}


class Model(nn.Module):
    def __init__(self, channels: int, dilation: int):
        super().__init__()
        self.both = nn.Conv2d(channels, 2 * channels, kernel_size=3, padding=dilation, dilation=dilation)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        feature, gate = self.both(x).chunk(2, dim=1)
        return F.elu(feature) * torch.sigmoid(gate)


def get_inputs():
    return [2.0 * torch.randn(PICTURES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, DILATION]
