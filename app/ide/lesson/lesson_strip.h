// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/card.h"
#include "app/ide/lesson/lesson_contents.h"

class QHBoxLayout;

namespace warpwright {

class ActionButton;

/// A step of a lesson in its strip: its mark, and its number where there is room.
class StepChip : public CardButton {
    Q_OBJECT
public:
    StepChip(const Look &look, const LessonStep &step, bool isCurrent, QWidget *parent);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintFace(QPainter &painter) override;

private:
    LessonStep m_step;
    bool m_isCurrent;
};

/// Where somebody is in a lesson, above the agent's conversation while its steps are reviewed. Hidden where
/// the workspace is no lesson.
class LessonStrip : public QWidget {
    Q_OBJECT
public:
    /// `show`: opens the lesson's page.
    LessonStrip(const Look &look, QAction *show, QWidget *parent = nullptr);

    void setContents(const std::optional<LessonContents> &contents);

signals:
    void stepPicked(int number); ///< from 1

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
    Words *m_place;
    ActionButton *m_open;
    QWidget *m_row;
    QHBoxLayout *m_chips;
    std::vector<LessonStep> m_shown;
};

} // namespace warpwright
