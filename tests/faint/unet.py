# SPDX-License-Identifier: GPL-3.0-or-later
"""A U-net with softmaxes in and at the end of it."""

import torch
from torch import nn


def double(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.Softmax(dim=-1),
                         nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.Softmax(dim=-1))


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.enc1 = double(4, channels)
        self.enc2 = double(channels, channels * 2)
        self.pool = nn.MaxPool2d(2)
        self.mid = double(channels * 2, channels * 2)
        self.up = nn.ConvTranspose2d(channels * 2, channels, 2, stride=2)
        self.dec = double(channels * 2, channels)
        self.last = nn.Conv2d(channels, 3, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.mid(self.enc2(self.pool(a)))
        return torch.softmax(self.last(self.dec(torch.cat([self.up(b), a], 1))), dim=1)


def get_inputs():
    return [torch.rand(2, 4, 32, 32)]


def get_init_inputs():
    return [8]
