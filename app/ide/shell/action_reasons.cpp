// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/action_reasons.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/shell/device_display.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>

namespace warpwright {
namespace {

void say(QAction *action, const QString &why) {
    Actions::setReason(action, why);
}

QString noWorkspace() {
    return ActionReasons::tr("no workspace is open");
}

} // namespace

ActionReasons::ActionReasons(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

bool ActionReasons::hasRun() const {
    return m_agent != nullptr && m_agent->isRunning();
}

QString ActionReasons::runWords() const {
    return hasRun() ? m_parts.lesson.runWords() : QString();
}

void ActionReasons::update() {
    updateRuns();
    updateTexts();
    updateIterations();
    emit updated();
}

void ActionReasons::updateRuns() {
    const Actions &a = m_parts.actions;
    const bool isOpen = m_parts.bench.workspace().has_value();
    const bool isRunning = m_parts.bench.isRunning();
    const bool hasCandidate = isOpen && !m_parts.bench.workspace()->modelNewFile.isEmpty();
    const QString locked = m_parts.bench.readOnlyReason();
    say(a.followLesson, runWords());
    say(a.budgets, isOpen ? QString() : noWorkspace());
    for (QAction *tune : a.tuneModels() + a.tuneAgents() + QList<QAction *>{a.tunePlaybook, a.tuneScript})
        say(tune, !isOpen         ? noWorkspace()
                  : hasRun()      ? runWords()
                  : isRunning     ? tr("a check is running")
                  : !hasCandidate ? tr("there is no candidate yet")
                                  : locked);
    const QString noCheck = !isOpen             ? noWorkspace()
                            : hasRun()          ? runWords()
                            : !locked.isEmpty() ? locked
                            : m_parts.bench.shown().isEarlier
                                ? tr("an earlier iteration is shown; branch from it or go back")
                                : QString();
    say(a.check, noCheck);
    say(a.certify, noCheck);
    say(a.sweepConfigs, noCheck.isEmpty() ? m_parts.device.whyNoSweep() : noCheck);
    say(a.stop, isRunning || hasRun() || m_parts.counters.isRunning() ? QString() : tr("nothing runs"));
}

void ActionReasons::updateTexts() {
    const Actions &a = m_parts.actions;
    const bool isOpen = m_parts.bench.workspace().has_value();
    const QString locked = m_parts.bench.readOnlyReason();
    say(a.closeWorkspace, isOpen ? QString() : noWorkspace());
    const bool hasCandidate = isOpen && !m_parts.bench.workspace()->modelNewFile.isEmpty();
    say(a.beginCandidate, !isOpen        ? noWorkspace()
                          : hasCandidate ? tr("there is a candidate already")
                                         : locked);
    const QString noEdit = !isOpen                           ? noWorkspace()
                           : m_parts.bench.shown().isEarlier ? tr("an earlier iteration is read-only")
                                                             : locked;
    // What is answered is written by the run, and nothing else meanwhile.
    for (QAction *action : {a.save, a.newKernel, a.renameFile, a.deleteFile})
        say(action, hasRun() ? runWords() : noEdit);
    for (QAction *action : {a.toggleComment, a.addOccurrence, a.replace})
        say(action, noEdit);
    for (QAction *action :
         {a.find, a.goToLine, a.matchingBrace, a.nextMark, a.previousMark, a.toggleFold, a.unfoldAll})
        say(action, isOpen ? QString() : noWorkspace());
}

void ActionReasons::updateIterations() {
    const Actions &a = m_parts.actions;
    const bool isEarlier = m_parts.bench.shown().isEarlier;
    say(a.backToText, isEarlier ? QString() : tr("your own text is shown"));
    say(a.branchHere, !isEarlier                  ? tr("pick an earlier iteration first")
                      : hasRun()                  ? runWords()
                      : m_parts.bench.isRunning() ? tr("a check is running")
                                                  : m_parts.bench.readOnlyReason());
    const bool hasSeveral = m_parts.bench.iterations().size() > 1;
    for (QAction *action : {a.previousIteration, a.nextIteration})
        say(action, hasSeveral ? QString() : tr("there is no other iteration"));
}

} // namespace warpwright
