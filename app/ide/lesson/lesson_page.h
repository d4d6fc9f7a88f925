// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/card.h"
#include "app/ide/lesson/lesson_contents.h"

#include <QHash>

class QVBoxLayout;

namespace warpwright {

class Actions;
class ActionButton;
class BetSwitch;
class ClosingPicture;
class LessonTimesView;
class ReadmeView;

/// A lesson as a page: what one will learn, where one is, what each step taught, and the README.md of the
/// lesson. The times of its steps stand below; once all are decided they are the closing picture, and come
/// first; in a wide window they stand beside the text. Each workspace keeps the place that its page was read
/// at. Shows one value; what is asked for is the owner's to do.
class LessonPage : public QWidget {
    Q_OBJECT
public:
    LessonPage(const Look &look, const Actions &actions, QWidget *parent = nullptr);
    ~LessonPage() override;

    void setContents(const LessonContents &contents);
    /// What its run does now, in place of "nothing was measured yet"; empty: nothing.
    void setWork(const QString &words);
    /// Into sight.
    void revealStep(int number);
    void revealChart();
    [[nodiscard]] LessonTimesView &chart() const;

signals:
    void closed();
    void linkActivated(const QString &address); ///< of a file of the workspace
    void exportAsked(const QString &kind);      ///< "png", "svg", "csv"

protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeOptions();
    void offer();
    void placeChart();
    void keepScroll();
    void scrollTo(int value);
    void scrollOn();
    void fillReadme(const LessonContents &contents);
    void fillGoals(const LessonContents &contents);
    void fillSteps(const LessonContents &contents);
    void sayMeasured();
    [[nodiscard]] QWidget *stepRow(const LessonStep &step, const TimeScale &scale);
    [[nodiscard]] Words *prose(const QString &text, const char *token, QWidget *parent) const;

    const Look &m_look;
    const Actions &m_actions;
    Words *m_title;
    Words *m_place;
    ActionButton *m_begin = nullptr;
    ActionButton *m_continue = nullptr;
    ActionButton *m_anew = nullptr;
    ActionButton *m_close = nullptr;
    BetSwitch *m_bet = nullptr; ///< these three in m_options
    Words *m_whyNot = nullptr;
    ActionButton *m_toChart = nullptr;
    QWidget *m_options;
    QVBoxLayout *m_column = nullptr; ///< of what scrolls
    Card *m_goals;
    CardHead *m_stepsHead;
    Card *m_steps;
    ClosingPicture *m_closing;
    ScrollPage *m_beside = nullptr; ///< holds the picture where the window is wide
    QVBoxLayout *m_besideColumn = nullptr;
    CardHead *m_readmeHead;
    Card *m_readmeCard;
    ReadmeView *m_readme;
    ScrollPage *m_scroll;
    std::optional<Lesson> m_goalsOf;
    QString m_promise; ///< below the goals
    std::optional<LessonStory> m_told;
    QString m_device;              ///< that it was measured on; empty: nothing was
    QString m_work;                ///< what the run does now
    QString m_workspace;           ///< whose lesson is shown
    QHash<QString, int> m_places;  ///< of other workspaces: where the page was read at
    std::optional<int> m_toScroll; ///< once the page is laid out
    bool m_isFresh = false;        ///< the lesson has not begun, and can
    bool m_isLeft = false;         ///< it has begun, and not ended
    bool m_isFinished = false;
    bool m_isToLeave = false; ///< nothing is begun or measured: what is next is in the panes
    bool m_arrives = false;   ///< whoever has come has not pressed or scrolled yet
};

} // namespace warpwright
