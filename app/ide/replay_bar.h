// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/run_index.h"

#include <QPixmap>
#include <QWidget>

class QAction;
class QMenu;

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// Where one is in a run: a line from its first event to its last, with a mark at each proposal and a taller
/// one at each text that was changed. Dragged with the mouse, or moved by the arrow keys.
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

signals:
    void moved(qint64 number);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void moveTo(int x);
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
    /// `run`: «Run of 21 Nov, 23:40 by script»; `place`: «event 12 of 70»; `problem`: why the text is not the
    /// recorded one.
    void setPlace(const QString &run, const QString &place, const QString &problem);
    void setPlaying(bool isPlaying);
    /// 1, 4, 16; 0: as fast as possible.
    void setSpeed(int speed);
    [[nodiscard]] int speed() const { return m_speed; }

signals:
    void speedPicked(int speed);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();

    const Look &m_look;
    Words *m_run;
    Words *m_place;
    ReplayScrubber *m_scrubber;
    ActionButton *m_play;
    ActionButton *m_speedButton;
    ActionButton *m_goOn;
    ActionButton *m_leave;
    QMenu *m_speeds;
    int m_speed = 1;
};

} // namespace warpwright
