# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross entropy of each token with smoothed labels, in float, over a vocabulary of odd size."""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 5000
VOCABULARY = 24_007
SMOOTHING = 0.1
SMALL = {"TOKENS": 7, "VOCABULARY": 31}


class Model(nn.Module):
    def __init__(self, smoothing: float):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(logits, labels, reduction="none", label_smoothing=self.smoothing)


def get_inputs():
    return [2.0 * torch.randn(TOKENS, VOCABULARY), torch.randint(0, VOCABULARY, (TOKENS,))]


def get_init_inputs():
    return [SMOOTHING]
