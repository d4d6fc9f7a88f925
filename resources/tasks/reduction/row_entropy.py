# SPDX-License-Identifier: GPL-3.0-or-later
"""How unsure is each prediction? The entropy of a softmax, and its largest probability."""

import torch
from torch import nn

ROWS = 30_000
CLASSES = 2003
SMALL = {"ROWS": 6, "CLASSES": 19}


class Model(nn.Module):
    def __init__(self, classes: int):
        super().__init__()
        self.weight = nn.Parameter(0.5 + torch.rand(classes))

    def forward(self, logits: torch.Tensor):
        log_probability = torch.log_softmax(logits * self.weight, dim=-1)
        probability = log_probability.exp()
        return -(probability * log_probability).sum(dim=-1), probability.amax(dim=-1)


def get_inputs():
    return [2.5 * torch.randn(ROWS, CLASSES)]


def get_init_inputs():
    return [CLASSES]
