# SPDX-License-Identifier: GPL-3.0-or-later
"""The next hidden state of very many independent sequences at once: input and state have a matrix each, one bias,
tanh; in bfloat16.
"""

import torch
from torch import nn

SEQUENCES = 32_000
INPUTS = 640
STATE = 1536
SMALL = {"SEQUENCES": 5, "INPUTS": 9, "STATE": 12}


class Model(nn.Module):
    def __init__(self, inputs: int, state: int):
        super().__init__()
        self.from_input = nn.Parameter((torch.randn(inputs, state) / inputs**0.5).to(torch.bfloat16))
        self.from_state = nn.Parameter((1.4 * torch.randn(state, state) / state**0.5).to(torch.bfloat16))
        self.bias = nn.Parameter((0.3 * torch.randn(state)).to(torch.bfloat16))

    def forward(self, x: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x @ self.from_input + state @ self.from_state + self.bias)


def get_inputs():
    state = torch.tanh(torch.randn(SEQUENCES, STATE))
    return [torch.randn(SEQUENCES, INPUTS).to(torch.bfloat16), state.to(torch.bfloat16)]


def get_init_inputs():
    return [INPUTS, STATE]
