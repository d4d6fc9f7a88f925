// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/bench_tasks_options.h"

#include "app/cli/command.h"
#include "app/cli/options/leave_words.h"
#include "app/cli/options/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {

void BenchTasksOptions::addTo(CLI::App &app) {
    addTexts(app, "TASK", selection.names, "Names of tasks, in the order in which they run (default: all)")
        ->type_name("");
    addText(app, "--agent", agentWords, "playbook, model:NAME, or acp:NAME (default: playbook)")
        ->type_name("NAME");
    addLeave(app, leave);
    addTasks(app);
    addRun(app);
    app.footer(
        "A row is written as soon as its task has ended, to FOLDER/results.jsonl. Only «pass» counts as "
        "passed; a rate is of all tasks asked for.\n"
        "Exit code 0: every task has its row; 130: stopped, --resume goes on; 2: it could not run.");
}

void BenchTasksOptions::addTasks(CLI::App &app) {
    addText(app, "--split", selection.split, "train or held-out (default: both)")
        ->check(CLI::IsMember({"train", "held-out"}))
        ->type_name("NAME");
    app.add_option("--limit", selection.limit, "Only the first so many")
        ->check(wholeFrom(1))
        ->type_name("COUNT");
    addText(app, "--shard", shardWords, "I/N: the I-th of N parts, from 1; its rows get a file of their own")
        ->type_name("I/N");
    app.add_flag("--small", isSmall,
                 "At the small size that each task names, which a CPU runs in milliseconds");
}

void BenchTasksOptions::addRun(CLI::App &app) {
    app.add_option("--minutes-per-task", minutesPerTask,
                   "A task's search ends after so many minutes, and after its first text (default: 3)")
        ->check(between(0.1, 600))
        ->type_name("NUMBER");
    app.add_option(
           "--minutes-for-first", minutesForFirst,
           "So many more minutes for its first text, which is checked with the baselines (default: 4)")
        ->check(between(0.1, 600))
        ->type_name("NUMBER");
    addText(app, "--out", out, "Where rows and workspaces go (default: bench-tasks)")->type_name("FOLDER");
    app.add_flag("--resume", resumes, "Go on: tasks that have a row there are passed over");
    addTexts(app, "--join", joined, "Run nothing: one table of the rows in these files")
        ->type_name("FILE...");
    addDevice(app, machine.device);
    app.add_option_function<std::string>(
           "--tier", [this](const std::string &words) { tier = tierFromName(QString::fromStdString(words)); },
           "quick or certify (default: the settings', else quick)")
        ->check(CLI::IsMember({"quick", "certify"}))
        ->type_name("NAME");
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print rows and summary as JSON (warpwright.tasks/1)");
}

QString BenchTasksOptions::understand() {
    agent = AgentName::fromText(agentWords);
    QString why;
    if (!agent.isAgent() || agent.kind == AuthorKind::Script)
        why = QStringLiteral("--agent \"%1\" is no agent that can tune a task by itself").arg(agent.text());
    if (const QString noShard = takeShard(shardWords, selection.shard, selection.shards); !noShard.isEmpty())
        why = noShard;
    if (!joined.isEmpty() && (resumes || !shardWords.isEmpty() || selection.limit > 0))
        why = QStringLiteral("--join runs nothing, so it takes no --resume, --shard and --limit");
    if (why.isEmpty())
        why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright bench tasks --help"));
}

} // namespace warpwright
