// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;

namespace warpwright {

class Look;
class ReadmeView;
class ScrollPage;

/// A guide that ships with the program, as a page: text, and the action that tries what it tells.
class GuidePage : public QWidget {
    Q_OBJECT
public:
    /// `tries`: stands in the head as a button.
    GuidePage(const Look &look, const QString &title, QAction *tries, QWidget *parent = nullptr);

    void showText(const QString &markdown);

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
    ReadmeView *m_text;
    ScrollPage *m_scroll;
};

} // namespace warpwright
