# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances under a learnt covariance, whose Cholesky factor exists only while it is positive definite."""

import torch
from torch import nn

ROWS, WIDTH = 500, 6


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.covariance = nn.Parameter(torch.eye(width) + 0.6 * torch.ones(width, width))

    def forward(self, x):
        factor = torch.linalg.cholesky(self.covariance)
        return torch.linalg.solve_triangular(factor, x.t(), upper=False).square().sum(0)


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
