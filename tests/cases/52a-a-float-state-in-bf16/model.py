# SPDX-License-Identifier: GPL-3.0-or-later
"""A recurrence whose first state is a float by name."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(24, 40) / 5)
        self.u = nn.Parameter(torch.randn(40, 40) / 6)

    def forward(self, x):
        h = torch.zeros((x.shape[0], 40), dtype=torch.float32, device=x.device)
        for t in range(x.shape[1]):
            h = torch.tanh(x[:, t] @ self.w + h @ self.u)
        return h


def get_inputs():
    return [torch.randn(64, 12, 24)]


def get_init_inputs():
    return []
