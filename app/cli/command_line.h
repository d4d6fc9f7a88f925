// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents_line.h"
#include "app/cli/bench_tasks_line.h"
#include "app/cli/compare_line.h"
#include "app/cli/counters_line.h"
#include "app/cli/heat_words.h"
#include "app/cli/mcp_line.h"
#include "app/cli/models_line.h"
#include "app/cli/show_line.h"
#include "app/cli/tune_line.h"
#include "toolchain/base/stages.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace warpwright {

/// What the person typed, understood.
struct CommandLine {
    enum class Command {
        Check,
        Inspect,
        Counters,
        Timeline,
        Findings,
        Heat,
        Report,
        New,
        Prepare,
        Doctor,
        Bench,
        Clock,
        Loop,
        Tasks,
        Tune,
        Agents,
        Mcp,
        Models,
        Selftest,
        Reproduce,
        Log,
        Show,
        Compare,
        Replay,
        Version,
        Help,
        Error
    };

    Command command = Command::Help;
    QString text;                ///< of Help and Error: what to print
    bool isErrorOfCheck = false; ///< whose document says so in its own way
    bool asksJson = false;

    QString
        path; ///< check: DIR or FILE; inspect, new, log, show, bench clock: DIR; reproduce: FILE; replay: RUN
    QString device; ///< empty: not said
    QString python;
    std::optional<Tier> tier; ///< empty: not said
    LastStage lastStage = LastStage::Profile;
    bool sweepsConfigs = false; ///< check
    QString modelFile;          ///< new: --from
    QString lesson;             ///< new: --lesson
    QString request;            ///< prepare: --request
    bool isJudgeOnly = false;   ///< prepare: --judge
    int shard = 1;              ///< selftest: --shard 2/3
    int shards = 1;
    QString suite;    ///< selftest: another suite than ours, a folder
    QStringList rows; ///< selftest: names of rows; empty: all
    QString arm;      ///< bench clock: eager or compile
    int quickRuns = 0;
    int certifyRuns = 0;
    int warmTurns = 0;
    int peerTurns = 0;
    bool wantsSass = false; ///< inspect, heat
    bool wantsPtx = false;
    bool wantsResources = false; ///< also when neither of the others was said
    QString html;                ///< report: the file to write; empty: not said
    QString run;                 ///< report: the page is of this run; empty: of a text
    QString kernel;
    QString architecture; ///< empty: not said
    int threads = 0;      ///< of a block; 0: the usual sizes
    int iteration = 0;    ///< inspect, counters, findings, heat: 0: the text on disk; show
    int against = 0;      ///< inspect, counters: an iteration to compare with; 0: none
    double speed = 0;     ///< replay: 0: as fast as it can be printed; 1: as it happened
    bool isStepped = false;
    int untilEvent = 0;      ///< replay: 0: to the end
    bool wantsDiffs = false; ///< replay: the proposals, and not the story
    TuneLine tune;
    AgentsLine agents;     ///< agents
    McpLine mcp;           ///< mcp
    BenchTasksLine tasks;  ///< bench tasks
    ModelsLine models;     ///< models
    CountersLine counters; ///< counters
    CompareLine compare;   ///< compare
    ShowLine show;         ///< show
    HeatAsked heat;        ///< heat

    bool operator==(const CommandLine &) const = default;
};

/// Never fails: what cannot be understood is an Error with its sentence. `arguments` begin with the program's
/// name.
[[nodiscard]] CommandLine parseCommandLine(const QStringList &arguments);

} // namespace warpwright
