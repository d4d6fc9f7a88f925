// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_tasks_line.h"

#include "app/cli/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {
namespace {

QStringList stringsOf(const std::vector<std::string> &words) {
    QStringList strings;
    for (const std::string &word : words)
        strings << QString::fromStdString(word);
    return strings;
}

} // namespace

CLI::App *BenchTasksWords::addTo(CLI::App &bench, std::string &device, std::string &tier, std::string &python,
                                 bool &asksJson) {
    CLI::App *tasks = bench.add_subcommand(
        "tasks", "Let an agent tune the references of resources/tasks, and say what came of each and of all");
    tasks->add_option("TASK", names, "Names of tasks, in the order in which they run (default: all)")
        ->type_name("");
    tasks->add_option("--agent", agent, "playbook, model:NAME, or acp:NAME (default: playbook)")
        ->type_name("NAME");
    leave.addTo(*tasks);
    tasks->add_option("--split", split, "train or held-out (default: both)")
        ->check(CLI::IsMember({"train", "held-out"}))
        ->type_name("NAME");
    tasks->add_option("--limit", limit, "Only the first so many")->check(aboveZero())->type_name("COUNT");
    tasks->add_option("--shard", shard, "I/N: the I-th of N parts, from 1; its rows get a file of their own")
        ->type_name("I/N");
    tasks->add_flag("--small", isSmall,
                    "At the small size that each task names, which a CPU runs in milliseconds");
    tasks
        ->add_option("--minutes-per-task", minutes,
                     "A task's search ends after so many minutes, and after its first text (default: 3)")
        ->check(between(0.1, 600))
        ->type_name("NUMBER");
    tasks
        ->add_option("--minutes-for-first", firstMinutes,
                     "So many more are there for its first text, with the baselines beside it (default: 4)")
        ->check(between(0.1, 600))
        ->type_name("NUMBER");
    tasks->add_option("--out", out, "Where rows and workspaces go (default: bench-tasks)")
        ->type_name("FOLDER");
    tasks->add_flag("--resume", resumes, "Go on: tasks that have a row there are passed over");
    tasks->add_option("--join", joined, "Run nothing: one table of the rows in these files")
        ->type_name("FILE...");
    tasks->add_option("--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("NAME");
    tasks->add_option("--tier", tier, "quick or certify (default: the settings', else quick)")
        ->check(CLI::IsMember({"quick", "certify"}))
        ->type_name("NAME");
    tasks->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    tasks->add_flag("--json", asksJson, "Print rows and summary as JSON (warpwright.tasks/1)");
    tasks->footer(
        "A row is written as soon as its task has ended, to FOLDER/results.jsonl. Only «pass» counts as "
        "passed; a rate is of all tasks asked for.\n"
        "Exit code 0: every task has its row; 130: stopped, --resume goes on; 2: it could not run.");
    return tasks;
}

BenchTasksLine BenchTasksWords::line(QString &why) const {
    BenchTasksLine line;
    line.agent = AgentName::fromText(QString::fromStdString(agent));
    line.leave = leave.leave();
    line.selection.split = QString::fromStdString(split);
    line.selection.names = stringsOf(names);
    line.selection.limit = limit;
    line.minutesPerTask = minutes;
    line.minutesForFirst = firstMinutes;
    line.out = QString::fromStdString(out);
    line.resumes = resumes;
    line.isSmall = isSmall;
    line.joined = stringsOf(joined);
    if (!line.agent.isAgent() || line.agent.kind == AuthorKind::Script)
        why = QStringLiteral("--agent \"%1\" is none that can tune a task by itself").arg(line.agent.text());
    const QStringList parts = QString::fromStdString(shard).split(QLatin1Char('/'));
    if (!shard.empty()) {
        line.selection.shard = parts.value(0).toInt();
        line.selection.shards = parts.value(1).toInt();
    }
    if (parts.size() > 2 || line.selection.shards < 1 || line.selection.shards > 64 ||
        line.selection.shard < 1 || line.selection.shard > line.selection.shards)
        why = QStringLiteral("--shard \"%1\" is not I/N with 1 <= I <= N <= 64")
                  .arg(QString::fromStdString(shard));
    if (!joined.empty() && (resumes || !shard.empty() || limit > 0))
        why = QStringLiteral("--join runs nothing, so it takes no --resume, --shard and --limit");
    return line;
}

} // namespace warpwright
