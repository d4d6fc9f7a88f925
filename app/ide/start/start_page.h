// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/recordings.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/workbench/job.h"
#include "toolchain/base/settings.h"
#include "toolchain/history/recent_workspaces.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/samples.h"

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace warpwright {

class Card;
class DoctorPanel;
class JudgeNotice;
class Look;
class ScrollPage;
class StartRow;
class Words;

/// Where a person begins: ways to open something, what was open before, samples, and what the doctor found.
/// Reads its lists in the pool; opens nothing itself.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(const Look &look, const DataFolders &folders, QWidget *parent = nullptr);

    /// The keys that do the same as the three ways to begin, as text: "Ctrl+O".
    void setKeys(const QString &open, const QString &newFromModel, const QString &problem);
    void setSettings(const Settings &settings);
    /// Whether the doctor begins by himself when the page is first seen.
    void setExaminesOnShow(bool examines) { m_examinesOnShow = examines; }
    [[nodiscard]] DoctorPanel &doctor() { return *m_doctor; }
    [[nodiscard]] JudgeNotice &judge() { return *m_judge; }

    /// Reads recent workspaces and samples again; ends in filled().
    void refresh();
    void showRecent(const std::vector<RecentWorkspace> &recent);
    /// Runs and lessons that were left before their end; none: their part is away.
    void showLeft(const std::vector<LeftWork> &left);
    /// A run goes on in this window, in that workspace's folder, and was not left; empty: none does.
    void setAtWork(const QString &folder);
    void showSamples(const Result<std::vector<Sample>> &samples);
    void showLessons(const Result<std::vector<Lesson>> &lessons);
    void showRecordings(const std::vector<Recording> &recordings);
    /// Above all, until the page is left; empty: nothing.
    void say(const QString &words);
    /// Scrolls to the lessons, and gives the first one the keys.
    void revealLessons();
    /// Scrolls to what was found on this machine.
    void revealDoctor();

signals:
    void openAsked(const QString &path);
    void continueAsked(const QString &path, bool isLesson);
    void sampleAsked(const QString &name);
    void lessonAsked(const QString &name);
    void lessonElsewhereAsked(const QString &name); ///< in a folder that the person chooses
    void ownLessonAsked(QWidget *row);              ///< to follow a lesson from a folder, or to write one
    void recordingAsked(const QString &name);
    void newAsked();
    void openDialogAsked();
    void problemAsked();
    /// A model or an agent is to be set up; the choice belongs below that row.
    void agentsAsked(QWidget *row);
    void setUpAsked();
    void filled();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void focusLesson(QWidget *first);
    QWidget *makeHead(QWidget *parent);
    QWidget *makeLeft(QWidget *parent);
    QWidget *makeMiddle(QWidget *parent);
    QWidget *makeRight(QWidget *parent);
    void sayInCard(Card *card, const QString &title, const QString &text);
    void arrange();

    const Look &m_look;
    DataFolders m_folders;
    bool m_wantsLesson = false; ///< the first one is to have the keys
    ScrollPage *m_scroll = nullptr;
    QWidget *m_content = nullptr;
    QHBoxLayout *m_row = nullptr;
    Words *m_said = nullptr;
    JudgeNotice *m_judge = nullptr;
    QVBoxLayout *m_lanes[3] = {nullptr, nullptr, nullptr};
    QWidget *m_columns[3] = {nullptr, nullptr, nullptr};
    StartRow *m_open = nullptr;
    StartRow *m_new = nullptr;
    StartRow *m_problem = nullptr;
    QWidget *m_leftPart = nullptr;
    QString m_atWork;
    std::vector<LeftWork> m_leftWork;
    Card *m_left = nullptr;
    Card *m_recent = nullptr;
    Words *m_recentNote = nullptr;
    QWidget *m_sampleCards = nullptr;
    Words *m_sampleNote = nullptr;
    Card *m_broken = nullptr;
    Card *m_lessons = nullptr;
    QWidget *m_recordingPart = nullptr;
    Card *m_recordings = nullptr;
    DoctorPanel *m_doctor = nullptr;
    JobNumber m_jobs;
    int m_columnCount = 0;
    bool m_examinesOnShow = true;
};

} // namespace warpwright
