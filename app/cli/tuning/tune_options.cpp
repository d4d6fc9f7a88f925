// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/tune_options.h"

#include "app/cli/command.h"
#include "app/cli/options/leave_words.h"
#include "app/cli/options/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {

void TuneOptions::addTo(CLI::App &app) {
    addWorkspace(app, path);
    addAgents(app);
    addMode(app);
    addBudgets(app);
    addLeave(app, leave);
    addDevice(app, machine.device);
    addPython(app, machine.python);
    app.add_flag(
        "--json", asksJson,
        "Print each event as a line of JSON (warpwright.trajectory/1); questions go to standard error");
    app.footer(
        "Ctrl-C pauses the run, a second one stops it: the text that was kept last lies on the disk, and "
        "what\n"
        "was pending stays in the history, marked (wright log).\n"
        "Exit code 0: the agent has nothing more, or a budget is used up; 130: stopped; 2: it could not "
        "run or go on.");
}

void TuneOptions::addAgents(CLI::App &app) {
    addText(app, "--agent", agentWords,
            "playbook: the built-in expert, which reads the reference and writes kernels; model:NAME: a "
            "language model that is set up (wright models); acp:NAME: an agent of another program (wright "
            "agents); script: a folder of patches, one by one "
            "(default: playbook, with --script: script). With --continue: another model or program that "
            "goes on in the place of the run's own")
        ->type_name("NAME");
    addText(app, "--script", script, "The folder of the script agent: 01-name.patch or 01-name/ ...")
        ->type_name("FOLDER");
    app.add_flag("--expert-first", isExpertFirst,
                 "With model:NAME and acp:NAME: the playbook proposes first, as long as it has something, "
                 "and the other goes on from its text");
    app.add_option_function<std::string>(
           "--continue",
           [this](const std::string &words) {
               continuesRun = true;
               run = QString::fromStdString(words);
           },
           "Go on with a run that was stopped or whose program died, of any agent: the newest, "
           "or that of this id (wright log)")
        ->expected(0, 1)
        ->type_name("[RUN]");
}

void TuneOptions::addMode(CLI::App &app) {
    app.add_option_function<std::string>(
           "--mode",
           [this](const std::string &words) {
               hasSaidMode = true;
               mode = sessionModeFromName(QString::fromStdString(words)).value_or(SessionMode::Review);
           },
           "review: each hunk is asked about; step: each proposal is applied and measured, then "
           "asked about; auto: kept where it is verified and faster (default: review)")
        ->check(CLI::IsMember({"review", "step", "auto"}))
        ->type_name("NAME");
}

void TuneOptions::addBudgets(CLI::App &app) {
    app.add_option("--iterations", budgets.iterations, "End after so many proposals")
        ->check(wholeFrom(1))
        ->type_name("COUNT");
    app.add_option("--minutes", budgets.minutes, "End after so many minutes of work")
        ->check(aboveZero())
        ->type_name("NUMBER");
    app.add_option("--tokens", budgets.tokens, "End after so many tokens of a model, in and out")
        ->check(wholeFrom(1, std::numeric_limits<qint64>::max()))
        ->type_name("COUNT");
    app.add_option("--cost", budgets.cost, "End after so much money, by the prices of the model's profile")
        ->check(aboveZero())
        ->type_name("AMOUNT");
}

QString TuneOptions::understand() {
    if (!agentWords.isEmpty())
        agent = AgentName::fromText(agentWords);
    else if (continuesRun)
        agent = {};
    else if (!script.isEmpty())
        agent = {AuthorKind::Script, {}};
    QString why = whyNotThisAgent();
    if (why.isEmpty())
        why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright tune --help"));
}

QString TuneOptions::whyNotThisAgent() const {
    const bool isScript = agent.kind == AuthorKind::Script;
    const bool isSaid = !agentWords.isEmpty();
    if (isExpertFirst && continuesRun)
        return QStringLiteral("--continue goes on with what the run began with: leave --expert-first out");
    if (!agent.isAgent() && (isSaid || !continuesRun))
        return QStringLiteral("--agent \"%1\" is none of %2")
            .arg(agent.text(), agentForms().join(QStringLiteral(", ")));
    if (isSaid && continuesRun && !agent.isNamed())
        return QStringLiteral("--continue goes on with the agent that the run has; in its place another "
                              "model:NAME or acp:NAME can be named, and \"%1\" is none: leave --agent out")
            .arg(agent.text());
    if (isExpertFirst && !agent.isNamed())
        return QStringLiteral("--expert-first is for --agent model:NAME and --agent acp:NAME, which go on "
                              "from the expert's text; --agent %1 does not")
            .arg(agent.text());
    if (!isScript && !script.isEmpty() && agent.isAgent())
        return QStringLiteral("--agent %1 takes no --script").arg(agent.text());
    if (script.isEmpty() && !continuesRun && isScript)
        return QStringLiteral("--agent script needs --script FOLDER");
    return {};
}

} // namespace warpwright
