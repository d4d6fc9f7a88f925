// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/target/known_devices.h"
#include "agent/playbook/tuning/measurement_table.h"
#include "agent/session/session_words.h"
#include "toolchain/base/result.h"
#include "toolchain/check/evaluation_run.h"

namespace warpwright {

/// How many ideas the first text holds.
enum class PlaybookPace {
    OneIdea,   ///< plain kernels, then one move after the other: a person sees what each does
    AllAtOnce, ///< all moves with an expected gain: faster results, less to see
};

/// The playbook's interpreter, device and measurements on this machine.
struct PlaybookSetup {
    QString interpreter;        ///< Python with torch
    QString resources;          ///< DataFolders::resources
    bool hasCudaDevice = false; ///< the meaning of "auto" before a check has reported its device
    std::vector<SharedDevice> deviceRows = {}; ///< of measured chips; at least one
    PlaybookPace pace = PlaybookPace::OneIdea;
    QString measurementsFile = {}; ///< measurements of moves are appended to it; empty: not kept
    MeasurementTable measurements = {};
    bool asksPerson = false; ///< a person can be asked whether a slower first text is wanted
    bool beatsTemplate =
        false; ///< the current text is a template: a first text is proposed whatever its prediction
    QString dataFolder = {}; ///< DataFolders::data; empty: no counters are loaded
    std::optional<DetectedDevice> deviceFacts =
        {}; ///< of the CUDA device that the request names, or the first

    bool operator==(const PlaybookSetup &) const = default;
};

/// The interpreter that a check of this request takes, and the pace of the mode: in auto mode nobody follows
/// each move. Queries the driver for devices: for the pool. An error where no interpreter is found.
[[nodiscard]] Result<PlaybookSetup> playbookSetup(const EvaluationRequest &request, SessionMode mode);

} // namespace warpwright
