// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A file with a reference, in a folder of many.
struct KernelBenchProblem {
    int level = 0;  ///< of a folder `level1`; 0: in none
    int number = 0; ///< of a file `07_Name.py`; 0: without one
    QString title;  ///< "Matmul with small K dimension"
    QString path;   ///< absolute

    bool operator==(const KernelBenchProblem &) const = default;
};

struct KernelBenchFolder {
    QString folder;                           ///< absolute
    std::vector<KernelBenchProblem> problems; ///< by level, number, title
    QStringList skipped;                      ///< Python files that are no task

    bool operator==(const KernelBenchFolder &) const = default;
};

/// The problems of a folder in KernelBench's layout (`levelN/NN_Name.py`, also below `KernelBench/`, also one
/// such level alone), or of any folder of Python files with Model, get_inputs and get_init_inputs. Reads the
/// texts, runs none of them. An error says why there is none.
[[nodiscard]] Result<KernelBenchFolder> listKernelBench(const QString &folder);

} // namespace warpwright
