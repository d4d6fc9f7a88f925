// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/agents_options.h"

#include "app/cli/command.h"
#include "app/cli/options/shared_options.h"

#include <CLI/CLI.hpp>

namespace warpwright {

void AgentsOptions::addTo(CLI::App &app) {
    const auto addVerb = [this, &app](const char *verb, const char *help, Act does) {
        CLI::App *added = app.add_subcommand(verb, help);
        added->callback([this, does] { act = does; });
        return added;
    };
    app.require_subcommand(0, 1);
    app.add_flag("--json", asksJson, "Print the agents as JSON (warpwright.agents/1)");
    CLI::App *add = addVerb("add", "Set up an agent, or set up one of this name anew", Act::Add);
    addText(*add, "NAME", name, "Your name for it: letters, digits, dots, dashes, underscores")
        ->required()
        ->type_name("");
    addTexts(*add, "--env", variables,
             "NAME=VALUE in its environment, beside yours, NAME=$OTHER from a "
             "variable of yours; never a key; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false); // else it takes the -- of the command with it
    addTexts(*add, "COMMAND", command, "Behind --: the program that speaks the protocol, and its words")
        ->required()
        ->type_name("");
    add->footer("wright agents add mine -- /opt/mine/agent acp\n"
                "wright tune --agent acp:mine");
    CLI::App *remove = addVerb("remove", "Remove an agent", Act::Remove);
    addText(*remove, "NAME", name, "Its name")->required()->type_name("");
    CLI::App *trial =
        addVerb("try", "Start an agent and open a session with it, and say what works", Act::Try);
    addText(*trial, "NAME", name, "Its name")->required()->type_name("");
    trial->footer("It is asked nothing, so this costs nothing. Exit code 1: it does not work.");
}

QString AgentsOptions::understand() {
    if (act != Act::Add)
        return {};
    profile.name = name;
    profile.arguments = command;
    profile.command = profile.arguments.takeFirst();
    QString why;
    for (const QString &variable : variables) {
        if (const qsizetype at = variable.indexOf(QLatin1Char('=')); at > 0)
            profile.environment[variable.left(at)] = variable.mid(at + 1);
        else
            why = QStringLiteral("--env \"%1\" is not NAME=VALUE").arg(variable);
    }
    if (why.isEmpty())
        why = whyBadProfile(profile);
    if (why.isEmpty())
        why = whyKeyIsInTheOpen(profile);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright agents --help"));
}

} // namespace warpwright
