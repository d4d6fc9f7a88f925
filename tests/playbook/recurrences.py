# SPDX-License-Identifier: GPL-3.0-or-later
"""References with loops over time, for check.py: cells by hand and of the library, states of all kinds and shapes."""

import time

from run_graph import meaning_changed

MODEL = """
import torch
import torch.nn.functional as F
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {members}

    def forward(self, x):
        {lines}

def get_inputs():
    return [torch.randn({shape}){type}]

def get_init_inputs():
    return []
"""


def row(name, members, lines, shape, type=""):
    def indented(text):
        return "\n        ".join(text.strip().split("\n"))
    return name, MODEL.format(members=indented(members), lines=indented(lines), shape=shape, type=type)


ROWS = (
    row("lstm", "self.cell = nn.LSTM(5, 9)", "return self.cell(x)[0]", "12, 3, 5"),
    row("lstm_with_states", "self.cell = nn.LSTM(8, 8, batch_first=True)", "out, (h, c) = self.cell(x)\nreturn out, h, c", "4, 10, 8"),
    row("odd_windows", "self.state = nn.Linear(1, 1)", "state = x.new_zeros(8, 1)\nstates = []\nfor t in range(32):\n"
        "    state = torch.tanh(self.state(state) + torch.logsumexp(x[:, t], -1, True) / 9)\n    states.append(state)\nreturn torch.stack(states, 1)", "8, 32, 515"),
    row("returns_from_behind", "self.keep = nn.Parameter(torch.rand(8))", "state = x[:, 0] * 0\nstates = []\nfor t in range(x.shape[1] - 1, -1, -1):\n"
        "    state = x[:, t] + self.keep * state * 0.9\n    states.append(state)\n"
        "return torch.stack(states[::-1], 1), torch.stack(states[::-1])", "4, 160, 8"),
    row("unrolled_states", "self.keep = nn.Parameter(torch.rand(8))", "state = x[:, 0] * 0\nstates = []\nfor t in range(x.shape[1]):\n"
        "    state = x[:, t] + self.keep * state * 0.9\n    states.append(state)\nreturn torch.stack(states[::-1], 1), torch.stack(states)", "4, 30, 8"),
    row("repeated_states", "self.state = nn.Linear(8, 8)", "state = x.new_zeros(4, 8)\nstates = []\nfor t in range(40):\n"
        "    state = torch.tanh(x[:, t] + self.state(state))\n    states.append(state)\n"
        "return torch.stack(states, 1).repeat(3, 1, 1), torch.stack(states, 1), torch.stack(states, 0)[:, None].expand(-1, 2, -1, -1).contiguous()", "4, 40, 8"),
    row("two_layers", "self.cell = nn.LSTM(6, 7, num_layers=2)", "return self.cell(x)[0].tanh()", "11, 2, 6"),
    row("gru_last", "self.cell = nn.GRU(6, 12)", "return self.cell(x)[1]", "14, 4, 6"),
    row("gru_both_ways", "self.cell = nn.GRU(5, 6, bidirectional=True, batch_first=True)", "return self.cell(x)[0]", "3, 13, 5"),
    row("elman", "self.input = nn.Linear(6, 10)\nself.state = nn.Linear(10, 10, bias=False)\nself.start = nn.Parameter(torch.randn(10))",
        "state = self.start.expand(x.shape[1], -1)\nstates = []\nfor given in x:\n"
        "    state = torch.tanh(self.input(given) + self.state(state))\n    states.append(state)\nreturn torch.stack(states)", "48, 3, 6"),
    row("backwards", "self.leak = nn.Parameter(torch.rand(7))\nself.weight = nn.Parameter(torch.randn(7, 7) / 3)",
        "state = torch.zeros_like(x[:, 0])\nstates = []\nfor step in reversed(range(x.shape[1])):\n"
        "    state = (1 - self.leak) * state + self.leak * torch.tanh(x[:, step] + state @ self.weight)\n"
        "    states.insert(0, state)\nreturn torch.stack(states, dim=1) * 2", "3, 40, 7"),
    row("decaying_sum", "self.rate = nn.Parameter(torch.rand(9))",
        "state = x[:, 0]\nstates = [state]\nfor step in range(1, x.shape[1]):\n"
        "    state = torch.sigmoid(self.rate) * state + (1 - torch.sigmoid(self.rate)) * x[:, step]\n"
        "    states.append(state)\nreturn torch.stack(states, dim=-1)", "2, 60, 9"),
    row("corrected_memory", "self.rate = nn.Parameter(torch.randn(2, 1))",
        "key = F.normalize(x, dim=-1)\nmemory = x.new_zeros(*x.shape[1:], x.shape[-1])\nout = []\nfor step in range(x.shape[0]):\n"
        "    known = (memory @ key[step, ..., None]).squeeze(-1)\n    missing = self.rate.sigmoid() * (x[step] - known)\n"
        "    memory = memory + missing[..., :, None] * key[step, ..., None, :]\n"
        "    out.append((memory @ x[step, ..., None]).squeeze(-1))\nreturn torch.stack(out)", "16, 3, 2, 8"),
    row("convolved_state", "self.input = nn.Conv2d(2, 6, 3, padding=1)\nself.state = nn.Conv2d(3, 6, 3, padding=1, bias=False)",
        "state = x.new_zeros(x.shape[0], 3, 5, 6)\nfor step in range(x.shape[1]):\n"
        "    gates, fresh = (self.input(x[:, step]) + self.state(state)).chunk(2, dim=1)\n"
        "    state = state * gates.sigmoid() + fresh.tanh() * (1 - gates.sigmoid())\nreturn state", "2, 24, 2, 5, 6"),
    row("half_cell", "self.weight = nn.Parameter(torch.randn(16, 16).half() / 4)",
        "state = x[0]\nfor given in x[1:]:\n    state = torch.tanh(given + state @ self.weight) + 0.5 * state\nreturn state",
        "70, 3, 16", ".half()"),
    row("ragged_parts", "",
        "state = x.new_zeros(1, 8)\nfor part in x.split(16):\n"
        "    state = torch.tanh(state * 0.5 + part.mean(0, keepdim=True))\nreturn state", "1034, 8"),
    row("growing_parts", "",
        "state = x.new_zeros(8)\nfor step in range(x.shape[0]):\n"
        "    state = torch.tanh(state * 0.5 + x[:step + 1].sum(0))\nreturn state", "64, 8"),
    row("states_before", "self.first = nn.Parameter(torch.randn(8, 8) / 3)\nself.second = nn.Parameter(torch.randn(8, 8) / 3)",
        "state = x.new_zeros(3, 8)\nbefore = []\nfor step in range(x.shape[1]):\n    before.append(state.unsqueeze(1))\n"
        "    state = torch.tanh(x[:, step] @ self.first + state @ self.second)\nreturn torch.cat(before, dim=1)", "3, 44, 8"),
    row("turned_states", "self.weight = nn.Parameter(torch.randn(8, 8) / 3)",
        "state = x.new_zeros(3, 2, 4)\nflats = []\nfor step in range(x.shape[1]):\n    flat = state.reshape(3, 8)\n"
        "    flats.append(flat)\n    state = torch.tanh(x[:, step] + flat @ self.weight).view(3, 2, 4)\nreturn torch.stack(flats, 1), state",
        "3, 90, 8"),
    row("there_and_back", "self.first = nn.Parameter(torch.randn(6, 6) / 3)\nself.second = nn.Parameter(torch.randn(6, 6) / 3)",
        "one = two = x.new_zeros(4, 6)\nthere, back = [], []\nfor step in range(x.shape[0]):\n"
        "    one = torch.tanh(x[step] + one @ self.first)\n    there.append(one)\nfor step in reversed(range(x.shape[0])):\n"
        "    two = torch.tanh(x[step] + two @ self.second)\n    back.append(two)\n"
        "return torch.cat([torch.stack(there), torch.stack(back[::-1])], -1)", "80, 4, 6"),
    row("encode_and_decode", "self.first = nn.Parameter(torch.randn(6, 6) / 3)\nself.second = nn.Parameter(torch.randn(6, 6) / 3)",
        "state = x.new_zeros(4, 6)\nread, said = [], []\nfor step in range(x.shape[0]):\n"
        "    state = torch.tanh(x[step] + state @ self.first)\n    read.append(state)\nfor step in range(100):\n"
        "    state = torch.sigmoid(state @ self.second) - 0.5\n    said.append(state)\nreturn torch.stack(said), torch.stack(read)", "70, 4, 6"),
    row("odd_last_turn", "self.weight = nn.Parameter(torch.randn(6, 6) / 3)\nself.last = nn.Parameter(torch.randn(6, 6) / 3)",
        "state = x.new_zeros(4, 6)\nfor step in range(x.shape[0]):\n"
        "    state = torch.tanh(x[step] + state @ (self.weight if step + 1 < x.shape[0] else self.last))\nreturn state", "80, 4, 6"),
    row("first_and_states", "self.rate = nn.Parameter(torch.rand(9))",
        "state = x[:, 0]\nstates = [state]\nfor step in range(1, x.shape[1]):\n"
        "    state = torch.sigmoid(self.rate) * state + (1 - torch.sigmoid(self.rate)) * x[:, step]\n"
        "    states.append(state)\nreturn torch.stack(states, dim=1)", "2, 110, 9"),
    row("made_before", "self.first = nn.Linear(6, 8)\nself.weight = nn.Parameter(torch.randn(8, 8) / 3)",
        "made = torch.relu(self.first(x))\nstate = made[0]\nfor step in range(x.shape[0]):\n"
        "    state = torch.tanh(made[step] * 0.3 + state @ self.weight)\nreturn state + made.sum(0), made", "80, 4, 6"),
    row("named_turn", "self.turn = nn.Parameter(torch.rand(9))",
        "state = x[0]\nfor given in x:\n    state = torch.tanh(state * self.turn + given)\nreturn state", "100, 4, 9"),
    row("flow", "self.first = nn.Linear(5, 8)\nself.second = nn.Linear(8, 5)",
        "def slope(at):\n    return self.second(torch.tanh(self.first(at)))\nstep = 0.1\nfor _ in range(12):\n    a = slope(x)\n"
        "    b = slope(x + step / 2 * a)\n    x = x + step * b\nreturn x", "4, 5"),
    # Values that stay in registers through all steps, and reductions that leave the loop
    row("selected_states", "self.log_rate = nn.Parameter(torch.rand(24, 16))\nself.skip = nn.Parameter(torch.randn(24))",
        "x, step, b, c = x[..., :24], F.softplus(x[..., 24:48]), x[..., 48:64], x[..., 64:]\nrate = -torch.exp(self.log_rate)\n"
        "state = x.new_zeros(x.shape[0], 24, 16)\nout = []\nfor t in range(x.shape[1]):\n"
        "    decay = torch.exp(step[:, t].unsqueeze(-1) * rate)\n"
        "    state = decay * state + (step[:, t] * x[:, t]).unsqueeze(-1) * b[:, t].unsqueeze(1)\n"
        "    out.append(torch.einsum('bdn,bn->bd', state, c[:, t]) + self.skip * x[:, t])\nreturn torch.stack(out, dim=1)", "3, 41, 80"),
    row("states_finished_later", "self.log_rate = nn.Parameter(torch.rand(24, 16))\nself.skip = nn.Parameter(torch.randn(24))",
        "x, step, b, c = x[..., :24].contiguous(), F.softplus(x[..., 24:48]), x[..., 48:64], x[..., 64:80]\nrate = -torch.exp(self.log_rate)\n"
        "state = x.new_zeros(x.shape[0], 24, 16)\nout = []\nfor t in range(x.shape[1]):\n"
        "    decay = torch.exp(step[:, t].unsqueeze(-1) * rate)\n"
        "    state = decay * state + (step[:, t] * x[:, t]).unsqueeze(-1) * b[:, t].unsqueeze(1)\n"
        "    out.append(torch.einsum('bdn,bn->bd', state, c[:, t]))\nreturn torch.stack(out, dim=1) + x * self.skip", "3, 44, 80"),
    row("states_finished_in_halves", "self.keep = nn.Parameter(torch.rand(16))",
        "state = x[:, 0, :16] * 0\nleft = []\nfor t in range(x.shape[1]):\n    state = x[:, t, :16] + self.keep * state * 0.9\n"
        "    left.append(state * x[:, t, 16:32])\nreturn (torch.stack(left, 1) * 2 + x[..., 32:]).half()", "4, 60, 48"),
    row("states_gated_later", "self.keep = nn.Parameter(torch.rand(16))\nself.gate = nn.Parameter(torch.rand(16))",
        "state = x[:, 0, :16] * 0\nstates = []\nfor t in range(x.shape[1]):\n    state = x[:, t, :16] + self.keep * state * 0.9\n    states.append(state)\n"
        "states = torch.stack(states, 1)\nreturn states * torch.sigmoid(self.gate) * x[..., 16:32] + x[..., 32:]", "4, 60, 48"),
    row("odd_selected_states", "self.rate = nn.Parameter(torch.rand(7, 11))",
        "state = x.new_zeros(x.shape[0], 7, 11)\nout = []\nfor t in range(x.shape[1]):\n"
        "    state = self.rate * state + x[:, t, :7, None] * x[:, t, None, 7:18]\n"
        "    out.append((state * x[:, t, None, 18:]).sum(-1))\nreturn torch.stack(out, dim=1), state", "3, 43, 29"),
    row("gated_outer_products", "", "x = x.float()\nq, k, v, g = x[..., :16], x[..., 16:32], x[..., 32:48], torch.sigmoid(x[..., 48:])\n"
        "state = x.new_zeros(x.shape[0], 16, 16)\nout = []\nfor t in range(x.shape[1] - 1, -1, -1):\n"
        "    state = state * g[:, t, :, None] + k[:, t, :, None] * v[:, t, None, :]\n    out.insert(0, (q[:, t, :, None] * state).sum(1))\n"
        "return torch.stack(out, 1), state", "3, 44, 64"),
    row("half_states", "self.rate = nn.Parameter(torch.rand(6, 8).half())",
        "state = x.new_zeros(x.shape[0], 6, 8)\nout = []\nfor t in range(x.shape[1]):\n    state = self.rate * state * 0.5 + x[:, t, :, None]\n"
        "    out.append(state.amax(-1))\nreturn torch.stack(out), state", "2, 60, 6", ".half()"),
    row("normalised_states", "self.rate = nn.Parameter(torch.rand(20))",
        "state = x[:, 0] * 0\nseen = x.new_zeros(x.shape[0], 1)\nout = []\nfor t in range(x.shape[1]):\n"
        "    new = self.rate * state + x[:, t]\n    state = new / (1 + new.square().mean(-1, keepdim=True)).sqrt()\n"
        "    seen = seen * 0.9 + state.sum(-1, keepdim=True)\n    out.append(state * seen)\nreturn torch.stack(out, 1), seen", "5, 50, 20"),
)

