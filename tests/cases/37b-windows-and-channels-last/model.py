# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlapping windows of one signal, an image whose channels come last, and a slice that begins in the middle: all by their strides."""

import torch
from torch import nn

COUNT, WIDTH, HOP = 60, 32, 8


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, windows, image, tail):
        return windows * self.gain + tail[:, None], image.square().sum(dim=(2, 3))


def get_inputs():
    signal = torch.randn(HOP * (COUNT - 1) + WIDTH)
    image = torch.randn(3, 5, 12, 14).contiguous(memory_format=torch.channels_last)
    return [signal.as_strided((COUNT, WIDTH), (HOP, 1)), image, torch.randn(2 * COUNT + 3)[3::2]]


def get_init_inputs():
    return [WIDTH]
