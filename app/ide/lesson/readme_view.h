// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace warpwright {

class Look;

/// A Markdown text as part of a page that scrolls as a whole: in our look, as high as it is, never with a bar
/// of its own.
class ReadmeView : public QTextBrowser {
    Q_OBJECT
public:
    explicit ReadmeView(const Look &look, QWidget *parent = nullptr);

    void showText(const QString &markdown);
    [[nodiscard]] const QString &text() const { return m_text; }

signals:
    void linkActivated(const QString &address);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void fill();
    void fitHeight();

    const Look &m_look;
    QString m_text;
};

} // namespace warpwright
