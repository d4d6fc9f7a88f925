// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/actions.h"

#include <QActionGroup>

#include <algorithm>
#include <utility>

namespace warpwright {

Actions::Actions(QObject *parent) : QObject(parent) {
    const QString workspace = tr("Workspace");
    open = add("open", workspace, tr("Open a workspace…"), "folder", QStringLiteral("Ctrl+O"));
    newFromModel =
        add("newFromModel", workspace, tr("New from model.py…"), "new-file", QStringLiteral("Ctrl+N"));
    openFile =
        add("openFile", workspace, tr("Open a KernelBench problem…"), "file", QStringLiteral("Ctrl+Alt+O"));
    openProblems = add("openProblems", workspace, tr("Open a folder of KernelBench problems…"), "folder");
    startPage = add("startPage", workspace, tr("Start page"), "panel-left", QStringLiteral("Ctrl+Shift+H"));
    closeWorkspace =
        add("closeWorkspace", workspace, tr("Close the workspace"), "close", QStringLiteral("Ctrl+Shift+W"));
    share = add("share", workspace, tr("Share this text as a page…"), "export");
    share->setToolTip(
        tr("One file for any browser: the task, the verdict, charts, what was tried, the sources"));
    beginCandidate = add("beginCandidate", workspace, tr("Write a first candidate"), "new-file");
    save = add("save", workspace, tr("Save"), "save", QStringLiteral("Ctrl+S"));
    newKernel = add("newKernel", workspace, tr("New kernel…"), "new-file");
    renameFile = add("renameFile", workspace, tr("Rename the file…"), "edit", QStringLiteral("Shift+F2"));
    deleteFile = add("deleteFile", workspace, tr("Delete the file"), "trash");
    quit = add("quit", workspace, tr("Quit"), "close", QStringLiteral("Ctrl+Q"));

    const QString checking = tr("Check");
    check = add("check", checking, tr("Check"), "check", QStringLiteral("F5"));
    certify = add("certify", checking, tr("Check, certify tier (all baselines live)"), "shield",
                  QStringLiteral("Shift+F5"));
    sweepConfigs = add("sweepConfigs", checking, tr("Check and try every config"), "samples");
    sweepConfigs->setToolTip(tr("Check, then time every value that ModelNew.CHOICES names; needs a GPU"));
    stop = add("stop", checking, tr("Stop"), "stop", QStringLiteral("Ctrl+."));

    const QString iterations = tr("Iterations");
    backToText =
        add("backToText", iterations, tr("Back to my text"), "undo", QStringLiteral("Ctrl+Backspace"));
    backToText->setIconText(tr("My text"));
    previousIteration =
        add("previousIteration", iterations, tr("Earlier iteration"), "prev", QStringLiteral("Ctrl+PgUp"));
    nextIteration =
        add("nextIteration", iterations, tr("Later iteration"), "next", QStringLiteral("Ctrl+PgDown"));
    branchHere = add("branchHere", iterations, tr("Branch from here"), "branch");
    branchHere->setIconText(tr("Branch"));
    compareWithParent = add("compareWithParent", iterations, tr("Compare with parent"), "compare",
                            QStringLiteral("Ctrl+Shift+D"));
    compareWithText = add("compareWithText", iterations, tr("Compare with my text"), "compare");
    compareWithEager = add("compareWithEager", iterations, tr("Compare with eager"), "compare");
    compareWithCompile = add("compareWithCompile", iterations, tr("Compare with torch.compile"), "compare");
    compareWithBaseline =
        add("compareWithBaseline", iterations, tr("Compare with the counters' baseline"), "compare");
    compareSelected =
        add("compareSelected", iterations, tr("Compare the two selected iterations"), "compare");
    compareSelected->setIconText(tr("Compare the two"));

    const QString agent = tr("Agent");
    tunePlaybook = add("tunePlaybook", agent, tr("Let the playbook tune"), "playbook");
    tuneScript = add("tuneScript", agent, tr("Review a series of patches…"), "review");
    followLesson = add("followLesson", agent, tr("Follow a lesson"), "review");
    showLesson = add("showLesson", agent, tr("Show the lesson"), "lesson");
    add("closingPicture", agent, tr("Show the closing picture of the lesson"), "chart");
    beginLesson = add("beginLesson", agent, tr("Begin the lesson"), "lesson");
    beginLessonAnew = add("beginLessonAnew", agent, tr("Begin the lesson anew…"), "undo");
    beginLessonAnew->setToolTip(tr("In another folder; this one stays as it is"));
    openLesson = add("openLesson", agent, tr("Follow a lesson from a folder…"), "folder");
    writeLesson = add("writeLesson", agent, tr("How to write a lesson"), "lesson");
    continueRun = add("continueRun", agent, tr("Continue this run"), "run");
    continueRun->setIconText(tr("Continue"));
    setUpModel = add("setUpModel", agent, tr("Set up a model…"), "model");
    setUpAgent = add("setUpAgent", agent, tr("Set up another program's agent…"), "acp");
    budgets = add("budgets", agent, tr("Budgets…"), "step");
    budgets->setToolTip(tr("What the run may use, or the next ones: iterations, minutes, tokens, cost"));
    expertFirst = add("expertFirst", agent, tr("Models begin with the playbook"), "check");
    expertFirst->setCheckable(true);
    expertFirst->setToolTip(tr("The playbook writes kernels first, and the model goes on from them"));
    bet = add("bet", agent, tr("Bet on the proposal…"), "step", QStringLiteral("Alt+B"));
    betsFirst = add("betsFirst", agent, tr("Bet before results"), "target");
    betsFirst->setCheckable(true);
    modeReview =
        add("modeReview", agent, tr("Review: decide each hunk"), "review", QStringLiteral("Alt+Shift+1"));
    modeStep =
        add("modeStep", agent, tr("Step: decide once an iteration"), "step", QStringLiteral("Alt+Shift+2"));
    modeAuto = add("modeAuto", agent, tr("Auto: the policy decides"), "auto", QStringLiteral("Alt+Shift+3"));
    modeReview->setIconText(tr("Review"));
    modeStep->setIconText(tr("Step"));
    modeAuto->setIconText(tr("Auto"));
    auto *modes = new QActionGroup(this);
    for (QAction *mode : {modeReview, modeStep, modeAuto}) {
        mode->setCheckable(true);
        modes->addAction(mode);
    }
    run = add("run", agent, tr("Run"), "run", QStringLiteral("Ctrl+R"));
    pause = add("pause", agent, tr("Pause"), "pause", QStringLiteral("Ctrl+Shift+."));
    answerAgent =
        add("answerAgent", agent, tr("Answer the agent's question"), "person", QStringLiteral("Alt+A"));
    measureHunks = add("measureHunks", agent, tr("Measure each hunk: only it, and all without it"), "chart");
    keepStep = add("keepStep", agent, tr("Keep the step"), "accept", QStringLiteral("Alt+K"));
    branchStep = add("branchStep", agent, tr("Keep the step as a branch, go on from the text before"),
                     "branch", QStringLiteral("Alt+Shift+K"));
    undoStep = add("undoStep", agent, tr("Revert the step"), "undo", QStringLiteral("Alt+U"));

    openRun = add("openRun", agent, tr("Open the run that has ended"), "history");
    pastRuns = add("pastRuns", agent, tr("Past runs…"), "history", QStringLiteral("Ctrl+Alt+R"));
    replayPlay =
        add("replayPlay", agent, tr("Play the replay, or pause it"), "run", QStringLiteral("Ctrl+Alt+Space"));
    // With Ctrl and Alt arrows change the desktop on many machines: there the window never hears of them.
    replayBack =
        add("replayBack", agent, tr("One event back"), "chevron-left", QStringLiteral("Ctrl+Shift+PgUp"));
    replayBack->setProperty("secondKey", QStringLiteral("Ctrl+Alt+Left"));
    replayForward = add("replayForward", agent, tr("One event further"), "chevron-right",
                        QStringLiteral("Ctrl+Shift+PgDown"));
    replayForward->setProperty("secondKey", QStringLiteral("Ctrl+Alt+Right"));

    const QString review = tr("Review");
    nextHunk = add("nextHunk", review, tr("Next hunk"), "next", QStringLiteral("Alt+Down"));
    previousHunk = add("previousHunk", review, tr("Previous hunk"), "prev", QStringLiteral("Alt+Up"));
    acceptHunk = add("acceptHunk", review, tr("Accept hunk"), "accept", QStringLiteral("Alt+Y"));
    rejectHunk = add("rejectHunk", review, tr("Reject hunk"), "reject", QStringLiteral("Alt+N"));
    editHunk = add("editHunk", review, tr("Edit hunk"), "edit", QStringLiteral("Alt+E"));
    acceptAllHunks =
        add("acceptAllHunks", review, tr("Accept all hunks"), "accept", QStringLiteral("Alt+Shift+Y"));
    rejectAllHunks =
        add("rejectAllHunks", review, tr("Reject the rest"), "reject", QStringLiteral("Alt+Shift+N"));
    acceptHunkOnly =
        add("acceptHunkOnly", review, tr("Accept this hunk without those it belongs to"), "accept");
    rejectHunkOnly =
        add("rejectHunkOnly", review, tr("Reject this hunk without those it belongs to"), "reject");
    undoDecision = add("undoDecision", review, tr("Undo the last decision"), "undo");
    takeMine = add("takeMine", review, tr("Conflict: take mine"), "person", QStringLiteral("Alt+M"));
    takeTheirs = add("takeTheirs", review, tr("Conflict: take theirs"), "accept", QStringLiteral("Alt+T"));
    editMerge = add("editMerge", review, tr("Conflict: edit the merge"), "edit", QStringLiteral("Alt+G"));
    takeMine->setIconText(tr("Take mine"));
    takeTheirs->setIconText(tr("Take theirs"));
    editMerge->setIconText(tr("Edit the merge"));
    setNoReview(tr("no proposal is under review"));
    setNoSession(tr("there is no agent"));

    addText();
    const QString edit = tr("Edit");
    find = add("find", edit, tr("Find"), "search", QStringLiteral("Ctrl+F"));
    replace = add("replace", edit, tr("Find and replace"), "search", QStringLiteral("Ctrl+H"));
    findAll = add("findAll", edit, tr("Find in all texts…"), "search", QStringLiteral("Ctrl+Shift+F"));
    replaceAll = add("replaceAll", edit, tr("Replace in all files of the candidate…"), "search");
    nextFound = add("nextFound", edit, tr("Next hit in all texts"), "next", QStringLiteral("F4"));
    previousFound =
        add("previousFound", edit, tr("Previous hit in all texts"), "prev", QStringLiteral("Shift+F4"));
    goToLine = add("goToLine", edit, tr("Go to line…"), "line", QStringLiteral("Ctrl+G"));
    toggleComment =
        add("toggleComment", edit, tr("Comment or uncomment lines"), "edit", QStringLiteral("Ctrl+/"));
    addOccurrence =
        add("addOccurrence", edit, tr("Select the next occurrence too"), "plus", QStringLiteral("Ctrl+D"));
    matchingBrace =
        add("matchingBrace", edit, tr("Go to the matching bracket"), "brackets", QStringLiteral("Ctrl+M"));
    nextMark = add("nextMark", edit, tr("Next diagnostic"), "next", QStringLiteral("F8"));
    previousMark = add("previousMark", edit, tr("Previous diagnostic"), "prev", QStringLiteral("Shift+F8"));
    toggleFold = add("toggleFold", edit, tr("Fold or unfold here"), "minus", QStringLiteral("Ctrl+Shift+M"));
    unfoldAll = add("unfoldAll", edit, tr("Unfold all"), "plus");
    addEditing();
    addLanguage();

    const QString view = tr("View");
    commands = add("commands", view, tr("All commands"), "search", QStringLiteral("Ctrl+Shift+P"));
    goToFile = add("goToFile", view, tr("Go to a file or an iteration…"), "file", QStringLiteral("Ctrl+P"));
    goToIteration = add("goToIteration", view, tr("Go to an iteration…"), "history");
    toggleIterations =
        add("toggleIterations", view, tr("Show iterations"), "panel-left", QStringLiteral("Ctrl+Alt+I"));
    toggleAgent = add("toggleAgent", view, tr("Show the agent"), "panel-right", QStringLiteral("Ctrl+Alt+A"));
    toggleAgent->setProperty("secondKey", QStringLiteral("Ctrl+Alt+5")); // beside the four panes' own
    static const char *const names[] = {"enlargeReference", "enlargeCandidate", "enlargeBuild",
                                        "enlargeProfile"};
    const QString panes[] = {tr("Reference"), tr("Candidate"), tr("Build"), tr("Profile")};
    for (int i = 0; i < 4; ++i)
        enlarge[i] = add(names[i], view, tr("Maximize %1, or restore all").arg(panes[i]), "plus",
                         QStringLiteral("Ctrl+Alt+%1").arg(i + 1));
    nextPane = add("nextPane", view, tr("Next pane"), "next", QStringLiteral("F6"));
    previousPane = add("previousPane", view, tr("Previous pane"), "prev", QStringLiteral("Shift+F6"));
    swapRows = add("swapRows", view, tr("Swap upper and lower panes"), "compare");
    showHeat = add("showHeat", view, tr("Show heat beside the lines"), "heat");
    showHeat->setCheckable(true);
    showHeat->setChecked(true);
    resetLayout = add("resetLayout", view, tr("Reset layout"), "undo");
    larger = add("larger", view, tr("Larger text"), "plus", QStringLiteral("Ctrl++"));
    larger->setProperty("secondKey", QStringLiteral("Ctrl+="));
    smaller = add("smaller", view, tr("Smaller text"), "minus", QStringLiteral("Ctrl+-"));
    normalSize = add("normalSize", view, tr("Text at 100 %"), "undo", QStringLiteral("Ctrl+0"));
    add("present", view, tr("Present this pane alone, or all again"), "target", QStringLiteral("Shift+F11"))
        ->setToolTip(
            tr("It fills the window. Page Down and Page Up go through hunks and events, Esc ends it"));
    add("fullScreen", view, tr("Full screen, or back"), "plus", QStringLiteral("F11"));
    notices = add("notices", view, tr("Notices"), "bell");
    themeSystem = add("themeSystem", view, tr("Theme of the system"), "theme");
    themeLight = add("themeLight", view, tr("Light theme"), "sun");
    themeDark = add("themeDark", view, tr("Dark theme"), "moon");

    const QString profile = tr("Profile");
    const auto page = [&](const char *name, const char *shows, const QString &text, const char *icon) {
        showPages << add(name, profile, text, icon);
        showPages.last()->setProperty("page", QString::fromLatin1(shows));
    };
    page("showOverview", "overview", tr("Show overview: what is known of this text"), "chart");
    page("showSpeedup", "speedup", tr("Show speed-up"), "chart");
    page("showGraph", "graph", tr("Show times as one CUDA graph"), "chart");
    page("showDistribution", "distribution", tr("Show distribution of the samples"), "distribution");
    page("showHistory", "history", tr("Show history of the iterations"), "history");
    page("showConfigs", "configs", tr("Show times of other configs"), "samples");
    page("showHunks", "hunks", tr("Show what each hunk does to the time"), "chart");
    page("showWhy", "findings", tr("Show why: findings, the largest gain first"), "finding");
    page("showRoofline", "roofline", tr("Show roofline"), "roofline");
    page("showTimeline", "timeline", tr("Show timeline of a call"), "timeline");
    page("showCounters", "counters", tr("Show counters of Nsight Compute"), "memory");
    page("showOccupancy", "occupancy", tr("Show occupancy"), "occupancy");
    page("showHeatPage", "heat", tr("Show source heat: the hottest lines"), "heat");
    page("showAssembly", "assembly", tr("Show assembly: SASS and PTX"), "sass");
    showVerify =
        add("showVerify", profile, tr("Show verify: verdict, worst elements, failure map"), "shield");
    showVerify->setProperty("otherNames", QStringLiteral("wrong errors"));
    // What people type who do not know our names.
    const auto alsoNamed = [this](const char *shows, const char *words) {
        for (QAction *action : showPages)
            if (action->property("page").toString() == QLatin1String(shows))
                action->setProperty("otherNames", QString::fromLatin1(words));
    };
    alsoNamed("findings", "slow bottleneck hints reasons stall");
    alsoNamed("counters", "ncu nsight metrics memory chart stall warp states bank conflicts");
    alsoNamed("timeline", "trace nsys gaps launches streams");
    alsoNamed("roofline", "ceilings arithmetic intensity FLOP bandwidth");
    alsoNamed("occupancy", "registers shared memory blocks warps");
    alsoNamed("assembly", "disassembly instructions");
    alsoNamed("heat", "hot spots stall samples gutter");
    alsoNamed("configs", "sweep choices");
    exportPng = add("exportPng", profile, tr("Export the chart as PNG…"), "export");
    exportSvg = add("exportSvg", profile, tr("Export the chart as SVG…"), "export");
    exportCsv = add("exportCsv", profile, tr("Export the numbers as CSV…"), "export");
    collectCounters =
        add("collectCounters", profile, tr("Collect counters"), "memory", QStringLiteral("Ctrl+F5"));
    collectCounters->setToolTip(tr("One call of the candidate under Nsight Compute; needs a GPU"));
    collectAllCounters = add("collectAllCounters", profile, tr("Collect all counters (full set)"), "memory");
    collectBaselines =
        add("collectBaselines", profile, tr("Collect counters of eager and compiled kernels, too"), "memory");
    traceTimeline = add("traceTimeline", profile, tr("Trace one call"), "timeline");
    traceTimeline->setToolTip(
        tr("One call of the candidate and of torch, step by step: kernels, copies, gaps, launches"));
    stopCounters = add("stopCounters", profile, tr("Stop measuring"), "stop");
    stopCounters->setIconText(tr("Stop"));
    openReport = add("openReport", profile, tr("Open a report of Nsight Compute…"), "file");
    attachReport = add("attachReport", profile, tr("Keep the open report with this iteration"), "file");
    attachReport->setToolTip(tr("As if its counters had been collected here. Only the kernels' names are "
                                "looked at: a report does not say which text ran."));
    closeReport = add("closeReport", profile, tr("Close the report"), "close");
    switchCounters =
        add("switchCounters", profile, tr("Counters: those collected here, or the imported"), "compare");

    const QString program = tr("Program");
    settings = add("settings", program, tr("Settings"), "settings", QStringLiteral("Ctrl+,"));
    doctor = add("doctor", program, tr("Doctor: what is here, what is missing"), "doctor");
    setUp = add("setUp", program, tr("Set up the Python environment"), "terminal");

    const QString help = tr("Help");
    add("words", help, tr("Words used here"), "info", QStringLiteral("F1"));
    add("keyboardShortcuts", help, tr("Keyboard shortcuts"), "settings");
    add("judgePromises", help, tr("What the judge promises"), "shield");
    about = add("about", help, tr("About Warpwright"), "info");
    fitSecondKeys();
}

QAction *Actions::add(const char *name, const QString &group, const QString &text, const char *icon,
                      const QString &key) {
    auto *action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setProperty("group", group);
    action->setProperty("iconName", QString::fromLatin1(icon));
    action->setProperty("ownKey", key);
    if (!key.isEmpty())
        action->setShortcut(QKeySequence(key));
    action->setShortcutContext(Qt::WindowShortcut);
    m_all.append(action);
    return action;
}

void Actions::setModels(const QStringList &names) {
    offer(m_models, names, QStringLiteral("model"), &Actions::tuneModelAsked);
}

void Actions::setAgents(const QStringList &names) {
    offer(m_agents, names, QStringLiteral("acp"), &Actions::tuneAgentAsked);
}

// Those that are gone are hidden only: a menu or the palette may be showing them.
void Actions::offer(QList<QAction *> &offered, const QStringList &names, const QString &kind, Asked asked) {
    for (QAction *before : std::as_const(offered))
        before->setVisible(false);
    offered.clear();
    for (const QString &name : names) {
        const QString id = QStringLiteral("tune-%1-%2").arg(kind, name);
        auto *action = findChild<QAction *>(id, Qt::FindDirectChildrenOnly);
        if (action == nullptr) {
            action = new QAction(tr("Let %1 tune").arg(name), this);
            action->setObjectName(id);
            action->setProperty("group", tunePlaybook->property("group"));
            action->setProperty("iconName", kind);
            connect(action, &QAction::triggered, this, [this, asked, name] { emit(this->*asked)(name); });
        }
        setReason(action, tunePlaybook->property("whyDisabled").toString());
        action->setVisible(true);
        offered << action;
    }
    emit offersChanged();
}

QStringList Actions::menuOrder() const {
    QStringList groups;
    for (const QAction *first : {open, find, completeHere, commands, check}) // the others as they were made
        groups << first->property("group").toString();
    for (const QAction *action : m_all)
        if (const QString group = action->property("group").toString(); !groups.contains(group))
            groups << group;
    return groups;
}

bool Actions::beginsSection(const QAction *action) const {
    const QList<const QAction *> first{startPage,
                                       beginCandidate,
                                       save,
                                       quit, // Workspace
                                       stop, // Check
                                       previousIteration,
                                       branchHere, // Iterations
                                       followLesson,
                                       beginLesson,
                                       continueRun,
                                       setUpModel,
                                       expertFirst,
                                       modeReview,
                                       run,
                                       measureHunks,
                                       pastRuns, // Agent
                                       acceptHunk,
                                       acceptAllHunks,
                                       undoDecision,
                                       takeMine, // Review
                                       find,
                                       findAll,
                                       goToLine,
                                       toggleComment,
                                       nextMark,
                                       toggleFold,
                                       moveLinesUp,
                                       caretAbove,
                                       nextChange,
                                       openBeside,
                                       openTerminal, // Edit
                                       goToDefinition,
                                       renameSymbol,
                                       restartLanguage, // Code
                                       goToFile,
                                       toggleIterations,
                                       enlarge[0],
                                       nextPane,
                                       larger,
                                       notices,
                                       themeSystem, // View
                                       showVerify,
                                       exportPng,
                                       collectCounters,
                                       stopCounters,
                                       openReport,
                                       setUp,
                                       about};
    // Of the pages the times come first, then what says why; going from file to file is apart from what opens
    // them.
    return first.contains(action) || action->objectName() == QLatin1String("nextFile") ||
           action->property("page").toString() == QLatin1String("findings");
}

QList<QAction *> Actions::allNow() const {
    QList<QAction *> all = m_all;
    qsizetype place = all.indexOf(tunePlaybook);
    for (QAction *offered : m_models + m_agents)
        all.insert(++place, offered);
    return all;
}

void Actions::setReason(QAction *action, const QString &whyDisabled) {
    const bool isEnabled = whyDisabled.isEmpty();
    // Mostly nothing has changed, and each button of an action that says so is laid out anew.
    if (const QVariant before = action->property("whyDisabled");
        before.isValid() && before.toString() == whyDisabled && action->isEnabled() == isEnabled)
        return;
    action->setProperty("whyDisabled", whyDisabled);
    if (action->isEnabled() == isEnabled)
        emit action->changed();
    else
        action->setEnabled(isEnabled);
}

void Actions::setNoReview(const QString &whyNot) {
    for (QAction *action :
         {nextHunk, previousHunk, acceptHunk, rejectHunk, editHunk, acceptAllHunks, rejectAllHunks,
          acceptHunkOnly, rejectHunkOnly, undoDecision, takeMine, takeTheirs, editMerge})
        setReason(action, whyNot);
}

void Actions::setNoSession(const QString &whyNot) {
    for (QAction *action : {modeReview, modeStep, modeAuto, run, pause, answerAgent, measureHunks, keepStep,
                            branchStep, undoStep, bet})
        setReason(action, whyNot);
}

void Actions::setKeys(const QHash<QString, QString> &keys) {
    for (QAction *action : std::as_const(m_all)) {
        const QString key = keys.value(action->objectName(), action->property("ownKey").toString());
        action->setShortcut(QKeySequence(key));
    }
    fitSecondKeys();
}

// Two that can be used and have the same key are both out of reach by it: the second key yields.
void Actions::fitSecondKeys() {
    for (QAction *action : std::as_const(m_all)) {
        const QString second = action->property("secondKey").toString();
        if (second.isEmpty())
            continue;
        const QKeySequence key(second);
        const bool isTaken = std::any_of(m_all.cbegin(), m_all.cend(), [action, &key](const QAction *other) {
            return other != action && other->isEnabled() && other->shortcut() == key;
        });
        const QKeySequence first = action->shortcut();
        if (first.isEmpty() || first == key)
            continue; // whoever took its key away wants none
        const QList<QKeySequence> keys =
            isTaken ? QList<QKeySequence>{first} : QList<QKeySequence>{first, key};
        if (action->shortcuts() != keys)
            action->setShortcuts(keys);
    }
}

} // namespace warpwright
