// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/own_start.h"

#include "agent/playbook/codegen/torch/candidate_text.h"
#include "agent/playbook/tuning/foreseen_moves.h"
#include "toolchain/base/text_file.h"

#include <algorithm>

namespace warpwright {
namespace {

void take(OwnStart &at, const PlaybookMove &move) {
    at.tunings = move.tunings;
    if (move.plan)
        at.plan = *move.plan;
}

std::optional<OwnStart> ownStart(const OwnStartQuestion &question, const FirstMoves &first) {
    if (question.titles.isEmpty())
        return std::nullopt;
    const auto registry = readTextFile(question.workspace + QStringLiteral("/binding_registry.h"));
    const auto kind = registryKindOf(registry.hasValue() ? registry.value() : QByteArray());
    for (const PlaybookMove &start : first.texts) {
        if (start.title != question.titles.front())
            continue;
        OwnStart at{question.plan, {}};
        take(at, start);
        bool fits = true;
        for (qsizetype i = 1; fits && i < question.titles.size(); ++i) {
            std::vector<PlaybookMove> tries =
                allMovesFrom(question.graph, at.plan, at.tunings, question.device);
            const std::vector<PlaybookMove> variants = variantsFrom(at.plan, at.tunings, question.device);
            tries.insert(tries.end(), variants.begin(), variants.end());
            const auto next =
                std::find_if(tries.begin(), tries.end(), [&question, i](const PlaybookMove &move) {
                    return move.title == question.titles.at(i);
                });
            fits = next != tries.end();
            if (fits)
                take(at, *next);
        }
        if (fits &&
            withCandidate(question.texts, candidateFiles(at.plan, at.tunings, kind)) == question.texts)
            return at;
    }
    return std::nullopt;
}

} // namespace

FoundStart findStart(const OwnStartQuestion &question) {
    const PromisingMoves promising =
        [&question](const KernelPlan &plan, const std::vector<KernelTuning> &tunings, bool toOtherPlans) {
            return foreseenMoves(question.measurements, question.deviceName, plan, tunings,
                                 toOtherPlans ? planMovesFrom(question.graph, plan, tunings, question.device)
                                              : movesFrom(plan, tunings, question.device));
        };
    FoundStart found;
    found.atOnce = firstMovesFrom(question.plan, question.plain, promising);
    found.own = ownStart(question, found.atOnce);
    return found;
}

} // namespace warpwright
