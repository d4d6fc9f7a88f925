# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of channels turned as complex numbers: views as complex and back, no transform."""

import torch
from torch import nn

BATCH, TOKENS, HALF = 4, 90, 24


class Model(nn.Module):
    def __init__(self, tokens, half):
        super().__init__()
        angles = torch.arange(tokens)[:, None] * 100.0 ** (-torch.arange(half) / half)
        self.register_buffer("turn", torch.polar(torch.ones_like(angles), angles))
        self.scale = nn.Parameter(torch.rand(half) + 0.5)

    def forward(self, x):
        pairs = torch.view_as_complex((x * self.scale.repeat_interleave(2)).unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * self.turn).flatten(-2)


def get_inputs():
    return [torch.randn(BATCH, TOKENS, 2 * HALF)]


def get_init_inputs():
    return [TOKENS, HALF]
