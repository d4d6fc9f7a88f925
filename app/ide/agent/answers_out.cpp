// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/answers_out.h"

#include "agent/record/standing_answers.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/line_edits.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/steady_undo.h"
#include "widgets/editor/undo_base.h"

#include <utility>

namespace warpwright {
namespace {

/// Where somebody has typed since it was read, the text stays: what is saved of it is looked through again.
void show(CandidatePanel &candidate, const CandidateTexts &disk, const CandidateTexts &before,
          const CandidateTexts &after) {
    for (const auto &[path, bytes] : after) {
        const auto was = before.find(path);
        CodeEditor *editor = candidate.editorOf(path);
        if (editor == nullptr || was == before.end() || was->second == bytes ||
            candidate.bytesOf(path) != was->second)
            continue;
        const std::vector<LineEdit> edits = lineEdits(editor->content(), decodeSourceText(bytes).text);
        if (disk.at(path) == bytes) {
            beginUndoAnew(*editor, edits); // a draft alone: undo would bring the answers back as typed
            continue;
        }
        editor->decorator<SteadyUndo>().begin();
        editor->applyEdits(edits);
        editor->decorator<SteadyUndo>().end();
    }
}

/// Not called once another workspace is open. `disk` is an error, and the rest empty, where it cannot be
/// read.
using Found = std::function<void(const Result<CandidateTexts> &disk, const CandidateTexts &now,
                                 const CandidateTexts &without)>;

void find(CandidatePanel &candidate, Workbench &bench, const QString &run, QObject *receiver, Found then) {
    if (!bench.workspace())
        return;
    const Workspace workspace = *bench.workspace();
    const auto isOpen = [&bench, workspace] {
        return bench.workspace() && bench.workspace()->folder == workspace.folder;
    };
    const auto take = [&candidate, isOpen, receiver, workspace, run,
                       then = std::move(then)](const Result<CandidateTexts> &disk) {
        if (!isOpen())
            return;
        if (!disk.hasValue())
            return then(disk, {}, {});
        CandidateTexts now = disk.value();
        for (auto &[path, bytes] : now)
            if (std::optional<QByteArray> shown = candidate.bytesOf(path))
                bytes = std::move(*shown);
        inPool(
            receiver, [workspace, run, now] { return withoutAnswersOf(workspace, run, now); },
            [isOpen, disk, now, then](const CandidateTexts &without) {
                if (isOpen())
                    then(disk, now, without);
            });
    };
    inPool(
        receiver, [workspace] { return readCandidateTexts(workspace); }, take);
}

} // namespace

void takeAnswersOut(CandidatePanel &candidate, Workbench &bench, const QString &run, QObject *receiver,
                    std::function<void()> then) {
    find(candidate, bench, run, receiver,
         [&candidate, then = std::move(then)](const Result<CandidateTexts> &disk, const CandidateTexts &now,
                                              const CandidateTexts &without) {
             if (disk.hasValue()) // else whoever goes on says what is wrong with it
                 show(candidate, disk.value(), now, without);
             then();
         });
}

void findAnswers(CandidatePanel &candidate, Workbench &bench, const QString &run, QObject *receiver,
                 std::function<void(const QStringList &files, bool isAll)> tell) {
    find(candidate, bench, run, receiver,
         [&candidate, tell = std::move(tell)](const Result<CandidateTexts> &disk, const CandidateTexts &now,
                                              const CandidateTexts &without) {
             QStringList files;
             for (const auto &[path, bytes] : now)
                 if (candidate.isOnDisk(path) && !candidate.bytesOf(path))
                     return; // its draft may still come; the task's files have none
                 else if (const auto left = without.find(path);
                          left == without.end() || left->second != bytes)
                     files << path;
             if (disk.hasValue() && !files.isEmpty())
                 tell(files, without == disk.value());
         });
}

} // namespace warpwright
