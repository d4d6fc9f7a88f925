// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/swept_move.h"

#include "agent/playbook/codegen/torch/candidate_text.h"

namespace warpwright {

std::optional<PlaybookMove> sweptMove(const SweepFigures &sweep, const KernelPlan &plan,
                                      const std::vector<KernelTuning> &tunings) {
    PlaybookMove move{
        QStringLiteral("config"),
        {},
        QStringLiteral("All variants are in one build. The check of this text tried each in a few "
                       "short batches; these were quicker than the ones it states:"),
        tunings,
        {},
        true};
    QStringList kernels;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const auto best = sweep.best.find(configAttribute(plan, i));
        if (best == sweep.best.end() || best->second == tunings[i].config)
            continue;
        move.tunings[i].config = best->second;
        kernels << QStringLiteral("kernel %1 with config %2").arg(i + 1).arg(best->second);
    }
    if (kernels.isEmpty())
        return std::nullopt;
    move.title = kernels.size() == 1 ? kernels[0]
                                     : QStringLiteral("quicker variants of %1 kernels").arg(kernels.size());
    move.title[0] = move.title[0].toUpper();
    move.reason += QStringLiteral("\n- ") + kernels.join(QStringLiteral("\n- "));
    move.prediction.timeRatio = sweep.ratio;
    move.prediction.words = QStringLiteral("as in that sweep");
    return move;
}

} // namespace warpwright
