// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/swept_move.h"

#include "agent/playbook/codegen/torch/candidate_files.h"

namespace warpwright {

std::optional<PlaybookMove> sweptMove(const SweepFigures &sweep, const Program &program,
                                      const std::vector<Knobs> &knobSets) {
    PlaybookMove move{
        QStringLiteral("config"),
        {},
        QStringLiteral("All variants are in one build. The check of this text tried each in a few "
                       "short batches; these were quicker than the ones it states:"),
        knobSets,
        {},
        true};
    QStringList kernels;
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const auto best = sweep.best.find(configAttribute(program, i));
        if (best == sweep.best.end() || best->second == knobSets[i].config)
            continue;
        move.knobSets[i].config = best->second;
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
