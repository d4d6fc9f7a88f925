# SPDX-License-Identifier: GPL-3.0-or-later
"""The head of a language model in float16: from the last hidden states to the log-probabilities of a vocabulary of
50,257 tokens.
"""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 2048
WIDTH = 1024
VOCABULARY = 50_257
SMALL = {"TOKENS": 5, "WIDTH": 16, "VOCABULARY": 37}


class Model(nn.Module):
    def __init__(self, width: int, vocabulary: int):
        super().__init__()
        self.head = nn.Linear(width, vocabulary, bias=False, dtype=torch.float16)
        nn.init.normal_(self.head.weight, 0.0, 3.0 / width**0.5)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(self.head(states), dim=-1)


def get_inputs():
    return [torch.randn(TOKENS, WIDTH).to(torch.float16)]


def get_init_inputs():
    return [WIDTH, VOCABULARY]
