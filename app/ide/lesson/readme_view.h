// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/lesson/readme_images.h"

#include <QTextBrowser>

namespace warpwright {

class Look;

/// A Markdown text as part of a page that scrolls as a whole: in our look, as high as it is, never with a bar
/// of its own.
class ReadmeView : public QTextBrowser {
    Q_OBJECT
public:
    explicit ReadmeView(const Look &look, QWidget *parent = nullptr);

    void showText(const QString &markdown, const ReadmeImages &images = {});
    [[nodiscard]] const QString &text() const { return m_text; }

signals:
    void linkActivated(const QString &address);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    /// Pictures of the text, and nothing else.
    QVariant loadResource(int type, const QUrl &name) override;

private:
    void fill();
    void fitHeight();
    void fitImages(); ///< none is wider than the page

    const Look &m_look;
    QString m_text;
    ReadmeImages m_images;
};

} // namespace warpwright
