// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/tune_talk.h"

#include "toolchain/base/figures.h"

#include <utility>

namespace warpwright {
namespace {

constexpr qsizetype mostOfLine = 100;
constexpr int markSize = 2; ///< behind a name, and before the lines below it

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

/// «plan: 2 of 5 done; now: unroll the loop»; empty: there is none.
QString planLine(const std::vector<PlanItem> &items) {
    if (items.empty())
        return {};
    qsizetype done = 0;
    QString now;
    for (const PlanItem &item : items) {
        if (item.state == QLatin1String("done") || item.state == QLatin1String("dropped"))
            ++done;
        else if (item.state == QLatin1String("working") && now.isEmpty())
            now = printableLine(firstLine(item.text));
    }
    const QString line = QStringLiteral("plan: %1 of %2 done").arg(done).arg(items.size());
    return now.isEmpty() ? line : line + QStringLiteral("; now: ") + now;
}

QString ourName() {
    return QStringLiteral("run");
}

} // namespace

TuneTalk::TuneTalk(Agent &agent, const Terminal &terminal, int words, ProgressLine &progress, QObject *parent)
    : QObject(parent), m_agent(agent), m_terminal(terminal), m_words(words), m_progress(progress) {
    connect(&agent, &Agent::message, this, &TuneTalk::takeMessage);
    if (terminal.isTerminal) {
        connect(&agent, &Agent::messageDelta, this, &TuneTalk::takePiece);
        connect(&agent, &Agent::messageGivenUp, this, &TuneTalk::giveUp);
    }
    connect(&agent, &Agent::toolEnded, this, [=, &progress](const ToolCall &call) {
        progress.clear();
        const bool isOk = call.outcome == QLatin1String("ok");
        print(words, QStringLiteral("  %1%2: %3, %4: %5\n")
                         .arg(printableLine(call.name), printableLine(aboutOf(call)),
                              inked(terminal, isOk ? Ink::Good : Ink::Unsure, call.outcome),
                              durationText(call.seconds), printableLine(firstLine(call.result))));
    });
    connect(&agent, &Agent::planChanged, this, [this, words, &progress](const std::vector<PlanItem> &items) {
        const QString line = planLine(items);
        if (line.isEmpty() || std::exchange(m_plan, line) == line)
            return;
        progress.clear();
        print(words, QStringLiteral("  %1\n").arg(line));
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

LineStream TuneTalk::streamOf(const QString &who) const {
    const int room = m_terminal.columns - markSize;
    return {room, m_terminal.columns - static_cast<int>(who.size()) - markSize};
}

/// Behind the name, and below it behind a mark: what an agent says is not to look like what we say.
void TuneTalk::tell(const QString &who, bool isBegun, const QStringList &lines) {
    if (lines.isEmpty())
        return;
    m_progress.clear();
    QString text;
    const QString mark = who == ourName() ? QStringLiteral("  ") : QStringLiteral("| ");
    for (const QString &line : lines) {
        text += isBegun ? mark
                        : inked(m_terminal, Ink::Strong, printableLine(who) + QLatin1Char(':')) +
                              QLatin1Char(' ');
        text += printable(line) + QLatin1Char('\n');
        isBegun = true;
    }
    print(m_words, text);
}

void TuneTalk::takePiece(const QString &id, const QString &piece) {
    const QString who = m_agent.identity().name;
    if (std::exchange(m_id, id) != id)
        m_stream = streamOf(who);
    const bool isBegun = m_stream.hasBegun();
    tell(who, isBegun, m_stream.take(piece));
}

void TuneTalk::takeMessage(const AgentMessage &message) {
    QString who = message.author.isEmpty() ? m_agent.identity().name : message.author;
    if (message.role != AgentMessage::Role::Agent)
        who = ourName();
    const bool isStreamed = !m_id.isEmpty() && message.id == m_id;
    if (isStreamed)
        m_id.clear();
    if (message.text.trimmed().isEmpty())
        return;
    // What came in pieces is there already, but for its end.
    const bool isSame = isStreamed && m_stream.text().trimmed() == message.text.trimmed();
    LineStream stream = isSame ? m_stream : streamOf(who);
    const bool isBegun = stream.hasBegun();
    QStringList lines;
    if (!isSame)
        lines = stream.take(message.text.trimmed());
    lines += stream.finish();
    if (message.isPartial)
        lines << QStringLiteral("(cut off)");
    tell(who, isBegun, lines);
}

void TuneTalk::giveUp(const QString &id) {
    if (m_id != id)
        return;
    m_id.clear();
    if (m_stream.hasBegun())
        tell({}, true, {QStringLiteral("(given up; it is written anew)")});
}

} // namespace warpwright
