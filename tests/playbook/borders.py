# SPDX-License-Identifier: GPL-3.0-or-later
"""Depthwise convolutions with boundary modes (mirror, repeat) and with several consumers, for check.py --numbers and
--emulated: a row as in functions.py."""

from odd import model

# Rows of 16, 13 and 14 elements load as vectors of four, single elements and pairs.
IMAGES = "[torch.randn(2, 4, 9, 16), torch.randn(3, 4, 7, 13), torch.randn(2, 4, 6, 14)]"

BORDERS = (
    ("mirrored_borders", model('''
def __init__(self):
    super().__init__()
    self.small = nn.Parameter(torch.randn(4, 1, 3, 3))
    self.wide = nn.Parameter(torch.randn(8, 1, 4, 5))

def filtered(self, x):
    return (F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), self.small, groups=4),
            F.conv2d(F.pad(x, (3, 1, 0, 2), mode="reflect"), self.wide, groups=4, stride=(2, 1)),
            F.conv2d(F.pad(x, (4, 2, 5, 3), mode="reflect"), self.small, groups=4, dilation=(2, 3), stride=2).tanh())

def forward(self, x, y, z):
    x = x.clone()
    x[0, 0, 0, 0] = float("nan")
    x[1, 2, 3, 15] = float("inf")
    return *self.filtered(x), *self.filtered(y), *self.filtered(z)''', IMAGES)),
    ("repeated_borders", model('''
def __init__(self):
    super().__init__()
    self.small = nn.Parameter(torch.randn(4, 1, 3, 3))
    self.wide = nn.Parameter(torch.randn(4, 1, 2, 7))

def filtered(self, x):
    return (F.conv2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), self.small, groups=4),
            F.conv2d(F.pad(x, (3, 12, 7, 0), mode="replicate"), self.wide, groups=4, stride=(1, 3)),
            F.conv2d(F.pad(x, (0, 0, 1, 1), mode="replicate"), self.small, groups=4, padding=(0, 1)) * 2)

def forward(self, x, y, z):
    return *self.filtered(x), *self.filtered(y), *self.filtered(z)''', IMAGES)),
    ("borders_around", model('''
def __init__(self):
    super().__init__()
    self.small = nn.Conv2d(4, 4, 3, groups=4, padding=1, padding_mode="circular")
    self.wide = nn.Parameter(torch.randn(4, 1, 3, 6))

def filtered(self, x):
    globe = F.pad(F.pad(x, (2, 3, 0, 0), mode="circular"), (0, 0, 1, 2), mode="replicate")
    zeros = F.pad(F.pad(x, (2, 3, 0, 0), mode="circular"), (0, 0, 2, 1))
    return (self.small(x), F.conv2d(globe, self.wide, groups=4), F.conv2d(zeros, self.wide, groups=4, stride=(1, 2)),
            F.conv2d(torch.cat([x[..., -3:], x, x[..., :2]], -1), self.wide, groups=4, padding=(1, 0)),
            F.conv2d(x[..., torch.arange(-1, x.shape[-1] + 4) % x.shape[-1]], self.wide, groups=4))

def forward(self, x, y, z):
    return *self.filtered(x), *self.filtered(y), *self.filtered(z)''', IMAGES)),
    ("borders_of_others", model('''
def __init__(self):
    super().__init__()
    self.line = nn.Parameter(torch.randn(3, 1, 5))
    self.long = nn.Parameter(torch.randn(3, 1, 41))
    self.large = nn.Parameter(torch.randn(4, 1, 9, 9))
    self.deep = nn.Parameter(torch.randn(2, 1, 3, 2, 3))
    self.blur = nn.Parameter(torch.randn(4, 1, 3, 3))
    self.few = nn.Parameter(torch.randn(3, 1, 3, 3))
    self.small_half = nn.Parameter(torch.randn(4, 1, 3, 3).half())

def forward(self, sound, x, volume, last, halves):
    around = F.pad(F.pad(volume, (1, 2, 0, 0, 0, 0), mode="circular"), (0, 0, 0, 2, 3, 1), mode="replicate")
    return (F.conv1d(F.pad(sound, (4, 1), mode="reflect"), self.line, groups=3), F.conv1d(F.pad(sound, (20, 20), mode="circular"), self.long, groups=3),
            F.conv2d(F.pad(x, (4, 4, 4, 4), mode="reflect"), self.large, groups=4),
            F.conv3d(F.pad(volume, (1, 1, 0, 1, 1, 1), mode="reflect"), self.deep, groups=2), F.conv3d(around, self.deep, groups=2, stride=(2, 1, 1)),
            F.conv2d(F.pad(last.permute(0, 3, 1, 2), (1, 1, 1, 1), mode="reflect"), self.blur, groups=4),
            F.conv2d(F.pad(last.permute(0, 3, 1, 2), (2, 0, 0, 2), mode="circular"), self.blur, groups=4, stride=2),
            F.conv2d(F.pad(F.max_pool2d(halves, 2, 1) * 2, (1, 1, 1, 1), mode="reflect"), self.small_half, groups=4, stride=2),
            F.conv2d(F.pad(x[:, :1], (1, 1, 2, 0), mode="replicate"), self.few))''',
        "[torch.randn(2, 3, 45), torch.randn(2, 4, 9, 12), torch.randn(2, 2, 4, 5, 8), torch.randn(2, 7, 9, 4), torch.randn(2, 4, 9, 13).half()]")),
    ("results_beside", model('''
def __init__(self):
    super().__init__()
    self.blur = nn.Parameter(torch.randn(4, 1, 3, 3))
    self.other = nn.Conv2d(4, 4, 5, padding=2, groups=4)
    self.line = nn.Parameter(torch.randn(4, 1, 4))
    self.scale = nn.Parameter(torch.randn(4, 1, 1))
    self.small_half = nn.Parameter(torch.randn(4, 1, 3, 3).half())

def level(self, x, filters):
    smooth = F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), filters, groups=4)
    return smooth[..., ::2, ::2].contiguous(), x - smooth

def forward(self, x, y, z, halves):
    small, lacking = self.level(x, self.blur)
    smaller, more = self.level(small, self.blur)
    odd = self.level(y, self.blur)
    sums = self.other(z)
    line = F.conv1d(z[:, :, 2], self.line, groups=4)
    return (small, lacking, smaller, more, *odd, sums, torch.relu(sums) * z, sums[:, :, ::3] * self.scale, line[..., ::4] * 2, line.exp(), line[..., 1::2] + 1,
            *self.level(halves, self.small_half))''', "[torch.randn(2, 4, 12, 16), torch.randn(3, 4, 7, 13), torch.randn(2, 4, 6, 14), torch.randn(2, 4, 10, 12).half()]")),
    ("results_beside_of_channels", model('''
def __init__(self):
    super().__init__()
    self.blur = nn.Parameter(torch.randn(6, 1, 3, 3))

def forward(self, x, y):
    smooth = F.conv2d(x.permute(0, 3, 1, 2), self.blur, padding=1, groups=6)
    image = F.conv2d(y, self.blur, padding=1, groups=6)
    return smooth, x.permute(0, 3, 1, 2) - smooth, image[:, :, ::2, ::2], image[..., ::4], image - y, image''',
                                         "[torch.randn(2, 7, 9, 6), torch.randn(2, 6, 8, 20)]")),
    ("windows_one_by_one", model('''
def __init__(self):
    super().__init__()
    self.factor = nn.Parameter(torch.randn(8, 1, 1))

def forward(self, x, halves):
    return F.max_pool2d(x, 2, 1) * self.factor, F.avg_pool2d(halves, (1, 3), 1) + halves[..., 2:]''',
                           "[torch.where(torch.rand(16, 8, 65, 65) < 0.01, math.nan, torch.randn(16, 8, 65, 65)), torch.randn(16, 16, 64, 66).half()]")),
)
