// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QWidget>

class QLabel;
class QTextEdit;

namespace warpwright {

class Look;

/// What is known of the thing under the mouse or the cursor: plain words first, then a text in Markdown. Lies
/// over the window, beside what it speaks of, and never takes the focus; who shows it hides it.
class TextPopup : public QWidget {
    Q_OBJECT
public:
    /// `parent`: any widget of the window that it is to lie over.
    TextPopup(const Look &look, QWidget *parent);

    /// `about`: in global coordinates; the popup lies below it, or above where there is no room. Both texts
    /// empty: hides.
    void showBeside(QWidget *over, const QRect &about, const QString &plain, const QString &markdown);
    /// By so many pages; false: there is no more.
    bool scrollPages(int pages);
    /// For screen readers and tests: all that it says.
    [[nodiscard]] QString said() const;

signals:
    /// The mouse went away from it.
    void left();

protected:
    void paintEvent(QPaintEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    const Look &m_look;
    QLabel *m_plain;
    QTextEdit *m_text;
};

/// Where a popup of this size lies in `room`: below `about`, above it where it would not fit, within the
/// sides.
[[nodiscard]] QRect besideRect(const QRect &room, const QRect &about, const QSize &size);

} // namespace warpwright
