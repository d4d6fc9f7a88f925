// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/card.h"
#include "app/ide/lesson/lesson_contents.h"

namespace warpwright {

class Actions;
class ActionButton;
class LessonTimesView;
class ReadmeView;

/// A lesson as a page: what one will learn, where one is, what each step taught, the closing picture, and the
/// README.md of the lesson. Shows one value; what is asked for is the owner's to do.
class LessonPage : public QWidget {
    Q_OBJECT
public:
    LessonPage(const Look &look, const Actions &actions, QWidget *parent = nullptr);
    ~LessonPage() override;

    void setContents(const LessonContents &contents);
    /// Into sight.
    void revealStep(int number);
    [[nodiscard]] LessonTimesView &chart() const { return *m_chart; }

signals:
    void closed();
    void linkActivated(const QString &address); ///< of a file of the workspace
    void exportAsked(const QString &kind);      ///< "png", "svg", "csv"

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QWidget *makeHead(const Actions &actions);
    [[nodiscard]] QWidget *makeChart();
    void fillGoals(const LessonContents &contents);
    void fillSteps(const LessonContents &contents);
    [[nodiscard]] QWidget *stepRow(const LessonStep &step, const TimeScale &scale);
    [[nodiscard]] Words *prose(const QString &text, const char *token, QWidget *parent) const;

    const Look &m_look;
    Words *m_title;
    Words *m_place;
    ActionButton *m_close = nullptr;
    Card *m_goals;
    CardHead *m_stepsHead;
    Card *m_steps;
    LessonTimesView *m_chart;
    CardHead *m_readmeHead;
    Card *m_readmeCard;
    ReadmeView *m_readme;
    ScrollPage *m_scroll;
    std::optional<Lesson> m_goalsOf;
    std::optional<LessonStory> m_told;
};

} // namespace warpwright
