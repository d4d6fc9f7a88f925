// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/sse_stream.h"

#include <algorithm>

namespace warpwright {

std::vector<SseEvent> SseStream::feed(const QByteArray &bytes) {
    std::vector<SseEvent> events;
    const char *at = bytes.constData();
    const char *const end = at + bytes.size();
    while (at != end && !m_isOverLimit) {
        if (m_skipsLineFeed) {
            m_skipsLineFeed = false;
            if (*at == '\n') {
                ++at;
                continue;
            }
        }
        const char *stop = std::find_if(at, end, [](char byte) { return byte == '\n' || byte == '\r'; });
        m_line.append(at, stop - at);
        if (m_line.size() + m_event.data.size() > limitBytes) {
            m_isOverLimit = true;
            m_line.clear();
            m_event = {};
            break;
        }
        at = stop;
        if (at == end)
            break;
        m_skipsLineFeed = *at == '\r';
        ++at;
        endLine(events);
    }
    return events;
}

std::vector<SseEvent> SseStream::finish() {
    std::vector<SseEvent> events;
    if (m_isOverLimit)
        return events;
    if (!m_line.isEmpty())
        endLine(events);
    endLine(events);
    return events;
}

void SseStream::endLine(std::vector<SseEvent> &events) {
    QByteArray line;
    line.swap(m_line);
    if (m_isFirstLine && line.startsWith("\xEF\xBB\xBF"))
        line.remove(0, 3);
    m_isFirstLine = false;
    if (line.isEmpty()) {
        if (m_hasData)
            events.push_back(m_event);
        m_event = {};
        m_hasData = false;
        return;
    }
    const qsizetype colon = line.indexOf(':');
    const QByteArray field = colon < 0 ? line : line.left(colon);
    if (field == "data") {
        if (m_hasData)
            m_event.data.append('\n');
        m_hasData = true;
    } else if (field == "error") { // llama-server's until 2025, which stands in no rules
        m_hasData = true;
        m_event.name = field;
    } else if (field != "event") {
        return;
    }
    // One blank after the colon belongs to the form, not to the value.
    qsizetype start = colon < 0 ? line.size() : colon + 1;
    if (start < line.size() && line.at(start) == ' ')
        ++start;
    if (field != "event")
        m_event.data.append(line.constData() + start, line.size() - start);
    else
        m_event.name = line.mid(start);
}

} // namespace warpwright
