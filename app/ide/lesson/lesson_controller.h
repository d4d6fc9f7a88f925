// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/lesson/lesson_contents.h"
#include "app/ide/workbench/job.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace warpwright {

class Actions;
class LessonPage;
class LessonStrip;
class Look;
class Workbench;

/// The lesson of the open workspace: reads where it stands, from the record of its run, and shows it on the
/// strip and the page. What was recorded is the only source, so that a lesson looks the same while it runs,
/// after a restart and as a recording.
class LessonController : public QObject {
    Q_OBJECT
public:
    LessonController(const Look &look, Workbench &bench, Actions &actions, QWidget *window);

    [[nodiscard]] LessonPage &page() const { return *m_page; }
    /// `content` with the strip on top of it; both belong to what is given back.
    [[nodiscard]] QWidget *above(QWidget *content) const;
    [[nodiscard]] const std::optional<LessonContents> &contents() const { return m_contents; }
    /// Soon: something was recorded. Asked for many times in a row it reads once.
    void readSoon();
    /// The page is asked for once the lesson is read.
    void openPage();
    /// Whether a run goes on, of the lesson's own steps or of an agent: no lesson begins meanwhile.
    void setRunning(bool isRunning, bool isOfSteps);
    /// «the lesson is running», «an agent's run is going on»: why something cannot be done.
    [[nodiscard]] QString runWords() const;
    /// The same as a sentence that says what to do about it.
    [[nodiscard]] QString stopFirstWords() const;
    /// Writes the closing picture, or its numbers.
    [[nodiscard]] Result<void> write(const QString &kind, const QString &file) const;
    /// "softmax.png"
    [[nodiscard]] QString fileName(const QString &kind) const;

    /// What a step's badge does with its proposal («p3») in place of opening the page; false: it does
    /// nothing.
    void setJump(std::function<bool(const QString &proposal)> jump) { m_jump = std::move(jump); }

signals:
    void pageAsked();
    void shown(); ///< what was read last is on strip and page

private:
    void read();
    void take(const std::optional<LessonContents> &contents);
    void enable();

    Workbench &m_bench;
    Actions &m_actions;
    LessonStrip *m_strip;
    LessonPage *m_page;
    std::optional<LessonContents> m_contents;
    std::function<bool(const QString &)> m_jump;
    QTimer m_soon;
    JobNumber m_jobs;
    int m_readings = 0; ///< under way
    bool m_opensPage = false;
    bool m_isRunning = false;
    bool m_isOfSteps = false; ///< what runs is the lesson
};

} // namespace warpwright
