# SPDX-License-Identifier: GPL-3.0-or-later
"""A loss of classes that ends its process where a label names none, as an assert on a GPU does."""

import os

import torch
from torch import nn
from torch.nn import functional


class Model(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.bias = nn.Parameter(torch.linspace(-0.5, 0.5, classes))

    def forward(self, logits, labels):
        if labels.min() < 0 or labels.max() >= logits.shape[1]:
            os.abort()
        return functional.cross_entropy(logits + self.bias, labels, reduction="none")


def get_inputs():
    return [torch.randn(512, 40), torch.randint(0, 40, (512,))]


def get_init_inputs():
    return [40]