# Steps whose skinny matmul is one kernel with its epilogue (`cell_matmul`): each must contain mma.sync.
CELL_MATMULS = (
    row("lstm_in_turns", "self.cell = nn.LSTM(12, 36)", "out, (h, c) = self.cell(x)\nreturn out, h, c", "12, 5, 12"),
    row("gru_both_ways_in_turns", "self.cell = nn.GRU(8, 40, bidirectional=True, batch_first=True)", "return self.cell(x)[0]", "18, 13, 8"),
    row("elman_in_turns", "self.input = nn.Linear(8, 52)\nself.state = nn.Linear(52, 52)",
        "state = x.new_zeros(x.shape[1], 52)\nstates = []\nfor given in x:\n"
        "    state = torch.tanh(self.input(given) + self.state(state))\n    states.append(state)\nreturn torch.stack(states)", "40, 33, 8"),
    row("reservoir_in_turns", "self.weight = nn.Parameter(torch.randn(36, 36) / 6)\nself.leak = nn.Parameter(torch.rand(36))",
        "state = x[:, 0] * 0\nstates = []\nfor t in range(x.shape[1] - 1, -1, -1):\n"
        "    state = (1 - self.leak) * state + self.leak * torch.tanh(x[:, t] + state @ self.weight)\n    states.append(state)\n"
        "return torch.stack(states, 1), state", "3, 40, 36"),
    row("half_lstm_in_turns", "self.cell = nn.LSTM(8, 40).half()", "return self.cell(x)[0]", "11, 7, 8", ".half()"),
    row("bfloat_cell_in_turns", "self.state = nn.Linear(72, 72, bias=False).bfloat16()",
        "state = x[0]\nfor given in x[1:]:\n    state = torch.sigmoid(given + self.state(state)) + 0.5 * state\nreturn state",
        "70, 20, 72", ".bfloat16()"),
    row("no_number_in_turns", "self.input = nn.Linear(8, 52)\nself.state = nn.Linear(52, 52)",
        "state = x.new_zeros(x.shape[1], 52)\nstates = []\nfor given in x:\n"
        "    state = torch.tanh(self.input(given) + self.state(state))\n    states.append(state)\nreturn torch.stack(states)", "40, 9, 8",
        ".masked_fill(torch.arange(360).view(40, 9, 1) == 4, torch.tensor(0x7fffffff, dtype=torch.int32).view(torch.float32))"),  # a GPU's NaN
    row("projected_in_turns", "self.cell = nn.LSTM(6, 64, proj_size=32, batch_first=True)", "return self.cell(x)[0]", "3, 12, 6"),
    row("normalised_in_turns", "self.state = nn.Linear(40, 120, bias=False)\nself.norm = nn.LayerNorm(120)",
        "state = x.new_zeros(x.shape[1], 40)\nout = []\nfor given in x:\n"
        "    r, z, n = self.norm(self.state(state) + given).chunk(3, -1)\n"
        "    state = state + torch.sigmoid(z) * (torch.tanh(n * torch.sigmoid(r)) - state)\n    out.append(state)\nreturn torch.stack(out)",
        "30, 9, 120"),
    row("wide_projected_in_turns", "self.cell = nn.LSTM(6, 1020, proj_size=36, batch_first=True)", "return self.cell(x)[0]", "21, 12, 6"),
    row("peepholes_in_turns", "self.input = nn.Linear(6, 160)\nself.state = nn.Linear(40, 160, bias=False)\nself.look = nn.Parameter(torch.randn(3, 40))",
        "state = memory = x.new_zeros(x.shape[0], 40)\nout = []\nfor t in range(x.shape[1]):\n"
        "    i, f, g, o = (self.input(x[:, t]) + self.state(state)).chunk(4, -1)\n"
        "    memory = torch.sigmoid(f + self.look[0] * memory) * memory + torch.sigmoid(i + self.look[1] * memory) * torch.tanh(g)\n"
        "    state = torch.sigmoid(o + self.look[2] * memory) * torch.tanh(memory)\n    out.append(state)\n"
        "return torch.stack(out, 1), memory", "6, 30, 6"),
)

