// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_line.h"

#include "app/cli/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *TuneWords::addTo(CLI::App &app, std::string &path, std::string &device, std::string &python,
                           bool &asksJson) {
    CLI::App *tune = app.add_subcommand(
        "tune", "Let an agent propose changes; review them by hunk, step through them, or let them run");
    tune->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    tune->add_option(
            "--agent", agent,
            "playbook: the built-in expert, which reads the reference and writes kernels; model:NAME: a "
            "language model that is set up (wright models); acp:NAME: an agent of another program (wright "
            "agents); script: a folder of patches, one by one "
            "(default: playbook, with --script: script). With --continue: another model or program that "
            "goes on in the place of the run's own")
        ->type_name("NAME");
    tune->add_option("--script", script, "The folder of the script agent: 01-name.patch or 01-name/ ...")
        ->type_name("FOLDER");
    tune->add_flag("--expert-first", isExpertFirst,
                   "With model:NAME and acp:NAME: the playbook proposes first, as long as it has something, "
                   "and the other goes on from its text");
    goesOn =
        tune->add_option("--continue", run,
                         "Go on with a run that was stopped or whose program died, of any agent: the newest, "
                         "or that of this id (wright log)")
            ->expected(0, 1)
            ->type_name("[RUN]");
    saidMode = tune->add_option(
                       "--mode", mode,
                       "review: each hunk is asked about; step: each proposal is applied and measured, then "
                       "asked about; auto: kept where it is verified and faster (default: review)")
                   ->check(CLI::IsMember({"review", "step", "auto"}))
                   ->type_name("NAME");
    tune->add_option("--iterations", iterations, "End after so many proposals")
        ->check(aboveZero())
        ->type_name("COUNT");
    tune->add_option("--minutes", minutes, "End after so many minutes of work")
        ->check(aboveZero())
        ->type_name("NUMBER");
    tune->add_option("--tokens", tokens, "End after so many tokens of a model, in and out")
        ->check(aboveZero())
        ->type_name("COUNT");
    tune->add_option("--cost", cost, "End after so much money, by the prices of the model's profile")
        ->check(aboveZero())
        ->type_name("AMOUNT");
    leave.addTo(*tune);
    tune->add_option("--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("NAME");
    tune->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    tune->add_flag(
        "--json", asksJson,
        "Print each event as a line of JSON (warpwright.trajectory/1); questions go to standard error");
    tune->footer(
        "Ctrl-C pauses the run, a second one stops it: the text that was kept last lies on the disk, and "
        "what\n"
        "was pending stays in the history, marked (wright log).\n"
        "Exit code 0: the agent has nothing more, or a budget is used up; 130: stopped; 2: it could not "
        "run or go on.");
    return tune;
}

TuneLine TuneWords::line(QString &why) const {
    TuneLine line;
    line.script = QString::fromStdString(script);
    line.continuesRun = goesOn->count() > 0;
    if (!agent.empty())
        line.agent = AgentName::fromText(QString::fromStdString(agent));
    else if (line.continuesRun)
        line.agent = {};
    else if (!line.script.isEmpty())
        line.agent = {AuthorKind::Script, {}};
    line.mode = sessionModeFromName(QString::fromStdString(mode)).value_or(SessionMode::Review);
    if (iterations > 0)
        line.budgets.iterations = iterations;
    if (minutes > 0)
        line.budgets.minutes = minutes;
    if (tokens > 0)
        line.budgets.tokens = tokens;
    if (cost > 0)
        line.budgets.cost = cost;
    line.leave = leave.leave();
    line.run = QString::fromStdString(run);
    line.hasSaidMode = saidMode->count() > 0;
    line.isExpertFirst = isExpertFirst;
    const bool isScript = line.agent.kind == AuthorKind::Script;
    const bool isSaid = !agent.empty();
    if (isExpertFirst && line.continuesRun)
        why = QStringLiteral("--continue goes on with what the run began with: leave --expert-first out");
    else if (!line.agent.isAgent() && (isSaid || !line.continuesRun))
        why = QStringLiteral("--agent \"%1\" is none of %2")
                  .arg(line.agent.text(), agentForms().join(QStringLiteral(", ")));
    else if (isSaid && line.continuesRun && !line.agent.isNamed())
        why = QStringLiteral("--continue goes on with the agent that the run has; in its place another "
                             "model:NAME or acp:NAME can be named, and \"%1\" is none: leave --agent out")
                  .arg(line.agent.text());
    else if (line.isExpertFirst && !line.agent.isNamed())
        why =
            QStringLiteral("--expert-first is for --agent model:NAME and --agent acp:NAME, which go on from "
                           "the expert's text; --agent %1 does not")
                .arg(line.agent.text());
    else if (!isScript && !line.script.isEmpty() && line.agent.isAgent())
        why = QStringLiteral("--agent %1 takes no --script").arg(line.agent.text());
    else if (line.script.isEmpty() && !line.continuesRun && isScript)
        why = QStringLiteral("--agent script needs --script FOLDER");
    return line;
}

} // namespace warpwright
