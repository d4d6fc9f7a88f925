# SPDX-License-Identifier: GPL-3.0-or-later
"""Log power of overlapping windows: a real transform whose result is only looked at by its magnitude."""

import torch
from torch import nn

BATCH, SAMPLES, LENGTH = 3, 2048, 128


class Model(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.register_buffer("window", torch.hann_window(length, periodic=True))

    def forward(self, x):
        spectrum = torch.fft.rfft(x.unfold(-1, self.window.numel(), 64) * self.window)
        return torch.log1p(spectrum.abs().square())


def get_inputs():
    return [torch.randn(BATCH, SAMPLES)]


def get_init_inputs():
    return [LENGTH]
