// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/markdown_look.h"

#include "widgets/look/look.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>

#include <vector>

namespace warpwright {
namespace {

/// Markdown comes with the system's fonts and with headings that shout.
void dress(QTextDocument &document, const Look &look) {
    const QFont code = look.font(TextRole::Code);
    QTextOption option = document.defaultTextOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document.setDefaultTextOption(option);
    for (QTextFrame *frame : document.rootFrame()->childFrames())
        if (auto *table = qobject_cast<QTextTable *>(frame)) {
            QTextTableFormat format = table->format();
            format.setCellPadding(look.px(4));
            format.setCellSpacing(0);
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(look.color("border.normal"));
            table->setFormat(format);
        }
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
        if (isFence) {
            format.setBackground(look.color("bg.input"));
            format.setNonBreakableLines(false); // the pane is narrow, and has no bar to scroll aside
        }
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

void setMarkdown(QTextDocument &document, const QString &text, const Look &look) {
    document.setMarkdown(text, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                   QTextDocument::MarkdownNoHTML);
    dress(document, look);
}

} // namespace warpwright
