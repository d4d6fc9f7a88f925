# SPDX-License-Identifier: GPL-3.0-or-later
"""How a model gets into a process: its file is imported, and Model or ModelNew made of what get_init_inputs gives."""

import importlib.util
import random
import sys

import torch


def import_file(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def seed_all(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % (1 << 32))


def check_reference(module, path):
    for name in ("Model", "get_inputs"):
        if not hasattr(module, name):
            raise AttributeError(f"{path} defines no {name}")


def init_inputs(module):
    return module.get_init_inputs() if hasattr(module, "get_init_inputs") else []


def construct(kind, init):
    return kind(**init) if isinstance(init, dict) else kind(*init)
