// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/action_words.h"

#include <QAction>
#include <QHash>

namespace warpwright {
namespace {

/// By object name. Words of this field and of other editors; the name's own words are found anyhow.
const QHash<QString, QString> &words() {
    static const QHash<QString, QString> words{
        // Workspace
        {QStringLiteral("open"), QStringLiteral("load folder project")},
        {QStringLiteral("newFromModel"), QStringLiteral("create project reference template")},
        {QStringLiteral("openFile"), QStringLiteral("load task")},
        {QStringLiteral("openProblems"), QStringLiteral("load tasks dataset level")},
        {QStringLiteral("startPage"), QStringLiteral("welcome home recent samples lessons recordings")},
        {QStringLiteral("closeWorkspace"), QStringLiteral("exit project folder")},
        {QStringLiteral("share"), QStringLiteral("export html report publish")},
        {QStringLiteral("beginCandidate"), QStringLiteral("create skeleton template model_new.py")},
        {QStringLiteral("save"), QStringLiteral("write file")},
        {QStringLiteral("newKernel"), QStringLiteral("add create file .cu twin binding")},
        {QStringLiteral("renameFile"), QStringLiteral("move file")},
        {QStringLiteral("deleteFile"), QStringLiteral("remove trash")},
        {QStringLiteral("quit"), QStringLiteral("exit close program")},
        // Check
        {QStringLiteral("check"), QStringLiteral("run build compile test verify benchmark measure evaluate")},
        {QStringLiteral("certify"), QStringLiteral("full benchmark measure slow thorough")},
        {QStringLiteral("sweepConfigs"),
         QStringLiteral("autotune auto-tune tuning parameters sweep choices")},
        {QStringLiteral("stop"), QStringLiteral("cancel abort kill interrupt")},
        // Iterations
        {QStringLiteral("backToText"), QStringLiteral("working copy current head return live")},
        {QStringLiteral("previousIteration"), QStringLiteral("older version history back")},
        {QStringLiteral("nextIteration"), QStringLiteral("newer version history forward")},
        {QStringLiteral("branchHere"), QStringLiteral("restore revert checkout fork roll back")},
        {QStringLiteral("compareWithParent"), QStringLiteral("diff difference before changes")},
        {QStringLiteral("compareWithText"), QStringLiteral("diff difference working copy")},
        {QStringLiteral("compareWithEager"), QStringLiteral("diff pytorch baseline")},
        {QStringLiteral("compareWithCompile"), QStringLiteral("diff inductor baseline")},
        {QStringLiteral("compareWithBaseline"), QStringLiteral("diff ncu nsight")},
        {QStringLiteral("compareSelected"), QStringLiteral("diff difference any")},
        // Agent
        {QStringLiteral("tunePlaybook"),
         QStringLiteral("optimize optimise expert agent start generate speed up")},
        {QStringLiteral("tuneScript"), QStringLiteral("patch diff script")},
        {QStringLiteral("followLesson"), QStringLiteral("tutorial course learn teach")},
        {QStringLiteral("showLesson"), QStringLiteral("tutorial goal readme steps")},
        {QStringLiteral("beginLessonAnew"), QStringLiteral("reset restart tutorial")},
        {QStringLiteral("openLesson"), QStringLiteral("load tutorial course")},
        {QStringLiteral("writeLesson"), QStringLiteral("create author tutorial teach")},
        {QStringLiteral("setUpModel"), QStringLiteral("llm api key endpoint openai anthropic local")},
        {QStringLiteral("setUpAgent"), QStringLiteral("acp claude codex gemini external sandbox")},
        {QStringLiteral("expertFirst"), QStringLiteral("warm start")},
        {QStringLiteral("modeReview"), QStringLiteral("ask approve permission")},
        {QStringLiteral("modeStep"), QStringLiteral("approve iteration")},
        {QStringLiteral("modeAuto"), QStringLiteral("autopilot unattended yolo")},
        {QStringLiteral("run"), QStringLiteral("start go on resume continue")},
        {QStringLiteral("pause"), QStringLiteral("hold wait")},
        {QStringLiteral("answerAgent"), QStringLiteral("reply permission prompt allow deny")},
        {QStringLiteral("measureHunks"), QStringLiteral("ablation only without this hunk")},
        {QStringLiteral("keepStep"), QStringLiteral("accept approve")},
        {QStringLiteral("branchStep"), QStringLiteral("fork")},
        {QStringLiteral("undoStep"), QStringLiteral("reject undo discard roll back")},
        {QStringLiteral("bet"), QStringLiteral("predict guess estimate")},
        {QStringLiteral("betsFirst"), QStringLiteral("predict hide results teach class")},
        {QStringLiteral("budgets"), QStringLiteral("limit cost tokens money minutes iterations")},
        {QStringLiteral("pastRuns"), QStringLiteral("history log trajectory recordings replay")},
        {QStringLiteral("replayPlay"), QStringLiteral("start stop resume")},
        {QStringLiteral("replayBack"), QStringLiteral("previous rewind")},
        {QStringLiteral("replayForward"), QStringLiteral("next step")},
        {QStringLiteral("continueRun"), QStringLiteral("resume go on restart")},
        // Review
        {QStringLiteral("nextHunk"), QStringLiteral("change difference down")},
        {QStringLiteral("previousHunk"), QStringLiteral("change difference up")},
        {QStringLiteral("acceptHunk"), QStringLiteral("approve take keep apply change")},
        {QStringLiteral("rejectHunk"), QStringLiteral("decline discard drop change")},
        {QStringLiteral("editHunk"), QStringLiteral("change modify")},
        {QStringLiteral("acceptAllHunks"), QStringLiteral("approve take apply proposal")},
        {QStringLiteral("rejectAllHunks"), QStringLiteral("decline discard rest proposal")},
        {QStringLiteral("undoDecision"), QStringLiteral("revert answer")},
        {QStringLiteral("takeMine"), QStringLiteral("merge ours")},
        {QStringLiteral("takeTheirs"), QStringLiteral("merge incoming")},
        {QStringLiteral("editMerge"), QStringLiteral("resolve markers both")},
        // Edit
        {QStringLiteral("find"), QStringLiteral("search text listing")},
        {QStringLiteral("replace"), QStringLiteral("search substitute")},
        {QStringLiteral("findAll"), QStringLiteral("search everywhere grep files global")},
        {QStringLiteral("replaceAll"), QStringLiteral("search substitute everywhere sed rename")},
        {QStringLiteral("nextFound"), QStringLiteral("search result jump")},
        {QStringLiteral("previousFound"), QStringLiteral("search result jump")},
        {QStringLiteral("goToLine"), QStringLiteral("jump number")},
        {QStringLiteral("toggleComment"), QStringLiteral("uncomment remark")},
        {QStringLiteral("addOccurrence"), QStringLiteral("multiple cursors multi-cursor selection")},
        {QStringLiteral("matchingBrace"), QStringLiteral("brace parenthesis jump")},
        {QStringLiteral("nextMark"), QStringLiteral("error warning problem jump")},
        {QStringLiteral("previousMark"), QStringLiteral("error warning problem jump")},
        {QStringLiteral("toggleFold"), QStringLiteral("collapse expand hide region")},
        {QStringLiteral("unfoldAll"), QStringLiteral("expand")},
        // View
        {QStringLiteral("commands"), QStringLiteral("palette actions keys shortcuts help")},
        {QStringLiteral("goToFile"), QStringLiteral("open quick switch tab buffer")},
        {QStringLiteral("goToIteration"), QStringLiteral("open version history number jump")},
        {QStringLiteral("toggleIterations"), QStringLiteral("hide sidebar tree history panel")},
        {QStringLiteral("toggleAgent"), QStringLiteral("hide sidebar chat conversation panel")},
        {QStringLiteral("enlargeReference"), QStringLiteral("maximize maximise restore zoom pane full")},
        {QStringLiteral("enlargeCandidate"),
         QStringLiteral("maximize maximise restore zoom pane full editor")},
        {QStringLiteral("enlargeBuild"),
         QStringLiteral("maximize maximise restore zoom pane full terminal output")},
        {QStringLiteral("enlargeProfile"), QStringLiteral("maximize maximise restore zoom pane full charts")},
        {QStringLiteral("nextPane"), QStringLiteral("focus switch window split")},
        {QStringLiteral("previousPane"), QStringLiteral("focus switch window split")},
        {QStringLiteral("swapRows"), QStringLiteral("swap flip split layout")},
        {QStringLiteral("showHeat"), QStringLiteral("hide hot spots gutter stall samples")},
        {QStringLiteral("resetLayout"), QStringLiteral("reset restore default windows panes split")},
        {QStringLiteral("larger"), QStringLiteral("zoom in bigger font size scale")},
        {QStringLiteral("smaller"), QStringLiteral("zoom out font size scale")},
        {QStringLiteral("normalSize"), QStringLiteral("zoom reset font size scale")},
        {QStringLiteral("notices"), QStringLiteral("notifications messages toasts errors")},
        {QStringLiteral("themeSystem"), QStringLiteral("colours colors appearance automatic")},
        {QStringLiteral("themeLight"), QStringLiteral("colours colors appearance bright white")},
        {QStringLiteral("themeDark"), QStringLiteral("colours colors appearance night black")},
        // Profile
        {QStringLiteral("showOverview"), QStringLiteral("summary")},
        {QStringLiteral("showSpeedup"), QStringLiteral("speedup times bars baseline benchmark")},
        {QStringLiteral("showGraph"), QStringLiteral("cudagraph replay launch overhead")},
        {QStringLiteral("showDistribution"), QStringLiteral("histogram latency percentile noise")},
        {QStringLiteral("showHistory"), QStringLiteral("progress over time")},
        {QStringLiteral("showHunks"), QStringLiteral("ablation contribution")},
        {QStringLiteral("exportPng"), QStringLiteral("save picture image screenshot")},
        {QStringLiteral("exportSvg"), QStringLiteral("save picture image vector")},
        {QStringLiteral("exportCsv"), QStringLiteral("save table spreadsheet data")},
        {QStringLiteral("collectCounters"), QStringLiteral("ncu nsight profile metrics")},
        {QStringLiteral("collectAllCounters"), QStringLiteral("ncu nsight profile metrics")},
        {QStringLiteral("collectBaselines"), QStringLiteral("ncu nsight torch inductor profile")},
        {QStringLiteral("traceTimeline"), QStringLiteral("nsys kineto profile launches")},
        {QStringLiteral("stopCounters"), QStringLiteral("cancel abort profile")},
        {QStringLiteral("openReport"), QStringLiteral("ncu-rep load import")},
        {QStringLiteral("attachReport"), QStringLiteral("ncu-rep save")},
        {QStringLiteral("closeReport"), QStringLiteral("ncu-rep")},
        // Program
        {QStringLiteral("settings"),
         QStringLiteral("preferences options configuration keys sandbox shortcuts")},
        {QStringLiteral("doctor"), QStringLiteral("diagnose environment install problems sandbox versions")},
        {QStringLiteral("setUp"), QStringLiteral("install torch venv dependencies")},
        {QStringLiteral("about"), QStringLiteral("version licence license")},
    };
    return words;
}

} // namespace

void sayOtherNames(const QList<QAction *> &actions) {
    for (QAction *action : actions) {
        QStringList names{action->property("otherNames").toString(), words().value(action->objectName())};
        names.removeAll(QString());
        action->setProperty("otherNames", names.join(QLatin1Char(' ')));
    }
}

} // namespace warpwright
