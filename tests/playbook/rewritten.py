# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of the train half, rewritten: other names, modules or functions, another legal order. They compute the same, so they
must get the same program. (name, task, text)"""

HEAD = "import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"

POST_NORM = HEAD + '''
class Model(nn.Module):
    def __init__(self, size, factor):
        super().__init__()
        self.b = nn.Parameter(torch.zeros(size))
        self.w = nn.Parameter(torch.ones(size))
        self.layer = nn.Parameter(torch.randn(size))
        self.alpha = factor

    def forward(self, first, second):
        mixed = second * self.layer + first * self.alpha
        return F.layer_norm(mixed, (mixed.shape[-1],), self.w, self.b, 1e-5)


def get_inputs():
    return [torch.randn(24000, 2056), torch.randn(24000, 2056)]


def get_init_inputs():
    return [2056, 1.8]
'''

POST_NORM_BY_HAND = HEAD + '''
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Parameter(torch.randn(2056))
        self.two = nn.Parameter(torch.randn(2056))
        self.three = nn.Parameter(torch.randn(2056))

    def forward(self, x, y):
        h = torch.addcmul(1.8 * x, self.one, y)
        mean = h.mean(dim=1, keepdim=True)
        variance = torch.var(h, dim=1, correction=0, keepdim=True)
        return (h - mean) / torch.sqrt(variance + 1e-5) * self.two + self.three


def get_inputs():
    return [torch.randn(24000, 2056), torch.randn(24000, 2056)]


def get_init_inputs():
    return []
'''

PHASE = HEAD + '''
class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.amplitude = nn.Parameter(torch.rand(n))
        self.angle = nn.Parameter(torch.rand(n))

    def forward(self, re, im):
        s = torch.mul(torch.sin(self.angle), self.amplitude)
        c = torch.mul(self.angle.cos(), self.amplitude)
        return torch.sub(c * re, s * im), torch.add(c * im, s * re)


def get_inputs():
    return [torch.randn(6144, 3276), torch.randn(6144, 3276)]


def get_init_inputs():
    return [3276]
'''

GEGLU = HEAD + '''
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = nn.GELU()

    def forward(self, joined):
        half = joined.shape[1] // 2
        return self.activation(joined[:, half:]) * joined[:, :half]


def get_inputs():
    return [torch.randn(8192, 11008)]


def get_init_inputs():
    return []
'''

ENTROPY = HEAD + '''
class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(n))
        self.normalise = nn.LogSoftmax(dim=1)

    def forward(self, z):
        logs = self.normalise(self.scale * z)
        shares = torch.exp(logs)
        peak = torch.amax(shares, 1)
        return torch.neg(torch.sum(logs * shares, 1)), peak


def get_inputs():
    return [torch.randn(30000, 2003)]


def get_init_inputs():
    return [2003]
'''

HARDSWISH = HEAD + '''
class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.act = nn.Hardswish()
        self.gamma = nn.Parameter(torch.ones(1, n, 1, 1, dtype=torch.float16))

    def forward(self, branch, skip):
        return self.act(branch) * self.gamma + skip


def get_inputs():
    shape = (64, 144, 72, 72)
    make = lambda: torch.randn(shape).half().to(memory_format=torch.channels_last)
    return [make(), make()]


def get_init_inputs():
    return [144]
'''

PAIRS = (
    ("a norm as a function, operands the other way round", "post_norm_branch", POST_NORM),
    ("a norm by hand", "post_norm_branch", POST_NORM_BY_HAND),
    ("methods as functions, another order", "phase_rotation", PHASE),
    ("slices for chunks, a module for a function", "geglu_halves", GEGLU),
    ("a module for a function, methods as functions", "row_entropy", ENTROPY),
    ("a module for a function, a sum the other way round", "layer_scale_hardswish", HARDSWISH),
)
