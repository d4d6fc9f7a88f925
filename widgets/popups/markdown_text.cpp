// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/markdown_text.h"

#include "widgets/look/look.h"

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextDocument>

#include <vector>

namespace warpwright {
namespace {

struct Piece {
    int from;
    int to;
    bool isCode;
    bool isHeading;
};

bool isCode(const QTextCharFormat &format) {
    static const QString fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    return format.fontFixedPitch() || format.fontFamilies().toStringList().contains(fixed);
}

} // namespace

void setPlainMarkdown(QTextDocument &document, const QString &markdown, const Look &look) {
    document.setDefaultFont(look.font(TextRole::Small));
    document.setDocumentMargin(0);
    document.setMarkdown(markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                       QTextDocument::MarkdownNoHTML);
    std::vector<Piece> pieces;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const bool isFenced = block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
                              block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
        const bool isHeading = block.blockFormat().headingLevel() > 0;
        for (auto part = block.begin(); part != block.end(); ++part)
            pieces.push_back({part.fragment().position(),
                              part.fragment().position() + part.fragment().length(),
                              isFenced || isCode(part.fragment().charFormat()), isHeading});
    }
    QTextCursor cursor(&document);
    for (const Piece &piece : pieces) {
        cursor.setPosition(piece.from);
        cursor.setPosition(piece.to, QTextCursor::KeepAnchor);
        QTextCharFormat format;
        format.setFont(look.font(piece.isCode ? TextRole::Log : TextRole::Small,
                                 piece.isHeading ? QFont::DemiBold : QFont::Normal));
        format.setForeground(look.color("text.primary"));
        cursor.setCharFormat(format); // without what Markdown gave it: size, colour, anchor
        if (piece.isHeading) {
            QTextBlockFormat block = cursor.blockFormat();
            block.setHeadingLevel(0);
            block.setTopMargin(0);
            cursor.setBlockFormat(block);
        }
    }
}

} // namespace warpwright
