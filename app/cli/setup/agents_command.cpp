// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/agents_command.h"

#include "agent/acp/acp_profiles.h"
#include "agent/acp/acp_trial.h"
#include "agent/acp/known_agents.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/setup/agents_options.h"
#include "toolchain/report/text_table.h"

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

/// A line of the list: one that is set up, or one that is known.
struct Listed {
    AcpProfile profile;
    QString title;
    QString install; ///< what is to be typed to have it; empty: not known
    QString program; ///< where it lies; empty: it is not there
    bool isSetUp = false;
};

std::vector<Listed> listedOf(const AcpProfiles &agents) {
    std::vector<Listed> all;
    for (const AcpProfile &profile : agents.profiles)
        all.push_back({profile, {}, installCommandOf(profile.command), programOf(profile), true});
    for (const KnownAgent &known : knownAgents())
        if (!agents.find(known.name))
            all.push_back({known.profile(), known.title, known.install, programOf(known.profile()), false});
    return all;
}

QString commandText(const AcpProfile &profile) {
    return (QStringList{profile.command} + profile.arguments).join(QLatin1Char(' '));
}

void printList(const CommandContext &context, const std::vector<Listed> &all) {
    TextTable table;
    table.heading({QStringLiteral("name"), QStringLiteral("agent"), QStringLiteral("command"),
                   QStringLiteral("state")});
    for (const Listed &one : all) {
        const bool isThere = !one.program.isEmpty();
        const QString state = isThere ? (one.isSetUp ? QStringLiteral("set up") : QStringLiteral("found"))
                              : one.install.isEmpty() ? QStringLiteral("its command is not there")
                                                      : QStringLiteral("not installed: ") + one.install;
        table.row({printable(one.profile.name), one.title, printable(commandText(one.profile)), state},
                  isThere ? Ink::Good : Ink::Faint);
    }
    print(STDOUT_FILENO, table.text(context.output, 0) +
                             QStringLiteral("\nwright tune --agent acp:NAME runs one that is there.\n"));
}

void printDocument(const Json &json) {
    print(STDOUT_FILENO, QString::fromUtf8(dumpJson(json, 2)) + QLatin1Char('\n'));
}

void printJson(const std::vector<Listed> &all) {
    Json list = Json::array();
    for (const Listed &one : all) {
        Json json = acpProfileToJson(one.profile);
        json["isSetUp"] = one.isSetUp;
        json["program"] = one.program.isEmpty() ? Json() : Json(toJson(one.program));
        json["install"] = one.install.isEmpty() ? Json() : Json(toJson(one.install));
        list.push_back(json);
    }
    printDocument(Json{{"schema", "warpwright.agents/1"}, {"agents", list}});
}

int change(const CommandContext &context, const QString &words,
           const std::function<void(AcpProfiles &)> &edit) {
    const Result<AcpProfiles> changed = AcpProfiles::change(AcpProfiles::fileIn(context.folders), edit);
    if (!changed.hasValue())
        return refuse(context, changed.message());
    print(STDOUT_FILENO, words + QLatin1Char('\n'));
    return 0;
}

int tryOut(const CommandContext &context, const QString &name) {
    const Result<AcpProfile> profile = acpProfileNamed(name, context.folders);
    if (!profile.hasValue())
        return refuse(context, profile.message());
    QEventLoop loop;
    Interrupt interrupt;
    AcpTrial trial(profile.value(), context.folders);
    int exitCode = 1;
    QObject::connect(&trial, &AcpTrial::progress, &loop, [](const QString &words) {
        print(STDERR_FILENO, printable(words) + QLatin1Char('\n'));
    });
    QObject::connect(&trial, &AcpTrial::finished, &loop, [&](const AcpTrialOutcome &outcome) {
        if (context.asksJson)
            printDocument(Json{{"schema", "warpwright.agent-trial/1"},
                               {"agent", toJson(name)},
                               {"works", outcome.works},
                               {"line", toJson(outcome.line)}});
        else
            print(STDOUT_FILENO,
                  inked(context.output, outcome.works ? Ink::Good : Ink::Bad, printable(outcome.line)) +
                      QLatin1Char('\n'));
        exitCode = interrupt.hasStopped() ? 130 : outcome.works ? 0 : 1;
        loop.quit();
    });
    QObject::connect(&interrupt, &Interrupt::stopAsked, &trial, &AcpTrial::cancel);
    // Not at once: the end may come before the loop turns.
    QMetaObject::invokeMethod(
        &trial, [&trial] { trial.start(); }, Qt::QueuedConnection);
    loop.exec();
    return exitCode;
}

int runAgents(const CommandContext &context, const AgentsOptions &asked) {
    const Result<AcpProfiles> agents = AcpProfiles::load(AcpProfiles::fileIn(context.folders));
    if (!agents.hasValue())
        return refuse(context, agents.message());
    switch (asked.act) {
    case AgentsOptions::Act::Add: {
        QString words = QStringLiteral("\"%1\" is set up: wright tune --agent acp:%1").arg(asked.name);
        if (programOf(asked.profile).isEmpty())
            words += QStringLiteral("\nIts command \"%1\" is not there yet.").arg(asked.profile.command);
        return change(context, words, [&asked](AcpProfiles &all) { all.put(asked.profile); });
    }
    case AgentsOptions::Act::Remove:
        if (!agents.value().find(asked.name))
            return refuse(context,
                          QStringLiteral("There is no agent \"%1\" that is set up: wright agents lists them.")
                              .arg(asked.name));
        return change(context, QStringLiteral("\"%1\" was removed.").arg(asked.name),
                      [&asked](AcpProfiles &all) { all.remove(asked.name); });
    case AgentsOptions::Act::Try:
        return tryOut(context, asked.name);
    case AgentsOptions::Act::List:
        break;
    }
    // Of before such were refused: they can be used, and once said is enough.
    for (const AcpProfile &profile : agents.value().profiles)
        if (const QString why = whyKeyIsInTheOpen(profile); !why.isEmpty()) {
            print(STDERR_FILENO,
                  printable(QStringLiteral("\"%1\" of \"%2\": %3.")
                                .arg(profile.name, AcpProfiles::fileIn(context.folders), why)) +
                      QLatin1Char('\n'));
            break;
        }
    const std::vector<Listed> all = listedOf(agents.value());
    if (context.asksJson)
        printJson(all);
    else
        printList(context, all);
    return 0;
}

} // namespace

Command agentsCommand() {
    return commandWith("agents",
                       "The external agents that speak the Agent Client Protocol: list, add, try, remove",
                       runAgents);
}

} // namespace warpwright
