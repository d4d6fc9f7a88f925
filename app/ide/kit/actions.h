// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>

namespace warpwright {

/// Every act of the window by its name: menu, buttons, palette and keys all trigger these. Each has an object
/// name
/// ("check"), a group, an icon, a key that the settings may change, and while disabled a reason.
class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QObject *parent = nullptr);

    // Workspace
    QAction *open, *openFile, *openProblems, *newFromModel, *beginCandidate, *startPage, *closeWorkspace,
        *share, *save, *newKernel, *renameFile, *deleteFile, *quit;
    // Check
    QAction *check, *certify, *sweepConfigs, *stop;
    // Iterations
    QAction *backToText, *previousIteration, *nextIteration, *branchHere, *compareWithParent,
        *compareWithText, *compareWithEager, *compareWithCompile, *compareWithBaseline, *compareSelected;
    // Agent
    QAction *tunePlaybook, *setUpModel, *setUpAgent, *expertFirst, *tuneScript, *followLesson, *showLesson,
        *beginLesson, *beginLessonAnew, *openLesson, *writeLesson, *modeReview, *modeStep, *modeAuto, *run,
        *pause, *answerAgent, *measureHunks, *keepStep, *branchStep, *undoStep, *bet, *betsFirst, *budgets;
    // Past runs
    QAction *pastRuns, *openRun, *replayPlay, *replayBack, *replayForward, *continueRun;
    // Review
    QAction *nextHunk, *previousHunk, *acceptHunk, *rejectHunk, *editHunk, *acceptAllHunks, *rejectAllHunks,
        *acceptHunkOnly, *rejectHunkOnly, *undoDecision, *takeMine, *takeTheirs, *editMerge;
    // Edit
    QAction *findAll, *replaceAll, *nextFound, *previousFound;
    QAction *find, *replace, *goToLine, *toggleComment, *addOccurrence, *matchingBrace, *nextMark,
        *previousMark, *toggleFold, *unfoldAll;
    // Code
    QAction *completeHere, *callHint, *showDocumentation, *goToDefinition, *findReferences, *goToSymbol,
        *placeBack, *placeForward, *renameSymbol, *formatFile, *formatSelection, *writeFormatStyle,
        *restartLanguage;
    // Lines, cursors, files and changes: files/editing_actions.cpp
    QAction *moveLinesUp, *moveLinesDown, *duplicateLines, *deleteLines, *joinLines, *indentLines,
        *dedentLines, *caretAbove, *caretBelow, *nextChange, *previousChange, *revertChange, *revertFile,
        *takeShownText, *changesSinceCheck, *changesSinceHead, *openBeside, *closeBeside, *otherEditor,
        *nextFile, *previousFile, *openTerminal, *runCommand;
    // View
    QAction *goToFile, *goToIteration;
    QAction *commands, *toggleIterations, *toggleAgent, *enlarge[4], *nextPane, *previousPane, *resetLayout,
        *larger, *smaller, *normalSize, *notices, *swapRows, *showHeat;
    // Program
    QAction *settings, *doctor, *setUp, *about, *themeLight, *themeDark, *themeSystem;
    // Profile
    /// «Show roofline» and its like; property "page": the name that ProfilePanel::showPage() takes.
    QList<QAction *> showPages;
    QAction *exportPng, *exportSvg, *exportCsv, *collectCounters, *collectAllCounters, *collectBaselines,
        *traceTimeline, *stopCounters, *openReport, *attachReport, *closeReport, *switchCounters, *showVerify;

    [[nodiscard]] QList<QAction *> all() const { return m_all; }
    /// «Let NAME tune» of each model that is set up, in their order.
    void setModels(const QStringList &names);
    [[nodiscard]] const QList<QAction *> &tuneModels() const { return m_models; }
    /// The same of each external agent that is set up or was found.
    void setAgents(const QStringList &names);
    [[nodiscard]] const QList<QAction *> &tuneAgents() const { return m_agents; }
    /// The groups, as other editors order them: what is done to texts stands behind what is done to files.
    [[nodiscard]] QStringList menuOrder() const;
    /// In its group's menu a line stands before it.
    [[nodiscard]] bool beginsSection(const QAction *action) const;
    /// Also those of models and external agents, behind the playbook's.
    [[nodiscard]] QList<QAction *> allNow() const;
    /// All that answer a proposal at once; empty: they can be used.
    void setNoReview(const QString &whyNot);
    /// All that steer an agent at once.
    void setNoSession(const QString &whyNot);
    /// Disabled with a reason that tooltip and palette show; an empty reason enables.
    static void setReason(QAction *action, const QString &whyDisabled);
    /// `keys`: object name to key text ("Ctrl+K"); those that are missing get ours again.
    void setKeys(const QHash<QString, QString> &keys);

signals:
    /// Other models, or other external agents.
    void offersChanged();
    void tuneModelAsked(const QString &name);
    void tuneAgentAsked(const QString &name);

private:
    void addText();
    void addLanguage();
    void addEditing();
    void fitSecondKeys();
    using Asked = void (Actions::*)(const QString &name);
    void offer(QList<QAction *> &offered, const QStringList &names, const QString &kind, Asked asked);
    QAction *add(const char *name, const QString &group, const QString &text, const char *icon,
                 const QString &key = {});

    QList<QAction *> m_all;
    QList<QAction *> m_models;
    QList<QAction *> m_agents;
};

} // namespace warpwright
