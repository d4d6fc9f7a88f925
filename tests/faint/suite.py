#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/faint/suite.py FOLDER: writes a suite for `wright selftest --suite FOLDER` of the references here.

With their library's own parameters their results hardly depend on what comes in. Of each there are the right candidate,
and four that hope for that: one that works on an input of its own, the mean over the rows, a layer left out, the weights
of the first call. All of them are torch, so the right one is `rejected:torch-operators`, which is asked only after every
round has passed; the others are `wrong` before.
"""

import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CHEATS = os.path.join(HERE, "..", "cheats")

# What is left out, as a statement of the candidate's constructor.
LEFT_OUT = {
    "residual": "self.blocks[2].bn2 = Zero(self.blocks[2].bn2)",
    "vgg": "self.features[2] = Skipped(self.features[2])",
    "efficient": "self.blocks[3].gate.up = Zero(self.blocks[3].gate.up)",
    "unet": "self.mid[4] = Skipped(self.mid[4])",
    "logsumexp": "self.first = Skipped(self.first)",
    "meansoftmax": "self.norm = Unscaled(self.norm)",
    "mlp": "self.layers[14] = Skipped(self.layers[14])",
    "transformer": "self.layers[2].out = Zero(self.layers[2].out)",
}
DEGENERATE = ("degenerate-softmax", "degenerate-gelu")

HEAD = '''

class Skipped(nn.Module):
    """Holds a layer's parameters under their names, and does nothing."""

    def __init__(self, layer):
        super().__init__()
        for name, parameter in layer.named_parameters():
            self.register_parameter(name, parameter)
        for name, buffer in layer.named_buffers():
            self.register_buffer(name, buffer)

    def forward(self, x):
        return x


class Zero(Skipped):
    def forward(self, x):
        wide = self.weight.shape[0]
        return x.new_zeros((*x.shape[:-1], wide) if x.dim() == 3 else (x.shape[0], wide, *x.shape[2:]))


class Unscaled(Skipped):
    def forward(self, x):
        return nn.functional.layer_norm(x, x.shape[-1:])


class ModelNew(Reference):
    def __init__(self, *args):
        super().__init__(*args)
'''
BODIES = {
    "right": "        pass\n",
    "constant": """        for number, tensor in enumerate(get_inputs()):
            self.register_buffer(f"own{number}", tensor, persistent=False)

    def forward(self, *inputs):
        return super().forward(*(getattr(self, f"own{number}") for number in range(len(inputs))))
""",
    "mean": """        pass

    def forward(self, *inputs):
        result = super().forward(*inputs)
        mean = result.mean(0, keepdim=True) if result.dim() > 1 else result.mean()
        return mean.expand_as(result).contiguous()
""",
    "stale": """        self.kept = None

    def forward(self, *inputs):
        now = {name: tensor.clone() for name, tensor in self.state_dict().items()}
        self.kept = self.kept or now
        self.load_state_dict(self.kept)
        result = super().forward(*inputs)
        self.load_state_dict(now)
        return result
""",
}


def candidate(name, kind):
    with open(os.path.join(HERE, name + ".py")) as file:
        text = file.read().replace("class Model(nn.Module)", "class Reference(nn.Module)")
    body = f"        {LEFT_OUT[name]}\n" if kind == "layer" else BODIES[kind]
    return "import cuda_extension\n" + text.rstrip() + "\n" + HEAD + body


def main():
    folder = sys.argv[1]
    for shared in ("shared", "native"):
        shutil.copytree(os.path.join(CHEATS, shared), os.path.join(folder, shared))
    rows = []
    for name in (*LEFT_OUT, *DEGENERATE):
        task = os.path.join(folder, "tasks", name)
        os.makedirs(task)
        shutil.copy(os.path.join(HERE, name + ".py"), os.path.join(task, "model.py"))
        with open(os.path.join(task, "model_new.py"), "w") as file:
            file.write(candidate(name, "right"))
        # An attack on a task that nobody has looked at comes first.
        for kind in ("right",) if name in DEGENERATE else ("constant", "mean", "right", "layer", "stale"):
            row = f"{name}-{kind}"
            os.makedirs(os.path.join(folder, "rows", row))
            with open(os.path.join(folder, "rows", row, "model_new.py"), "w") as file:
                file.write(candidate(name, kind))
            rows.append({"name": row, "kind": "attack", "task": name, "does": f"{name}: {kind}.", "tier": "verify",
                         "expected": "rejected:torch-operators" if kind == "right" else "wrong",
                         "devices": ["cpu", "cuda"], "refs": ""})
    with open(os.path.join(folder, "table.json"), "w") as file:
        json.dump({"schema": "warpwright.suite/1", "rows": rows}, file, indent=1)


main()
