// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_talk.h"

#include "toolchain/figures.h"

namespace warpwright {
namespace {

constexpr qsizetype mostOfLine = 100;

QString firstLine(const QString &text) {
    const QString line = text.trimmed().section(QLatin1Char('\n'), 0, 0).simplified();
    return line.size() > mostOfLine ? line.left(mostOfLine - 1) + QStringLiteral("…") : line;
}

/// What a call was about, in a few words: the path, the command, the title.
QString aboutOf(const ToolCall &call) {
    for (const char *field : {"path", "command", "pattern", "title", "kernel", "page"})
        if (const QString text = stringIn(call.arguments, field); !text.isEmpty())
            return call.name.contains(text) ? QString() : QLatin1Char(' ') + firstLine(text);
    return {};
}

} // namespace

TuneTalk::TuneTalk(Agent &agent, const Terminal &terminal, int words, ProgressLine &progress, QObject *parent)
    : QObject(parent) {
    const QString name = agent.identity().name;
    connect(&agent, &Agent::message, this, [=, &progress](const AgentMessage &message) {
        if (message.text.trimmed().isEmpty())
            return;
        progress.clear();
        const QString who = message.role != AgentMessage::Role::Agent ? QStringLiteral("run")
                            : message.author.isEmpty()                ? name
                                                                      : message.author;
        print(words, inked(terminal, Ink::Strong, printable(who) + QLatin1Char(':')) + QLatin1Char(' ') +
                         wrapped(printable(message.text.trimmed()), terminal.columns, 2) +
                         (message.isPartial ? QStringLiteral(" (cut off)\n") : QStringLiteral("\n")));
    });
    connect(&agent, &Agent::toolEnded, this, [=, &progress](const ToolCall &call) {
        progress.clear();
        const bool isOk = call.outcome == QLatin1String("ok");
        print(words, QStringLiteral("  %1%2: %3, %4: %5\n")
                         .arg(printable(call.name), printable(aboutOf(call)),
                              inked(terminal, isOk ? Ink::Good : Ink::Unsure, call.outcome),
                              durationText(call.seconds), printable(firstLine(call.result))));
    });
    connect(&agent, &Agent::noted, this, [&progress](const QString &text) {
        if (text.isEmpty())
            return progress.clear();
        StageProgress now;
        now.stage = QStringLiteral("agent");
        now.step = text;
        progress.show(now);
    });
    connect(&agent, &Agent::toolProgressed, this,
            [&progress](const QString &, const QString &text, int index, int count) {
                StageProgress now;
                now.stage = QStringLiteral("agent");
                now.step = text;
                now.index = index;
                now.count = count;
                progress.show(now);
            });
}

} // namespace warpwright
