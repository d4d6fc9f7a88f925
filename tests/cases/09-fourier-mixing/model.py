# SPDX-License-Identifier: GPL-3.0-or-later
"""Token mixing by a Fourier transform over tokens and channels, as attention-free encoders do, with a spectral filter."""

import torch
from torch import nn

BATCH, TOKENS, CHANNELS = 4, 128, 96


class Model(nn.Module):
    def __init__(self, tokens, channels):
        super().__init__()
        self.norm = nn.LayerNorm(channels)
        self.filter = nn.Parameter(0.02 * torch.randn(tokens // 2 + 1, channels, 2))

    def forward(self, x):
        mixed = torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real
        spectrum = torch.fft.rfft(self.norm(x), dim=1, norm="ortho") * torch.view_as_complex(self.filter)
        return mixed / x.shape[1] + torch.fft.irfft(spectrum, n=x.shape[1], dim=1, norm="ortho")


def get_inputs():
    return [torch.randn(BATCH, TOKENS, CHANNELS)]


def get_init_inputs():
    return [TOKENS, CHANNELS]
