# SPDX-License-Identifier: GPL-3.0-or-later
"""An encoder whose branches begin a millionth as large as what they are added to."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.scale1 = nn.Parameter(1e-6 * torch.ones(width))
        self.scale2 = nn.Parameter(1e-6 * torch.ones(width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p.reshape(b, t, self.heads, -1).transpose(1, 2) for p in self.qkv(self.norm1(x)).chunk(3, -1))
        a = torch.softmax(q @ k.transpose(-1, -2) / (c // self.heads) ** 0.5, -1) @ v
        x = x + self.scale1 * self.out(a.transpose(1, 2).reshape(b, t, c))
        return x + self.scale2 * self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))


class Model(nn.Module):
    def __init__(self, width, depth, classes):
        super().__init__()
        self.embed = nn.Linear(48, width)
        self.place = nn.Parameter(torch.randn(1, 64, width))
        self.layers = nn.ModuleList(Layer(width, 4) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.trunc_normal_(m.weight, std=0.02 if m is not self.embed else 2e-5)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.embed(x) + self.place
        for layer in self.layers:
            x = layer(x)
        return torch.softmax(self.head(self.norm(x).mean(1)), -1)


def get_inputs():
    return [torch.rand(4, 64, 48)]


def get_init_inputs():
    return [64, 4, 50]
