#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a candidate gets of a calculator is what torch gives, bit by bit and with the same strides; and nothing, once that
has ended."""

import os
import pathlib
import socket
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "toolchain/referee/worker"), str(ROOT / "tests/tasks")]
from torch_python import with_torch  # noqa: E402

# Besides what constructors draw: folds, tables, packing, what is written in place or into views, what raises.
CALLS = """
x*2+1; x.t()*3; x.clone().mul_(2); x.sum().item(); bool((x>0).any()); (w/torch.sqrt(x.var(0)+1e-5)).t().contiguous(); F.linear(x,w); torch.einsum('ij,kj->ik',x,w)
nn.Linear(3,4).weight.detach(); nn.init.trunc_normal_(torch.empty(3,4)); nn.init.orthogonal_(torch.empty(5,4)); torch.rand(2,generator=torch.Generator().manual_seed(5)); torch.randperm(5)
(torch.arange(10)[:,None]*torch.exp(torch.arange(0,6,2)*-0.3)).sin(); w.abs().amax(1,keepdim=True)/127; (w/(w.abs().amax(1,keepdim=True)/127)).round().clamp(-128,127).to(torch.int8)
list(x.topk(2)); torch.add(x,x,out=torch.empty(4,5)); torch.add(x,x,out=torch.empty(0)); x[torch.tensor([1,2])]; x[x>0]; torch.where(x>0,x,0.0); written(x); repr(x); F.pad(x,(1,1)); torch.eye(3)
F.conv2d(torch.ones(1,2,8,8),torch.ones(3,2,3,3),padding=1); F.layer_norm(x,(5,)); list(torch.linalg.svd(x)); torch.fft.rfft(x).abs(); x.to(torch.complex64)*1j; w.to(torch.bfloat16)*2; torch._foreach_mul([x,x],2.0)
[p.detach() for p in nn.LSTM(3,4).parameters()]; list(nn.BatchNorm2d(3).state_dict().values()); torch.equal(x,x); torch.linspace(0,1,5); raised(lambda: x@x); torch.conj(x.to(torch.complex64)*1j)+1; x[:0].sum(); x[:, ::2]*2
"""


def same(one, other):
    import torch

    if isinstance(one, torch.Tensor):
        return torch.equal(one, other) and one.dtype == other.dtype and one.stride() == other.stride()
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def main():
    import torch
    import torch.nn.functional as F
    from torch import nn
    from warpwright_calculator import Line, Preparation, calculate

    here, there = socket.socketpair()
    child = os.fork()
    if child == 0:
        here.close()
        counts = calculate(Line(there.detach()))
        os._exit(0 if counts["mul"] > 5 and "clone" not in counts else 1)
    there.close()
    prepared = Preparation()
    prepared._line = Line(here.detach())

    def written(x):
        y = x.clone()
        y[1].add_(1)
        y[:, 1] = 5.0
        y[y > 0] = 0.0
        return y

    def raised(call):
        try:
            call()
        except RuntimeError as problem:
            return str(problem)

    torch.manual_seed(7)
    names = dict(torch=torch, nn=nn, F=F, x=torch.randn(4, 5), w=nn.Parameter(torch.randn(6, 5)), written=written, raised=raised)
    complaints = []
    for call in (call.strip() for call in CALLS.replace("\n", ";").split(";") if call.strip()):
        torch.manual_seed(3)
        with torch.no_grad():
            wanted = eval(call, dict(names))
        after = torch.get_rng_state()
        torch.manual_seed(3)
        with prepared._preparing():
            got = eval(call, dict(names))
        if not same(wanted, got) or not torch.equal(after, torch.get_rng_state()):
            complaints.append(f"{call}: {got}, not {wanted}")
    line = prepared._line
    prepared.do_give_back()
    if os.waitpid(child, 0)[1] != 0:
        complaints.append("the calculator says something else of what it did")
    prepared._line = line
    try:
        with prepared._preparing():
            names["x"] * 2
        complaints.append("it computes after its end")
    except (OSError, ValueError, EOFError):
        pass
    print("\n".join(complaints) or "as torch does")
    return 1 if complaints else 0


if __name__ == "__main__":
    with_torch()
    sys.exit(main())
