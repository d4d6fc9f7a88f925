// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/listing_texts.h"

#include "agent/record/run_index.h"
#include "app/ide/agent/agent_event_model.h"

#include <algorithm>
#include <limits>

namespace warpwright {

int ConversationText::rowOf(int line) const {
    return static_cast<int>(std::upper_bound(begins.begin(), begins.end(), line) - begins.begin()) - 1;
}

ConversationText conversationText(const AgentEventModel &events) {
    ConversationText conversation;
    int line = 0;
    for (int row = 0; row < events.rowCount(); ++row) {
        const AgentEvent &event = events.event(row);
        QStringList words;
        if (event.kind == AgentEvent::Message) {
            if (!event.thinking.isEmpty())
                words << event.thinking;
            words << event.text;
        } else {
            QStringList called{event.name, event.about, event.result};
            called.removeAll(QString());
            words << called.join(QLatin1Char(' '));
            if (!event.text.isEmpty())
                words << event.text;
        }
        const QString text = words.join(QLatin1Char('\n')) + QLatin1Char('\n');
        conversation.begins.push_back(line);
        conversation.text += text;
        line += static_cast<int>(text.count(QLatin1Char('\n')));
    }
    return conversation;
}

QString runEventsText(const QString &stateFolder, const QString &run) {
    QString text;
    if (run.isEmpty())
        return text;
    Result<RunIndex> opened = RunIndex::open(stateFolder);
    if (!opened.hasValue())
        return text; // its list says why it shows nothing
    RunIndex index = std::move(opened).value();
    const Result<std::vector<IndexedEvent>> events = index.events(run, 1, std::numeric_limits<int>::max());
    if (!events.hasValue())
        return text;
    // A line is a number: those of events that were lost stay empty.
    qint64 line = 1;
    for (const IndexedEvent &event : events.value()) {
        for (; line < event.number; ++line)
            text += QLatin1Char('\n');
        text += QString(event.summary).replace(QLatin1Char('\n'), QLatin1Char(' ')) + QLatin1Char('\n');
        ++line;
    }
    return text;
}

QString listingText(const KernelCode &code) {
    QString text;
    for (const CodeLine &line : code.lines) {
        text += line.kind == CodeLine::Kind::Label ? line.opcode + QLatin1Char(':') : instructionText(line);
        text += QLatin1Char('\n');
    }
    return text;
}

} // namespace warpwright
