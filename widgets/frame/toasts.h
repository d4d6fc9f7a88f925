// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QPointer>
#include <QTimer>
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
    bool needsReading = false; ///< stays for Toasts::readForMs, else Toasts::shownForMs
    bool isOfProgram = false;  ///< stays when another workspace is opened
    QDateTime at;
};

/// Notices over a widget, each once however often it is told: at most three, never taking the focus, kept for
/// the bell. They stand at the bottom right, or where they cover nothing that is pressed or written into, the
/// cursor in a text among it, and no chart; a person who points at one or works in it keeps it.
class Toasts : public QObject {
    Q_OBJECT
public:
    static constexpr int shownForMs = 6000;
    static constexpr int readForMs = 20000;

    Toasts(const Look &look, QWidget *ground);

    void show(Notice notice);
    /// Takes those with this title away: what they say is no longer so.
    void closeAll(const QString &title);
    /// Those that stood for a while: another page is shown, and what was just told may be about that one.
    void closeOlder();
    /// Those of the workspace that was left: they stay behind the bell.
    void closeOfWorkspace();
    /// How many were told since the program began.
    [[nodiscard]] int told() const { return m_told; }
    /// Newest last; 200 at most.
    [[nodiscard]] const std::vector<Notice> &kept() const { return m_kept; }

signals:
    void toldChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    [[nodiscard]] std::vector<QRect> used() const;
    [[nodiscard]] QRect cursorRect() const;
    [[nodiscard]] static int covered(const QRect &rect, const std::vector<QRect> &used);
    [[nodiscard]] QRect freePlace(const QSize &size) const;
    [[nodiscard]] bool isThere(const Notice &notice);

    const Look &m_look;
    QPointer<QWidget> m_ground;
    int m_told = 0;
    QRect m_place;                          ///< of all that are shown
    QTimer m_watch;                         ///< what lies below may change while they stand
    std::vector<QPointer<QWidget>> m_shown; // oldest first
    std::vector<Notice> m_kept;
};

} // namespace warpwright
