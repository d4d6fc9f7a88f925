# SPDX-License-Identifier: GPL-3.0-or-later
"""Row-wise standardisation; whoever wrote it wanted reproducible inputs and set the seed inside get_inputs."""

import torch
from torch import nn

ROWS, COLUMNS = 512, 1024


class Model(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True)
        return (x - mean) * torch.rsqrt((x - mean).square().mean(dim=1, keepdim=True) + self.eps)


def get_inputs():
    torch.manual_seed(0)
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [1e-5]
