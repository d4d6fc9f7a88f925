# SPDX-License-Identifier: GPL-3.0-or-later
"""The task is a backward pass: gradients of a layer norm, asked from autograd inside forward."""

import torch
import torch.nn.functional as F
from torch import nn

ROWS, WIDTH = 768, 512


class Model(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.width, self.eps = width, eps
        self.weight = nn.Parameter(torch.randn(width))
        self.bias = nn.Parameter(torch.randn(width))

    def forward(self, x, grad):
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            weight = self.weight.detach().requires_grad_()
            bias = self.bias.detach().requires_grad_()
            y = F.gelu(F.layer_norm(x, (self.width,), weight, bias, self.eps))
            return torch.autograd.grad(y, (x, weight, bias), grad)


def get_inputs():
    return [torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, 1e-5]
