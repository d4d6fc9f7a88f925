// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/base/verdict.h"

#include <QString>

#include <vector>

namespace warpwright {

/// A workspace to begin with, as a list shows it.
struct Sample {
    QString name;   ///< of its folder: "softmax-rows"
    QString folder; ///< absolute; read-only in an installed package
    int order = 0;
    QString title;                   ///< "Softmax of rows"
    QString description;             ///< one sentence
    QString shapes;                  ///< "scores [2560, 4096]"
    QString bound;                   ///< "memory", "compute"; empty: not said
    Verdict verdict = Verdict::Pass; ///< what a check of it is to say
    bool hasCuda = false;
    bool hasTwin = false; ///< runs without a GPU, too

    [[nodiscard]] bool isBroken() const { return verdict != Verdict::Pass; } ///< on purpose
    bool operator==(const Sample &) const = default;
};

/// Those of `resources`/samples, in their order. One whose sample.json cannot be read is listed by its name.
[[nodiscard]] Result<std::vector<Sample>> listSamples(const QString &resources);

/// A copy that the person may write into, <data>/samples/<name>, made on first use: later ones open what was
/// made of it. Gives its path.
[[nodiscard]] Result<QString> openSampleCopy(const Sample &sample, const QString &data);

} // namespace warpwright
