# SPDX-License-Identifier: GPL-3.0-or-later
"""References with convolutions of images that can lie with channels last, for check.py --odd: a row as in odd.py. Each is
tried with both plans."""

from odd import model

IMAGES = (
    ("a residual block", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, stride=2, padding=1)
    self.norm = nn.BatchNorm2d(16)
    self.second = nn.Conv2d(16, 16, (3, 5), padding=(2, 4), dilation=2, bias=False)
    self.short = nn.Conv2d(8, 16, 1, stride=2)

def forward(self, x):
    h = torch.relu(self.norm(self.first(x)))
    return torch.relu(self.second(h) + self.short(x))''', "[torch.randn(3, 8, 13, 18)]")),
    ("a norm of groups between", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(4, 32, 3, padding=1)
    self.norm = nn.GroupNorm(4, 32)
    self.second = nn.Conv2d(32, 20, 3, bias=False)
    self.last = nn.Linear(20, 7)

def forward(self, x):
    return self.last(self.second(F.silu(self.norm(self.first(x)))).mean(dim=(2, 3)))''',
                                               "[torch.randn(2, 4, 17, 20)]")),
    ("a norm after the last", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 24, 3, padding=1)
    self.norm = nn.InstanceNorm2d(24, affine=True)

def forward(self, x):
    return self.norm(self.first(x))''', "[torch.randn(2, 8, 17, 20)]")),
    ("pooling, and both ends of it", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, padding=1, padding_mode="reflect")
    self.second = nn.Conv2d(16, 8, 3, bias=False)

def forward(self, x):
    wide = torch.tanh(self.first(x))
    return wide, self.second(F.max_pool2d(wide, 2))''', "[torch.randn(2, 8, 18, 20)]")),
    ("channels normalised as in a transformer", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 32, 4, stride=4)
    self.norm = nn.LayerNorm(32)
    self.up = nn.Linear(32, 48)
    self.down = nn.Linear(48, 32)

def forward(self, x):
    h = self.first(x)
    y = self.down(F.gelu(self.up(self.norm(h.permute(0, 2, 3, 1)))))
    return h + y.permute(0, 3, 1, 2)''', "[torch.randn(2, 8, 24, 28)]")),
    ("an image that lies with channels last already", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3)

def forward(self, x):
    return self.first(x.permute(0, 3, 1, 2)), x.sum()''', "[torch.randn(2, 12, 20, 8)]")),
    ("a joined image, and one that is cut", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, padding=1)
    self.second = nn.Conv2d(24, 16, 3, padding=1)
    self.third = nn.Conv2d(8, 4, 1)

def forward(self, x):
    h = self.second(torch.cat([x, F.relu(self.first(x))], 1))
    return self.third(h[:, 4:12]) * torch.sigmoid(h[:, :4])''', "[torch.randn(2, 8, 18, 21)]")),
    ("half the bits", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, 3, padding=1).bfloat16()
    self.second = nn.Conv2d(16, 8, 3, padding=1, bias=False).bfloat16()

def forward(self, x):
    return self.second(F.relu(self.first(x)))''', "[torch.randn(2, 8, 18, 21).bfloat16()]")),
    ("one row of an image", None, model('''
def __init__(self):
    super().__init__()
    self.first = nn.Conv2d(8, 16, (1, 3))
    self.second = nn.Conv2d(16, 8, 1)

def forward(self, x):
    return self.second(self.first(x).exp())''', "[torch.randn(1, 8, 1, 21)]")),
)
