// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent/message_pieces.h"
#include "app/ide/kit/agent_view.h"

#include <QRect>

#include <memory>

class QPainter;
class QTextDocument;

namespace warpwright {

class Look;

/// One event of the message list, laid out for a width: a message with author and time over its Markdown,
/// what was thought before it folded to a line; or a tool's line with what it did folded below.
class MessageRow {
public:
    MessageRow(const Look &look, const AgentEvent &event, int width, bool isOpen);
    ~MessageRow();

    /// The event has grown, or is folded otherwise: only what is new of it is laid out.
    void take(const AgentEvent &event, bool isOpen);
    [[nodiscard]] int height() const { return m_height; }
    /// `top`: of the row, in the painter's own pixels.
    void paint(QPainter &painter, const AgentEvent &event, int top, bool isOpen, bool hasFocus) const;
    /// The address under a point of the row; empty: none.
    [[nodiscard]] QString linkAt(const QPointF &point) const;
    /// The line that folds and unfolds is at this height of the row.
    [[nodiscard]] bool isFoldAt(int y) const;
    /// Of a tool's line, without what is unfolded.
    [[nodiscard]] static int toolHeight(const Look &look);

private:
    enum class Kind { Markdown, Thinking, ToolWords };
    struct Part {
        Kind kind;
        MessagePiece piece;
        std::unique_ptr<QTextDocument> document;
        int top = 0;
    };

    void add(std::vector<Part> &before, Kind kind, const MessagePiece &piece);
    [[nodiscard]] std::unique_ptr<QTextDocument> laidOut(Kind kind, const MessagePiece &piece) const;
    [[nodiscard]] int left(Kind kind) const;
    void paintTool(QPainter &painter, const AgentEvent &event, int top, bool isOpen) const;
    void paintThought(QPainter &painter, const AgentEvent &event, int top, bool isOpen) const;
    void paintChevron(QPainter &painter, int middle, bool isOpen) const;

    const Look &m_look;
    int m_width;
    int m_height = 0;
    int m_headHeight = 0; ///< author and time; 0: without
    int m_foldTop = -1;   ///< -1: nothing is folded
    std::vector<Part> m_parts;
};

} // namespace warpwright
