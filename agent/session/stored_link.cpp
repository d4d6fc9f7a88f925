// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/stored_link.h"

#include "toolchain/evaluation/evaluation_store.h"

#include <QFileInfo>

namespace warpwright {

Result<void> linkStored(const IterationStore &iterations, const QString &state, int iteration,
                        const QString &evaluation) {
    return QFileInfo::exists(EvaluationStore(state).pathOf(evaluation))
               ? iterations.link(iteration, evaluation)
               : Result<void>::ok();
}

} // namespace warpwright
