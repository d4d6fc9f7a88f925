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

std::optional<ResumePoint> resumePoint(const ResumeQuery &question, const FirstMoves &first) {
    if (question.titles.isEmpty())
        return std::nullopt;
    const auto registry = readTextFile(question.workspace + QStringLiteral("/binding_registry.h"));
    const auto kind = registryKindOf(registry.hasValue() ? registry.value() : QByteArray());
    for (const PlaybookMove &start : first.texts) {
        if (start.title != question.titles.front())
            continue;
        ResumePoint at{question.program, {}};
        take(at, start);
        bool fits = true;
        for (qsizetype i = 1; fits && i < question.titles.size(); ++i) {
            std::vector<PlaybookMove> tries =
                allMovesFrom(question.graph, at.program, at.knobSets, question.device);
            const std::vector<PlaybookMove> variants = variantsFrom(at.program, at.knobSets, question.device);
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
            withCandidate(question.texts, candidateFiles(at.program, at.knobSets, kind)) == question.texts)
            return at;
    }
    return std::nullopt;
}

} // namespace

FoundResumePoint findResumePoint(const ResumeQuery &question) {
    const PromisingMoves promising = [&question](const Program &program, const std::vector<Knobs> &knobSets,
                                                 bool toOtherPlans) {
        return calibratedMoves(question.measurements, question.deviceName, program, knobSets,
                               toOtherPlans
                                   ? programMovesFrom(question.graph, program, knobSets, question.device)
                                   : movesFrom(program, knobSets, question.device));
    };
    FoundResumePoint found;
    found.atOnce = firstMovesFrom(question.program, question.plain, promising);
    found.own = resumePoint(question, found.atOnce);
    return found;
}

} // namespace warpwright
