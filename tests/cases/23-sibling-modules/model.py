# SPDX-License-Identifier: GPL-3.0-or-later
"""A block that is spread over files, as in real projects; the entry file only puts it together."""

import torch
from torch import nn

from blocks import GatedMixer
from blocks.norms import ScaleNorm
from settings import SIZES


class Model(nn.Module):
    def __init__(self, width, tokens):
        super().__init__()
        self.norm = ScaleNorm(width)
        self.mixer = GatedMixer(width, tokens)

    def forward(self, x):
        return x + self.mixer(self.norm(x))


def get_inputs():
    return [torch.randn(SIZES["batch"], SIZES["tokens"], SIZES["width"])]


def get_init_inputs():
    return [SIZES["width"], SIZES["tokens"]]
