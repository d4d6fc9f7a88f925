// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/left_work.h"

#include "agent/record/live_run.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/workspace.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t lookedAt = 8; ///< of the recent ones: each is a run to be read

QString words(const char *text) {
    return QCoreApplication::translate("LeftWork", text);
}

QString subjectOf(const AgentName &agent) {
    return agent.isNamed()                      ? agent.name
           : agent.kind == AuthorKind::Playbook ? words("The playbook")
                                                : words("The series of patches");
}

} // namespace

LeftWork leftWorkIn(const QString &path, const DataFolders &folders) {
    const Result<Workspace> workspace = Workspace::open(path, folders);
    if (!workspace.hasValue())
        return {};
    LeftWork work;
    work.path = path;
    work.name = workspace.value().name;
    work.left = leftRun(workspace.value().state);
    if (!work.left.agent.isAgent())
        work.left = {};
    if (work.left.agent.kind == AuthorKind::Script)
        if (const std::optional<Lesson> lesson = lessonIn(workspace.value().folder); lesson)
            work.steps = lesson->steps;
    return work;
}

std::vector<LeftWork> leftWork(const std::vector<RecentWorkspace> &recent, const DataFolders &folders) {
    std::vector<LeftWork> found;
    for (std::size_t i = 0; i < std::min(recent.size(), lookedAt); ++i) {
        LeftWork work = recent[i].isMissing ? LeftWork() : leftWorkIn(recent[i].path, folders);
        if (!work.left.run.isEmpty() && !work.left.process)
            found.push_back(std::move(work));
    }
    return found;
}

BegunLesson begunLesson(const QString &lesson, const QString &data) {
    BegunLesson begun{{}, nextLessonFolder(lesson, data)};
    const QString first = data + QStringLiteral("/lessons/") + lesson;
    QString folder = first;
    for (int number = 2; folder != begun.next; ++number) {
        if (QFileInfo::exists(folder + QStringLiteral("/model.py")))
            begun.last = folder;
        folder = QStringLiteral("%1-%2").arg(first).arg(number);
    }
    return begun;
}

QString leftTitle(const LeftWork &work) {
    if (work.left.process)
        return (work.isLesson() ? words("The lesson %1") : words("An agent %1"))
            .arg(runsElsewhereWords(*work.left.process));
    if (work.left.isByBudget)
        return words("A run has used up its budget");
    if (work.isLesson())
        return words("The lesson stopped at step %1 of %2").arg(std::max(1, work.left.step)).arg(work.steps);
    return words("A run was left before its end");
}

QString leftWords(const LeftWork &work) {
    const LeftRun &left = work.left;
    const QString title = left.title.isEmpty() ? QString() : QStringLiteral("«%1»").arg(left.title);
    if (left.process)
        return title.isEmpty()
                   ? words("%1 has proposed nothing yet. Whatever comes is answered there.")
                         .arg(subjectOf(left.agent))
                   : words("%1 is at proposal %2, %3. It is answered there; this window shows what was made.")
                         .arg(subjectOf(left.agent), QString::number(left.proposal), title);
    if (left.isByBudget)
        return words("%1 can go on where it was: raise the budget, then continue the run.")
            .arg(subjectOf(left.agent));
    if (title.isEmpty())
        return words("%1 had proposed nothing yet. It can go on.").arg(subjectOf(left.agent));
    if (work.isLesson())
        return words("It was at %1. It goes on from there; what was kept is kept.").arg(title);
    return words("%1 was at proposal %2, %3. It can go on from there; what was kept is kept.")
        .arg(subjectOf(left.agent), QString::number(left.proposal), title);
}

} // namespace warpwright