# A thousand steps and more, stacked and bidirectional layers: each loop is read as one step (`loop_detection.py`).
LONG = (
    row("deep_lstm_both_ways", "self.cell = nn.LSTM(5, 7, num_layers=6, bidirectional=True)",
        "out, (h, c) = self.cell(x)\nreturn out, h, c", "1030, 2, 5"),
    row("deep_gru_both_ways", "self.cell = nn.GRU(6, 8, num_layers=6, bidirectional=True, batch_first=True, bias=False)",
        "out, state = self.cell(x)\nreturn out.tanh(), state", "3, 1100, 6"),
    row("rectified_layers", "self.cell = nn.RNN(4, 12, num_layers=3, nonlinearity='relu', batch_first=True)\nself.last = nn.Linear(12, 3)",
        "return self.last(self.cell(x)[0][:, -1])", "4, 1500, 4"),
    row("long_projection", "self.cell = nn.LSTM(6, 16, num_layers=2, proj_size=8)\nself.start = nn.Parameter(torch.randn(2, 1, 8))",
        "start = self.start.expand(-1, x.shape[1], -1).contiguous()\n"
        "return self.cell(x, (start, x.new_ones(2, x.shape[1], 16)))[0]", "1024, 2, 6"),
    row("cells_by_hand_both_ways", "self.there = nn.ModuleList(nn.LSTMCell(6 + 8 * l, 7) for l in range(2))\n"
        "self.back = nn.ModuleList(nn.LSTMCell(6 + 8 * l, 7) for l in range(2))",
        "for there, back in zip(self.there, self.back):\n"
        "    sides = []\n    for cell, order in ((there, range(x.shape[1])), (back, range(x.shape[1] - 1, -1, -1))):\n"
        "        state = (x.new_zeros(x.shape[0], 7), x.new_zeros(x.shape[0], 7))\n        left = []\n        for t in order:\n"
        "            state = cell(x[:, t], state)\n            left.append(state[0])\n"
        "        sides.append(torch.stack(left if order.step > 0 else left[::-1], 1))\n    x = torch.cat(sides, -1)\nreturn x", "2, 1050, 6"),
    row("states_written_by_hand", "self.first = nn.Linear(5, 9)\nself.state = nn.Linear(9, 9, bias=False)\nself.next = nn.GRUCell(9, 6)",
        "one, two = x.new_zeros(x.shape[1], 9), x.new_zeros(x.shape[1], 6)\nleft = x.new_empty(x.shape[1], x.shape[0], 6)\n"
        "for t in range(x.shape[0]):\n    one = torch.tanh(self.first(x[t]) + self.state(one))\n    two = self.next(one, two)\n"
        "    left[:, t] = two * 0.5\nreturn left, one", "1200, 3, 5"),
)


def slowly_read(read, task_of):
    """Complaints about long loops that are read unrolled, or take more than ten CPU seconds."""
    for name, text in LONG:
        began = time.process_time()
        graph = read.answer_for(task_of(name, text).module)
        seconds, loops = time.process_time() - began, sum("loop" in node["op"] for node in graph.get("nodes", ()))
        if "cannot" in graph or not loops or seconds > 10:
            yield f"{name}: {graph.get('cannot', f'{loops} loops')}, read in {seconds:.1f} s of a processor"
        yield from meaning_changed(graph, name, task_of(name, text).module())
