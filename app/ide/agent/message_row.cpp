// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/message_row.h"

#include "app/ide/agent/agent_event_model.h"
#include "app/ide/kit/markdown_look.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int pad = 12;
constexpr int head = 22;     // author and time
constexpr int thoughts = 30; // where the words of a line that folds begin, and what was thought
constexpr int details = 38;  // where a tool's words begin

const char *iconOf(AgentEvent::Outcome outcome) {
    switch (outcome) {
    case AgentEvent::Running:
        return "running";
    case AgentEvent::Succeeded:
        return "pass";
    case AgentEvent::Failed:
        return "wrong";
    case AgentEvent::Denied:
    case AgentEvent::Cancelled:
        return "cancelled";
    }
    return "not-run";
}

const char *inkOf(AgentEvent::Outcome outcome) {
    switch (outcome) {
    case AgentEvent::Running:
        return "accent.text";
    case AgentEvent::Succeeded:
        return "verdict.pass";
    case AgentEvent::Failed:
        return "verdict.wrong";
    case AgentEvent::Denied:
    case AgentEvent::Cancelled:
        return "verdict.notRun";
    }
    return "verdict.notRun";
}

} // namespace

int MessageRow::toolHeight(const Look &look) {
    return look.px(24);
}

MessageRow::MessageRow(const Look &look, const AgentEvent &event, int width, bool isOpen)
    : m_look(look), m_width(width) {
    take(event, isOpen);
}

MessageRow::~MessageRow() = default;

void MessageRow::take(const AgentEvent &event, bool isOpen) {
    std::vector<Part> before = std::move(m_parts);
    m_parts.clear();
    const bool isTool = event.kind == AgentEvent::Tool;
    // Between two calls a model mostly thinks, and says nothing: that is one line.
    const bool isThoughtAlone = !event.thought.isEmpty() && event.text.isEmpty();
    m_headHeight = isTool || isThoughtAlone ? 0 : m_look.px(head + 8);
    m_height = m_headHeight;
    m_foldTop = -1;
    if (isTool || !event.thought.isEmpty()) {
        m_foldTop = m_height;
        m_height += toolHeight(m_look);
        if (isOpen && !event.foldedText().isEmpty()) {
            for (const MessagePiece &piece : plainPieces(event.foldedText()))
                add(before, isTool ? Kind::ToolWords : Kind::Thinking, piece);
            m_height += m_look.px(8);
        }
    }
    if (isTool || isThoughtAlone)
        return;
    for (const MessagePiece &piece : markdownPieces(event.text))
        add(before, Kind::Markdown, piece);
    m_height += m_look.px(6);
}

void MessageRow::add(std::vector<Part> &before, Kind kind, const MessagePiece &piece) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const Part &part) {
        return part.document != nullptr && part.kind == kind && part.piece == piece;
    });
    const bool isNext = !m_parts.empty() && m_parts.back().kind == kind;
    if (isNext && !m_parts.back().piece.joinsNext)
        m_height += m_look.px(7);
    Part part{kind, piece, same != before.end() ? std::move(same->document) : laidOut(kind, piece), m_height};
    m_height += static_cast<int>(std::ceil(part.document->size().height()));
    m_parts.push_back(std::move(part));
}

std::unique_ptr<QTextDocument> MessageRow::laidOut(Kind kind, const MessagePiece &piece) const {
    auto document = std::make_unique<QTextDocument>();
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(0);
    document->setIndentWidth(m_look.px(18));
    document->setDefaultFont(m_look.font(kind == Kind::ToolWords  ? TextRole::Log
                                         : kind == Kind::Thinking ? TextRole::Small
                                                                  : TextRole::Body));
    if (kind == Kind::Markdown) {
        setMarkdown(*document, piece.text, m_look);
    } else {
        document->setPlainText(piece.text);
    }
    document->setTextWidth(std::max(m_look.px(60), m_width - left(kind) - m_look.px(pad)));
    return document;
}

int MessageRow::left(Kind kind) const {
    return m_look.px(kind == Kind::Markdown ? pad : kind == Kind::Thinking ? thoughts : details);
}

QString MessageRow::linkAt(const QPointF &point) const {
    for (const Part &part : m_parts)
        if (const QPointF at = point - QPointF(left(part.kind), part.top);
            at.y() >= 0 && at.y() < part.document->size().height())
            return part.document->documentLayout()->anchorAt(at);
    return {};
}

bool MessageRow::isFoldAt(int y) const {
    return m_foldTop >= 0 && y >= m_foldTop && y < m_foldTop + toolHeight(m_look);
}

