// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

namespace warpwright {

class Look;

/// One notice: what happened, in a title and a sentence, with at most two things to do about it.
struct Notice {
    QString iconName = QStringLiteral("info");
    QString token = QStringLiteral("verdict.notRun"); ///< colour of the edge and the icon
    QString title;
    QString text;
    QString actionName; ///< empty: no button
    std::function<void()> action;
    bool needsReading = false; ///< stays until closed, else Toasts::shownForMs
    QDateTime at;
};

/// Notices at the bottom right of a widget: at most three, never taking the focus, kept for the bell.
class Toasts : public QObject {
    Q_OBJECT
public:
    static constexpr int shownForMs = 6000;

    Toasts(const Look &look, QWidget *ground);

    void show(Notice notice);
    /// Takes those with this title away: what they say is no longer so.
    void closeAll(const QString &title);
    /// Newest last; 200 at most.
    [[nodiscard]] const std::vector<Notice> &kept() const { return m_kept; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();

    const Look &m_look;
    QPointer<QWidget> m_ground;
    std::vector<QPointer<QWidget>> m_shown; // oldest first
    std::vector<Notice> m_kept;
};

} // namespace warpwright
