// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent_view.h"

#include <QRect>

#include <memory>

class QPainter;
class QTextDocument;

namespace warpwright {

class Look;

/// One event of the message list, laid out for a width: a message with author and time over its Markdown, or
/// a tool's line with what it did folded below.
class MessageRow {
public:
    MessageRow(const Look &look, const AgentEvent &event, int width, bool isOpen);
    ~MessageRow();

    [[nodiscard]] int height() const { return m_height; }
    /// `top`: of the row, in the painter's own pixels.
    void paint(QPainter &painter, const AgentEvent &event, int top, bool isOpen, bool hasFocus) const;
    /// The address under a point of the row; empty: none.
    [[nodiscard]] QString linkAt(const QPointF &point) const;
    /// Of a tool's line, without what is unfolded.
    [[nodiscard]] static int toolHeight(const Look &look);

private:
    void paintTool(QPainter &painter, const AgentEvent &event, int top, bool isOpen) const;
    [[nodiscard]] QPointF documentAt() const;

    const Look &m_look;
    int m_width;
    int m_height = 0;
    bool m_isTool;
    std::unique_ptr<QTextDocument> m_document;
};

} // namespace warpwright
