// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/readme_view.h"

#include "app/ide/markdown_look.h"
#include "widgets/look.h"

#include <QUrl>
#include <QWheelEvent>

#include <cmath>

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

void ReadmeView::showText(const QString &markdown) {
    if (markdown == m_text)
        return; // what is being read keeps its place
    m_text = markdown;
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

void ReadmeView::fitHeight() {
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
