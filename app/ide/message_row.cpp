// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/message_row.h"

#include "widgets/house_style.h"
#include "widgets/look.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextList>

namespace warpwright {
namespace {

constexpr int pad = 12;
constexpr int head = 22;    // author and time
constexpr int details = 38; // where a tool's words begin

const char *iconOf(AgentEvent::Outcome outcome) {
    switch (outcome) {
    case AgentEvent::Running:
        return "running";
    case AgentEvent::Succeeded:
        return "pass";
    case AgentEvent::Failed:
        return "wrong";
    case AgentEvent::Denied:
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
        return "verdict.notRun";
    }
    return "verdict.notRun";
}

/// Markdown comes with the system's fonts and with headings that shout.
void dress(QTextDocument &document, const Look &look) {
    const QFont code = look.font(TextRole::Code);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const bool isFence = block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
                             block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
        const int level = block.blockFormat().headingLevel();
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        format.setTopMargin(0);
        const QTextBlock next = block.next();
        const bool isWithNext = (isFence && next.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) ||
                                (block.textList() != nullptr && next.textList() == block.textList());
        format.setBottomMargin(!next.isValid() ? 0 : isWithNext ? (isFence ? 0 : look.px(2)) : look.px(7));
        if (isFence)
            format.setBackground(look.color("bg.input"));
        cursor.setBlockFormat(format);
        // Formatting splits and joins fragments, but moves no text.
        struct Part {
            int from;
            int to;
            bool isCode;
            bool isBold;
            bool isLink;
        };
        std::vector<Part> parts;
        for (auto at = block.begin(); !at.atEnd(); ++at)
            parts.push_back({at.fragment().position(), at.fragment().position() + at.fragment().length(),
                             isFence || at.fragment().charFormat().fontFixedPitch(),
                             at.fragment().charFormat().fontWeight() > QFont::DemiBold,
                             at.fragment().charFormat().isAnchor()});
        for (const Part &part : parts) {
            if (!part.isCode && !part.isBold && !part.isLink && level == 0)
                continue;
            QTextCursor words(&document);
            words.setPosition(part.from);
            words.setPosition(part.to, QTextCursor::KeepAnchor);
            QTextCharFormat wanted = words.charFormat();
            wanted.clearProperty(QTextFormat::FontSizeAdjustment);
            wanted.setFontPointSize(look.font(part.isCode ? TextRole::Small : TextRole::Body).pointSizeF());
            if (part.isCode)
                wanted.setFontFamilies({code.family()});
            if (part.isBold || level > 0) // our fonts end there; more would be smeared
                wanted.setFontWeight(QFont::DemiBold);
            if (part.isCode && !isFence)
                wanted.setBackground(look.color("bg.input"));
            if (part.isLink) // the palette's blue is not to be read on a dark ground
                wanted.setForeground(look.color("accent.text"));
            words.setCharFormat(wanted);
        }
    }
}

} // namespace

int MessageRow::toolHeight(const Look &look) {
    return look.px(24);
}

MessageRow::MessageRow(const Look &look, const AgentEvent &event, int width, bool isOpen)
    : m_look(look), m_width(width), m_isTool(event.kind == AgentEvent::Tool) {
    if (m_isTool && (!isOpen || event.text.isEmpty())) {
        m_height = toolHeight(look);
        return;
    }
    m_document = std::make_unique<QTextDocument>();
    m_document->setDocumentMargin(0);
    m_document->setIndentWidth(look.px(18));
    m_document->setDefaultFont(look.font(m_isTool ? TextRole::Log : TextRole::Body));
    if (m_isTool) {
        m_document->setPlainText(event.text);
    } else {
        m_document->setMarkdown(event.text,
                                QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                    QTextDocument::MarkdownNoHTML);
        dress(*m_document, look);
    }
    const int left = look.px(m_isTool ? details : pad);
    m_document->setTextWidth(std::max(look.px(60), width - left - look.px(pad)));
    const int above = m_isTool ? toolHeight(look) : look.px(head + 8);
    m_height = above + static_cast<int>(std::ceil(m_document->size().height())) + look.px(m_isTool ? 8 : 6);
}

MessageRow::~MessageRow() = default;

QPointF MessageRow::documentAt() const {
    return m_isTool ? QPointF(m_look.px(details), toolHeight(m_look) + m_look.px(2))
                    : QPointF(m_look.px(pad), m_look.px(head + 8));
}

QString MessageRow::linkAt(const QPointF &point) const {
    return m_document == nullptr ? QString() : m_document->documentLayout()->anchorAt(point - documentAt());
}

void MessageRow::paint(QPainter &painter, const AgentEvent &event, int top, bool isOpen,
                       bool hasFocus) const {
    if (m_isTool) {
        paintTool(painter, event, top, isOpen);
    } else {
        painter.setFont(m_look.font(TextRole::Small, event.author.isEmpty() ? QFont::Normal : QFont::Medium));
        painter.setPen(m_look.color("text.secondary"));
        const QRect line(m_look.px(pad), top + m_look.px(8), m_width - 2 * m_look.px(pad),
                         m_look.px(head - 4));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, event.author);
        painter.setFont(m_look.font(TextRole::Small));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, event.time);
    }
    if (m_document != nullptr) {
        painter.save();
        painter.translate(QPointF(0, top) + documentAt());
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, m_look.color(m_isTool ? "text.secondary" : "text.primary"));
        context.clip = QRectF(0, -top - documentAt().y(), m_width, painter.device()->height());
        m_document->documentLayout()->draw(&painter, context);
        painter.restore();
    }
    if (hasFocus)
        drawBox(&painter, QRectF(1, top, m_width - 2, m_height), m_look.px(4), {},
                m_look.color("accent.focus"), 2);
}

void MessageRow::paintTool(QPainter &painter, const AgentEvent &event, int top, bool isOpen) const {
    const int height = toolHeight(m_look);
    const int small = m_look.px(12);
    const int icon = m_look.px(14);
    const int middle = top + height / 2;
    int x = m_look.px(pad);
    if (!event.text.isEmpty())
        m_look.icon(isOpen ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"))
            .paint(&painter, x, middle - small / 2, small, small);
    x += m_look.px(18);
    m_look.icon(event.icon, m_look.color("text.secondary")).paint(&painter, x, middle - icon / 2, icon, icon);
    x += icon + m_look.px(7);
    int right = m_width - m_look.px(pad) - icon;
    m_look.icon(QLatin1String(iconOf(event.outcome)), m_look.color(inkOf(event.outcome)))
        .paint(&painter, right, middle - icon / 2, icon, icon);
    right -= m_look.px(6);
    painter.setFont(m_look.font(TextRole::Small));
    // What is no success says so in words, too.
    const QString result =
        event.outcome == AgentEvent::Succeeded || event.outcome == AgentEvent::Running
            ? event.result
            : event.result + (event.result.isEmpty() ? QString() : QStringLiteral(", ")) +
                  (event.outcome == AgentEvent::Failed ? QStringLiteral("failed") : QStringLiteral("denied"));
    const int width = painter.fontMetrics().horizontalAdvance(result);
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(QRect(right - width - 2, top, width + 2, height), Qt::AlignVCenter | Qt::AlignRight,
                     result);
    right -= width + m_look.px(8);
    painter.drawText(QRect(x, top, std::max(0, right - x), height), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(event.name, Qt::ElideRight, right - x));
}

} // namespace warpwright
