// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest texts of a task, for tests of what is said of files.
#pragma once

#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/workspace.h"

inline const QByteArray reference = "import torch\n"
                                    "class Model(torch.nn.Module):\n    pass\n"
                                    "def get_inputs():\n    return []\n";
inline const QByteArray candidate =
    "import torch\nimport cuda_extension\nclass ModelNew(torch.nn.Module):\n    pass\n";

inline warpwright::Workspace opened(const Scratch &scratch, const QString &name = {}) {
    const auto workspace = warpwright::Workspace::open(scratch.path(name), scratch.folders());
    return workspace.hasValue() ? workspace.value() : warpwright::Workspace{};
}