void MessageRow::paint(QPainter &painter, const AgentEvent &event, int top, bool isOpen,
                       bool hasFocus) const {
    if (event.kind == AgentEvent::Tool)
        paintTool(painter, event, top, isOpen);
    else if (m_foldTop >= 0)
        paintThought(painter, event, top + m_foldTop, isOpen);
    if (m_headHeight > 0) {
        painter.setFont(m_look.font(TextRole::Small, event.author.isEmpty() ? QFont::Normal : QFont::Medium));
        painter.setPen(m_look.color("text.secondary"));
        const QRect line(m_look.px(pad), top + m_look.px(8), m_width - 2 * m_look.px(pad),
                         m_look.px(head - 4));
        painter.setFont(m_look.font(TextRole::Small));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, event.time);
        const int room = line.width() - painter.fontMetrics().horizontalAdvance(event.time) - m_look.px(8);
        painter.setFont(m_look.font(TextRole::Small, QFont::Medium));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(event.author, Qt::ElideMiddle, room));
    }
    for (const Part &part : m_parts) {
        const QPointF at(left(part.kind), top + part.top);
        if (at.y() > painter.device()->height() || at.y() + part.document->size().height() < 0)
            continue;
        painter.save();
        painter.translate(at);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(
            QPalette::Text, m_look.color(part.kind == Kind::Markdown ? "text.primary" : "text.secondary"));
        context.clip = QRectF(0, -at.y(), m_width, painter.device()->height());
        part.document->documentLayout()->draw(&painter, context);
        painter.restore();
    }
    if (hasFocus)
        drawBox(&painter, QRectF(1, top, m_width - 2, m_height), m_look.px(4), {},
                m_look.color("accent.focus"), 2);
}

void MessageRow::paintChevron(QPainter &painter, int middle, bool isOpen) const {
    const int small = m_look.px(12);
    m_look.icon(isOpen ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"))
        .paint(&painter, m_look.px(pad), middle - small / 2, small, small);
}

void MessageRow::paintThought(QPainter &painter, const AgentEvent &event, int top, bool isOpen) const {
    const int height = toolHeight(m_look);
    if (!event.thinking.isEmpty())
        paintChevron(painter, top + height / 2, isOpen);
    const int x = m_look.px(thoughts);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(QRect(x, top, m_width - x - m_look.px(pad), height), Qt::AlignVCenter | Qt::AlignLeft,
                     event.thought);
}

void MessageRow::paintTool(QPainter &painter, const AgentEvent &event, int top, bool isOpen) const {
    const int height = toolHeight(m_look);
    const int icon = m_look.px(14);
    const int middle = top + height / 2;
    if (!event.text.isEmpty())
        paintChevron(painter, middle, isOpen);
    int x = m_look.px(thoughts);
    m_look.icon(event.icon, m_look.color("text.secondary")).paint(&painter, x, middle - icon / 2, icon, icon);
    x += icon + m_look.px(7);
    int right = m_width - m_look.px(pad) - icon;
    m_look.icon(QLatin1String(iconOf(event.outcome)), m_look.color(inkOf(event.outcome)))
        .paint(&painter, right, middle - icon / 2, icon, icon);
    right -= m_look.px(6);
    // What is no success says so in words, too.
    const bool isPlain = event.outcome == AgentEvent::Succeeded || event.outcome == AgentEvent::Running;
    QString result = event.result;
    if (!isPlain)
        result += (result.isEmpty() ? QString() : QStringLiteral(", ")) + outcomeWord(event.outcome);
    painter.setPen(m_look.color("text.secondary"));
    const auto draw = [&](int from, int to, const QString &text, Qt::TextElideMode mode) {
        // Elision counts in parts of a pixel, and would cut what just fits.
        const bool fits = painter.fontMetrics().horizontalAdvance(text) <= to - from;
        const QString shown =
            fits ? text : painter.fontMetrics().elidedText(text, mode, std::max(0, to - from));
        const int width = painter.fontMetrics().horizontalAdvance(shown);
        painter.drawText(QRect(from, top, width + 2, height), Qt::AlignVCenter | Qt::AlignLeft, shown);
        return width;
    };
    painter.setFont(m_look.font(TextRole::Small));
    // How far it is may be long; the name of what runs goes before it.
    const int name = QFontMetrics(m_look.font(TextRole::Small, QFont::Medium)).horizontalAdvance(event.name);
    const int most = std::max((right - x) / 3, right - x - name - m_look.px(8));
    const int wide = std::min(painter.fontMetrics().horizontalAdvance(result), most);
    draw(right - wide, right, result, Qt::ElideRight);
    right -= wide + m_look.px(8);
    if (event.about.isEmpty()) {
        draw(x, right, event.name, Qt::ElideRight);
        return;
    }
    painter.setFont(m_look.font(TextRole::Small, QFont::Medium));
    x += draw(x, right, event.name, Qt::ElideRight) + m_look.px(6);
    painter.setFont(m_look.font(TextRole::Small));
    if (right - x > m_look.px(24))
        draw(x, right, event.about, Qt::ElideMiddle);
}

} // namespace warpwright
