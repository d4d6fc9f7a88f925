# SPDX-License-Identifier: GPL-3.0-or-later
"""The same model in one kernel of our own."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    CONFIG = 2  # The fastest on an H200. Which variant of the kernel: see launchDepthwiseConv.
    CHOICES = {"CONFIG": 4}

    def __init__(self, channels: int):
        super().__init__()
        # Holds the parameters under their names in the reference; it is never called.
        self.conv = nn.Conv2d(channels, channels, kernel_size=3, padding=1, groups=channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        conv = self.conv
        return cuda_extension.depthwise_conv(x, conv.weight, conv.bias, self.CONFIG)
