// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/calibrated_moves.h"

#include "agent/playbook/tuning/program_moves.h"

#include "toolchain/base/figures.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

// A move that lost so much so often on kernels like these is left out.
constexpr double lostRatio = 1.01;
constexpr int timesToBelieve = 2;

} // namespace

std::vector<PlaybookMove> calibratedMoves(const MeasurementTable &measured, const QString &device,
                                          const Program &program, const std::vector<Knobs> &knobSets,
                                          std::vector<PlaybookMove> moves) {
    std::vector<PlaybookMove> promising;
    for (PlaybookMove &move : moves) {
        const auto known = measured.of(device, kernelClassOf(program, knobSets, move), move.remembered());
        const bool hasLost = known && known->ratio > lostRatio;
        if (hasLost && known->count >= timesToBelieve)
            continue;
        if (known && !hasLost) { // one loss is not enough to rule it out
            move.prediction.timeRatio = known->ratio;
            move.prediction.words =
                QStringLiteral("as %1 before on kernels like these; %2")
                    .arg(countText(known->count, QStringLiteral("time")), move.prediction.words);
        }
        promising.push_back(std::move(move));
    }
    std::stable_sort(promising.begin(), promising.end(), [](const PlaybookMove &a, const PlaybookMove &b) {
        return a.prediction.timeRatio < b.prediction.timeRatio;
    });
    return promising;
}

} // namespace warpwright
