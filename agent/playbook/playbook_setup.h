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
    OneIdea,   ///< plain kernels, then one move after the other: who watches sees what each does
    AllAtOnce, ///< every move that promises something: who waits has it sooner, and sees less
};

/// What the playbook works with on this machine.
struct PlaybookSetup {
    QString interpreter;        ///< Python with torch
    QString resources;          ///< DataFolders::resources
    bool hasCudaDevice = false; ///< what "auto" means before a check has said which device it took
    bool hasClusters = false;   ///< all its CUDA devices have: from compute capability 9.0 on
    PlaybookPace pace = PlaybookPace::OneIdea;
    QString measurementsFile = {}; ///< what moves did is added to it; empty: it is not kept
    MeasurementTable measurements = {};
    bool hasWarpGroups = false; ///< all its CUDA devices are of compute capability 9.0
    bool asksPerson = false;    ///< somebody is there who can be asked whether a slower first text is wanted
    bool beatsTemplate =
        false; ///< nobody wrote the text that stands: a first text is tried whatever it promises
    QString dataFolder = {};             ///< DataFolders::data; empty: no counters of a text are looked for
    std::vector<Device> deviceRows = {}; ///< of chips that were measured
    std::optional<DeviceFacts> deviceFacts = {}; ///< of the CUDA device that the request names, or the first

    bool operator==(const PlaybookSetup &) const = default;
};

/// The same interpreter that a check with this request takes, and the pace of the mode: what runs alone has
/// nobody who follows it idea by idea. Asks the driver for devices: for the pool. An error where no
/// interpreter is found.
[[nodiscard]] Result<PlaybookSetup> playbookSetup(const EvaluationRequest &request, SessionMode mode);

} // namespace warpwright
