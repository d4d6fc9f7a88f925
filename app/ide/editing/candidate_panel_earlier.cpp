// SPDX-License-Identifier: GPL-3.0-or-later
// An earlier text, read-only: that of an iteration, or of an event of a past run with the hunks of its
// review.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/line_edits.h"
#include "app/ide/files/file_names.h"
#include "app/ide/review/past_review_views.h"
#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/find_bar.h"
#include "widgets/editor/line_notes.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/review/hunk_marks.h"

#include <QStackedWidget>

#include <algorithm>

namespace warpwright {
namespace {

QString readOnlyReason(const Shown &shown) {
    if (!shown.replay.isEmpty())
        return CandidatePanel::tr("This is a replay, read-only: %1. Branch from here to go on from it, or go "
                                  "back to your text.")
            .arg(shown.replay);
    return CandidatePanel::tr(
               "This is iteration %1, read-only. Branch from here to go on from it, or go back to your text.")
        .arg(shown.iteration);
}

} // namespace

const ShownReview *CandidatePanel::shownReview() const {
    return m_bench.shown().replay.isEmpty() ? nullptr : m_review.get();
}

QStringList CandidatePanel::earlierFiles() const {
    QStringList names;
    const ShownReview *review = shownReview();
    for (const auto &[path, bytes] : review != nullptr ? review->texts : m_bench.shown().texts)
        if (isCandidatePath(path))
            names << path;
    // A file that is not there yet, or no more, has its hunk to be read.
    if (review != nullptr)
        for (const auto &[path, hunks] : review->hunks)
            if (!names.contains(path))
                names << path;
    return inReadingOrder(names);
}

void CandidatePanel::setReview(std::shared_ptr<const ShownReview> review, bool isTold) {
    if (std::exchange(m_review, review) == review || isTold)
        return;
    if (!m_bench.shown().replay.isEmpty())
        fillTabs();
}

void CandidatePanel::goToHunk(int hunk) {
    const ShownReview *review = shownReview();
    if (review != nullptr && showFile(review->fileOf(hunk)))
        m_viewer->decorator<HunkMarks>().goTo(hunk);
}

int CandidatePanel::currentHunk() const {
    return shownReview() == nullptr ? 0 : m_viewer->decorator<HunkMarks>().current();
}

void CandidatePanel::showEarlier() {
    const QString name = tabs()->tabToolTip(tabs()->currentIndex());
    if (!earlierFiles().contains(name))
        return;
    const ShownReview *review = shownReview();
    const CandidateTexts &texts = review != nullptr ? review->texts : m_bench.shown().texts;
    const auto found = texts.find(name);
    const EditorView view = m_viewer->viewState();
    const QString text = found == texts.end() ? QString() : decodeSourceText(found->second).text;
    const int proposal = review == nullptr ? 0 : review->proposal;
    HunkMarks &marks = m_viewer->decorator<HunkMarks>();
    // Of another file or proposal: ids that are alike are not the same hunks.
    if (m_viewed != name || std::exchange(m_viewedProposal, proposal) != proposal)
        marks.setHunks({});
    m_viewedProposal = proposal;
    if (m_stack->currentWidget() == m_viewer && m_viewed == name) {
        // What stays is not coloured and folded anew at each event of a run.
        m_viewer->applyEdits(lineEdits(m_viewer->content(), text));
        m_viewer->SendScintilla(QsciScintillaBase::SCI_EMPTYUNDOBUFFER);
    } else {
        m_viewer->setLanguage(CodeEditor::languageOf(name));
        m_viewer->setContent(text);
        m_viewed = name;
    }
    m_viewer->setReadOnlyReason(readOnlyReason(m_bench.shown()));
    if (m_stack->currentWidget() == m_viewer)
        m_viewer->restoreViewState(view);
    else if (const Open live = m_open.value(m_bench.workspace()->folder + QLatin1Char('/') + name);
             live.editor != nullptr)
        m_viewer->restoreViewState(live.editor->viewState());
    std::vector<ShownHunk> hunks;
    if (review != nullptr)
        if (const auto here = review->hunks.find(name); here != review->hunks.end())
            hunks = here->second;
    if (!hunks.empty() || !marks.hunks().empty())
        marks.setHunks(std::move(hunks));
    m_stack->setCurrentWidget(m_viewer);
    const EditorPlace place = m_viewer->cursorPlace();
    emit placeChanged(name, place.line, place.column);
    m_find->setEditor(m_viewer);
    // What was said of lines is said of the text on the disk.
    if ((review != nullptr && !review->isOnDisk) || !m_bench.shown().evaluated.isEmpty()) {
        m_viewer->decorator<LineNotes>().clear();
        m_viewer->decorator<DiagnosticMarks>().setMarks({});
        return;
    }
    markEditor(*m_viewer, m_bench.workspace()->folder + QLatin1Char('/') + name);
}

} // namespace warpwright
