// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents_line.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *AgentsWords::addTo(CLI::App &app, bool &asksJson) {
    CLI::App *agents = app.add_subcommand(
        "agents", "The external agents that speak the Agent Client Protocol: list, add, try, remove");
    agents->require_subcommand(0, 1);
    agents->add_flag("--json", asksJson, "Print the agents as JSON (warpwright.agents/1)");
    m_add = agents->add_subcommand("add", "Set up an agent, or set up one of this name anew");
    m_add->add_option("NAME", m_name, "How you call it: letters, digits, dots, dashes, underscores")
        ->required()
        ->type_name("");
    m_add
        ->add_option("--env", m_variables,
                     "NAME=VALUE in its environment, beside yours, NAME=$OTHER from a "
                     "variable of yours; never a key; may be said again")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false); // else it takes the -- of the command with it
    m_add->add_option("COMMAND", m_command, "Behind --: the program that speaks the protocol, and its words")
        ->required()
        ->type_name("");
    m_add->footer("wright agents add mine -- /opt/mine/agent acp\n"
                  "wright tune --agent acp:mine");
    m_remove = agents->add_subcommand("remove", "Forget an agent");
    m_remove->add_option("NAME", m_name, "Its name")->required()->type_name("");
    m_try = agents->add_subcommand("try", "Start an agent and open a session with it, and say what works");
    m_try->add_option("NAME", m_name, "Its name")->required()->type_name("");
    m_try->footer("It is asked nothing: nothing of what it costs is used. Exit code 1: it does not work.");
    return agents;
}

AgentsLine AgentsWords::line(QString &why) const {
    AgentsLine line;
    line.name = QString::fromStdString(m_name);
    if (m_remove->parsed())
        line.act = AgentsLine::Act::Remove;
    else if (m_try->parsed())
        line.act = AgentsLine::Act::Try;
    if (!m_add->parsed())
        return line;
    line.act = AgentsLine::Act::Add;
    line.profile.name = line.name;
    for (const std::string &word : m_command)
        line.profile.arguments << QString::fromStdString(word);
    line.profile.command = line.profile.arguments.takeFirst();
    for (const std::string &variable : m_variables) {
        const QString text = QString::fromStdString(variable);
        if (const qsizetype at = text.indexOf(QLatin1Char('=')); at > 0)
            line.profile.environment[text.left(at)] = text.mid(at + 1);
        else
            why = QStringLiteral("--env \"%1\" is not NAME=VALUE").arg(text);
    }
    if (why.isEmpty())
        why = whyBadProfile(line.profile);
    if (why.isEmpty())
        why = whyKeyIsInTheOpen(line.profile);
    return line;
}

} // namespace warpwright
