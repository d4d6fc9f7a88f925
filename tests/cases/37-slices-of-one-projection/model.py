# SPDX-License-Identifier: GPL-3.0-or-later
"""Norm of queries and keys whose memory is a slice of one joint projection, as it is inside every attention layer.

get_inputs gives views: rows of 192 elements that lie 576 apart, and the keys begin 192 elements later.
"""

import torch
from torch import nn

TOKENS, WIDTH = 1000, 192


class Model(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.eps = eps
        self.q_weight = nn.Parameter(torch.randn(width))
        self.k_weight = nn.Parameter(torch.randn(width))

    def norm(self, x, weight):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * weight

    def forward(self, q, k):
        return self.norm(q, self.q_weight), self.norm(k, self.k_weight)


def get_inputs():
    joint = torch.randn(TOKENS, 3 * WIDTH)
    q, k, _ = joint.split(WIDTH, dim=1)
    return [q, k]


def get_init_inputs():
    return [WIDTH, 1e-6]
