# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradients of a small linear layer with relu, by hand: three results of one kernel file."""

import torch
from torch import nn

BATCH, INPUTS, OUTPUTS = 128, 200, 64


class Model(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * inputs**-0.5)
        self.bias = nn.Parameter(torch.randn(outputs))

    def forward(self, x, grad):
        g = grad * ((x @ self.weight.t() + self.bias) > 0)
        return g @ self.weight, g.t() @ x, g.sum(0)


def get_inputs():
    return [torch.randn(BATCH, INPUTS), torch.randn(BATCH, OUTPUTS)]


def get_init_inputs():
    return [INPUTS, OUTPUTS]
