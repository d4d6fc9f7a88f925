# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbours that are imported only when they are needed: one in the constructor, one in forward, with a name that others have, too."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        from utils import width_of

        self.scale = nn.Parameter(torch.rand(width_of()) + 0.5)

    def forward(self, x):
        from helpers.activations import softsign

        return softsign(x * self.scale)


def get_inputs():
    from utils import width_of

    return [torch.randn(90, width_of())]


def get_init_inputs():
    return []
