// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"

#include <QPixmap>
#include <QStringList>
#include <QWidget>

class QAction;
class QMenu;

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// Where one is in a run: a line from its first event to its last, with a mark at each proposal and a taller
/// one at each text that was changed. Dragged with the mouse, or moved by keys: arrows for an event, Page Up
/// and Page Down (the keys of a presenter's remote control) from mark to mark.
class ReplayScrubber : public QWidget {
    Q_OBJECT
public:
    ReplayScrubber(const Look &look, QWidget *parent = nullptr);

    void setLast(qint64 last);
    void setMarks(std::vector<RunMark> marks);
    void setNumber(qint64 number);
    [[nodiscard]] const std::vector<RunMark> &marks() const { return m_marks; }
    /// Where an event lies.
    [[nodiscard]] int xOf(qint64 number) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Moves to the mark before (-1) or behind (1) this place.
    void page(int by);
    /// What a key of its own does; false: it is none.
    bool takeKey(int key);

signals:
    void moved(qint64 number);
    void playAsked();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void moveTo(int x);
    void go(qint64 number);
    void drawMarks();

    const Look &m_look;
    std::vector<RunMark> m_marks;
    QPixmap m_drawnMarks; ///< null: not drawn in this size and look
    qint64 m_last = 1;
    qint64 m_number = 0;
};

/// Above the panes while a past run is open: that it is one and read-only, the way through its events, and
/// the way out.
class ReplayBar : public QWidget {
    Q_OBJECT
public:
    struct Keys {
        QAction *play, *back, *forward, *branch, *goOn, *leave;
    };
    ReplayBar(const Look &look, const Keys &keys, QWidget *parent = nullptr);

    [[nodiscard]] ReplayScrubber &scrubber() const { return *m_scrubber; }
    /// `run`: «Run of 21 Nov, 23:40 by script»; `places`: «event 12 of 70, read-only», and shorter where that
    /// has no room: «12 of 70»; `problem`: why the text is not the recorded one.
    void setPlace(const QString &run, const QStringList &places, const QString &problem);
    void setPlaying(bool isPlaying);
    /// 0.25 to 16; 0: as fast as possible.
    void setSpeed(double speed);
    [[nodiscard]] double speed() const { return m_speed; }
    /// Whether it waits at each proposal while it plays.
    [[nodiscard]] QAction *stopsAtProposals() const { return m_stops; }
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void speedPicked(double speed);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();

    const Look &m_look;
    QString m_runName;
    QStringList m_places;
    QString m_problem;
    Words *m_run;
    Words *m_place;
    ReplayScrubber *m_scrubber;
    ActionButton *m_play;
    ActionButton *m_speedButton;
    ActionButton *m_branch;
    QMenu *m_speeds;
    QAction *m_stops;
    QString m_branchText;
    double m_speed = 1;
};

} // namespace warpwright
