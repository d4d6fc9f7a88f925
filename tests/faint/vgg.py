# SPDX-License-Identifier: GPL-3.0-or-later
"""Fifteen convolutions and three linear layers as the library makes them."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layers, have = [], 3
        for i in range(depth):
            layers += [nn.Conv2d(have, width, 3, padding=1), nn.ReLU()]
            have = width
            if i % 5 == 4:
                layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Linear(width * 4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.classifier(torch.flatten(self.features(x), 1))


def get_inputs():
    return [torch.rand(4, 3, 16, 16)]


def get_init_inputs():
    return [16, 15]
