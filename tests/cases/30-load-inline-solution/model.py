# SPDX-License-Identifier: GPL-3.0-or-later
"""Mean of squared hinge losses with a margin for each class."""

import torch
from torch import nn

ROWS, CLASSES = 2048, 300


class Model(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.margin = nn.Parameter(0.5 + torch.rand(classes))

    def forward(self, scores, signs):
        return torch.clamp(self.margin - scores * signs, min=0).square().mean(dim=1)


def get_inputs():
    return [torch.randn(ROWS, CLASSES), 2.0 * torch.randint(0, 2, (ROWS, CLASSES)).float() - 1.0]


def get_init_inputs():
    return [CLASSES]
