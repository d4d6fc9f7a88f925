// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace warpwright {

/// One event of a stream: bytes, UTF-8 if its sender keeps to the rules.
struct SseEvent {
    QByteArray name; ///< "event:"; empty: it had none
    QByteArray data; ///< its data lines, joined by \n

    bool operator==(const SseEvent &) const = default;
};

/// Server-sent events out of bytes that may be cut anywhere, also inside a character.
///
/// CRLF, LF and CR end a line; comments, "id:" and "retry:" are passed over, a line "error:" is the data of
/// an event "error"; an event without data is none.
/// What bites: many servers end without the last blank line, so take what finish() gives. A line or an event
/// over `limitBytes` ends it: isOverLimit(), and nothing more comes.
class SseStream {
public:
    static constexpr qsizetype limitBytes = 16 * 1024 * 1024;

    /// The events that these bytes complete.
    [[nodiscard]] std::vector<SseEvent> feed(const QByteArray &bytes);
    /// The stream has ended: an event that only lacked its blank line.
    [[nodiscard]] std::vector<SseEvent> finish();

    [[nodiscard]] bool isOverLimit() const { return m_isOverLimit; }

private:
    void endLine(std::vector<SseEvent> &events);

    QByteArray m_line;
    SseEvent m_event;
    bool m_hasData = false;
    bool m_skipsLineFeed = false; ///< the CR of a CRLF was the last byte
    bool m_isFirstLine = true;    ///< a byte order mark may stand before it
    bool m_isOverLimit = false;
};

} // namespace warpwright
