// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/timeline/timeline.h"

#include <QStringList>

namespace warpwright {

/// Which kernels a call launches: a text may hold many instances of a template and launch one.
struct LaunchedNames {
    QStringList names;  ///< short, each once, the one that ran longest first; empty: not known
    bool isAll = false; ///< a whole call was looked at: what is not named here is not launched

    [[nodiscard]] bool hasNot(const QString &name) const {
        return isAll && !names.isEmpty() && !names.contains(name);
    }
    /// Its place among those that were launched; behind all of them where it is none.
    [[nodiscard]] qsizetype rankOf(const QString &name) const {
        const qsizetype at = names.indexOf(name);
        return at < 0 ? names.size() : at;
    }
};

/// By what the hardware counted, by what was traced, or by what torch's profiler saw in the check.
[[nodiscard]] LaunchedNames launchedNames(const Counters &counters, const QString &arm);
[[nodiscard]] LaunchedNames launchedNames(const Timeline &timeline, const QString &arm);
[[nodiscard]] LaunchedNames launchedNames(const Evaluation &evaluation);

} // namespace warpwright
