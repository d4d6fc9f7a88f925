// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/readme_view.h"

#include "app/ide/kit/markdown_look.h"
#include "widgets/look/look.h"

#include <QTextBlock>
#include <QUrl>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpwright {

ReadmeView::ReadmeView(const Look &look, QWidget *parent) : QTextBrowser(parent), m_look(look) {
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTabChangesFocus(true);
    connect(this, &QTextBrowser::anchorClicked, this,
            [this](const QUrl &address) { emit linkActivated(address.toString()); });
    connect(&look, &Look::changed, this, &ReadmeView::fill);
    fill();
}

void ReadmeView::showText(const QString &markdown, const ReadmeImages &images) {
    if (markdown == m_text && areSame(images, m_images))
        return; // what is being read keeps its place
    m_text = markdown;
    m_images = images;
    // Tab goes from link to link; in a text that has none there is nothing for it to come to.
    const bool hasLink = m_text.contains(QLatin1String("](")) || m_text.contains(QLatin1String("://"));
    setFocusPolicy(hasLink ? Qt::StrongFocus : Qt::ClickFocus);
    fill();
}

void ReadmeView::fill() {
    QPalette colors = palette();
    colors.setColor(QPalette::Base, Qt::transparent); // the card's ground, and its round corners
    colors.setColor(QPalette::Text, m_look.color("text.primary"));
    setPalette(colors);
    document()->setDefaultFont(m_look.font(TextRole::Body));
    document()->setDocumentMargin(m_look.px(12));
    document()->setIndentWidth(m_look.px(18));
    warpwright::setMarkdown(*document(), m_text, m_look);
    fitHeight();
}

QVariant ReadmeView::loadResource(int type, const QUrl &name) {
    const auto found = type == QTextDocument::ImageResource ? m_images.find(name.toString()) : m_images.end();
    return found == m_images.end() ? QVariant() : QVariant(found->second);
}

void ReadmeView::fitImages() {
    const int room = viewport()->width() - 2 * m_look.px(12);
    for (QTextBlock block = document()->begin(); block.isValid() && !m_images.empty(); block = block.next()) {
        std::vector<QTextFragment> pictures; // a format that is set moves the iterator's ground
        for (auto at = block.begin(); !at.atEnd(); ++at)
            if (at.fragment().charFormat().isImageFormat())
                pictures.push_back(at.fragment());
        for (const QTextFragment &fragment : pictures) {
            QTextImageFormat format = fragment.charFormat().toImageFormat();
            const auto found = m_images.find(format.name());
            if (found == m_images.end())
                continue;
            const double width = std::max(1, std::min(room, found->second.width()));
            if (qFuzzyCompare(format.width(), width))
                continue;
            format.setWidth(width);
            QTextCursor cursor(document());
            cursor.setPosition(fragment.position());
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
        }
    }
}

void ReadmeView::fitHeight() {
    fitImages();
    document()->setTextWidth(viewport()->width());
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())));
}

void ReadmeView::resizeEvent(QResizeEvent *event) {
    QTextBrowser::resizeEvent(event);
    fitHeight();
}

void ReadmeView::wheelEvent(QWheelEvent *event) {
    event->ignore(); // the page scrolls
}

} // namespace warpwright
