// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/resume_point.h"

#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/tuning/calibrated_moves.h"
#include "toolchain/base/text_file.h"

#include <algorithm>

namespace warpwright {
namespace {

void take(ResumePoint &at, const PlaybookMove &move) {
    at.knobSets = move.knobSets;
    if (move.program)
        at.program = *move.program;
}

std::optional<ResumePoint> resumePoint(const ResumeQuery &query, const FirstMoves &first) {
    if (query.titles.isEmpty())
        return std::nullopt;
    const auto registry = readTextFile(query.workspace + QStringLiteral("/binding_registry.h"));
    const auto kind = registryKindOf(registry.hasValue() ? registry.value() : QByteArray());
    for (const PlaybookMove &start : first.texts) {
        if (start.title != query.titles.front())
            continue;
        ResumePoint at{query.program, {}};
        take(at, start);
        bool fits = true;
        for (qsizetype i = 1; fits && i < query.titles.size(); ++i) {
            std::vector<PlaybookMove> tries =
                allMovesFrom(query.graph, at.program, at.knobSets, query.target);
            const std::vector<PlaybookMove> variants = variantsFrom(at.program, at.knobSets, query.target);
            tries.insert(tries.end(), variants.begin(), variants.end());
            const auto next = std::find_if(tries.begin(), tries.end(), [&query, i](const PlaybookMove &move) {
                return move.title == query.titles.at(i);
            });
            fits = next != tries.end();
            if (fits)
                take(at, *next);
        }
        if (fits && withCandidate(query.texts, candidateFiles(at.program, at.knobSets, kind)) == query.texts)
            return at;
    }
    return std::nullopt;
}

} // namespace

FoundResumePoint findResumePoint(const ResumeQuery &query) {
    const PromisingMoves promising = [&query](const Program &program, const std::vector<Knobs> &knobSets,
                                              bool toOtherPlans) {
        return calibratedMoves(query.measurements, query.deviceName, program, knobSets,
                               toOtherPlans ? programMovesFrom(query.graph, program, knobSets, query.target)
                                            : movesFrom(program, knobSets, query.target));
    };
    FoundResumePoint found;
    found.atOnce = firstMovesFrom(query.program, query.plain, promising);
    found.own = resumePoint(query, found.atOnce);
    return found;
}

} // namespace warpwright
