// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/review_controller.h"

#include "agent/review/hunk_groups.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/line_edits.h"
#include "app/ide/kit/actions.h"
#include "app/ide/review/conflict_view.h"
#include "app/ide/review/reason_bar.h"
#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/undo_tokens.h"
#include "widgets/review/hunk_bar.h"
#include "widgets/review/hunk_marks.h"

#include <QAction>
#include <QApplication>

#include <algorithm>

namespace warpwright {

/// An undo tells its tokens after the text: what looks typed may be an answer that was taken back.
constexpr int typedAfterMs = 30;

ReviewController::ReviewController(const Look &look, CandidatePanel &candidate, Actions &actions,
                                   QObject *parent)
    : QObject(parent),
      m_candidate(candidate),
      m_actions(actions),
      m_bar(new HunkBar(look,
                        {actions.previousHunk, actions.nextHunk, actions.acceptAllHunks,
                         actions.rejectAllHunks, actions.undoDecision, actions.run},
                        &candidate)),
      m_conflict(
          new ConflictView(look, {actions.takeMine, actions.takeTheirs, actions.editMerge}, &candidate)),
      m_reason(new ReasonBar(look, &candidate)) {
    m_bar->setObjectName(QStringLiteral("hunkBar"));
    candidate.setBarBelow(m_reason); // it comes and goes: what is clicked next must not move
    candidate.setBar(m_conflict);
    candidate.setBar(m_bar);
    m_typed.setSingleShot(true);
    m_typed.setInterval(typedAfterMs);
    connect(&m_typed, &QTimer::timeout, this, &ReviewController::takeTyped);
    connect(m_bar, &HunkBar::hunkPicked, this, &ReviewController::goTo);
    connect(&m_pieces, &HunkPieces::compared, this, [this] {
        if (review() != nullptr)
            show(m_evidences);
    });
    // What the proposal before it has made is in the editors later than this one is there.
    connect(&m_candidate, &CandidatePanel::loaded, this, [this] {
        if (review() == nullptr || m_session->state() != SessionState::AwaitingReview)
            return;
        show(m_evidences);
        if (currentHunk() == 0)
            goTo(firstToRead(*m_session));
    });
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, [this, what] {
            if (!m_candidate.showsEarlier() && isInSight()) // else it is about the hunks of a past run
                what();
        });
    };
    on(actions.nextHunk, [this] { step(1); });
    on(actions.previousHunk, [this] { step(-1); });
    on(actions.acceptHunk, [this] { accept(currentHunk()); });
    on(actions.rejectHunk, [this] { reject(currentHunk()); });
    on(actions.acceptHunkOnly, [this] { accept(currentHunk(), true); });
    on(actions.rejectHunkOnly, [this] { reject(currentHunk(), true); });
    on(actions.editHunk, [this] { edit(currentHunk()); });
    on(actions.acceptAllHunks, [this] { acceptAll(); });
    on(actions.rejectAllHunks, [this] { rejectRest(); });
    on(actions.takeMine, [this] { resolve(FileReview::Side::Mine); });
    on(actions.takeTheirs, [this] { resolve(FileReview::Side::Theirs); });
    on(actions.editMerge, [this] { m_conflict->editMerge(); });
    connect(m_conflict, &ConflictView::merged, this, [this](int id, const TextLines &lines) {
        answer(id, [this, id, lines] { return m_session->resolveWith(id, lines); });
    });
    on(actions.undoDecision, [this] { undoLast(); });
    connect(m_reason, &ReasonBar::given, this, [this](const std::vector<int> &hunks, const QString &reason) {
        if (m_session == nullptr)
            return;
        if (const Result<void> given = m_session->giveReason(hunks, reason); !given.hasValue())
            emit refused(given.message());
    });
    connect(m_reason, &ReasonBar::left, &m_candidate, &CandidatePanel::focusHere);
    connect(m_reason, &ReasonBar::undoAsked, this, [this](const std::vector<int> &hunks) {
        m_candidate.focusHere();
        takeBack(hunks);
    });
}

// Nobody answers what is not seen: the keys work on every page.
bool ReviewController::isInSight() {
    if (review() == nullptr || m_candidate.isVisible())
        return true;
    emit outOfSight();
    goTo(currentHunk() > 0 ? currentHunk() : review()->nextUnanswered());
    return false;
}

const ProposalReview *ReviewController::review() const {
    return m_session == nullptr ? nullptr : m_session->review();
}

void ReviewController::setSession(Session *session) {
    m_evidences.clear();
    if (session == nullptr)
        forget();
    m_grouped.clear(); // the next run's first proposal is a p1 as well
    m_session = session;
}

void ReviewController::forget() {
    m_typed.stop();
    m_last.clear();
    m_reason->leavePlace();
    for (const auto &[file, proposed] : std::exchange(m_new, {})) {
        const CodeEditor *editor = m_candidate.editorOf(file);
        const bool isWritten = m_session != nullptr && m_session->texts().count(file) > 0;
        if (editor != nullptr && !isWritten && !editor->content().isEmpty() && editor->content() != proposed)
            emit fileLeft(file, editor->content());
    }
    for (CodeEditor *editor : std::exchange(m_editors, {})) {
        editor->decorator<HunkMarks>().setHunks({});
        editor->decorator<HunkMarks>().setLocked({});
        editor->decorator<HunkMarks>().disconnect(this);
        editor->decorator<UndoTokens>().disconnect(this);
        editor->decorator<UndoTokens>().settle();
        editor->disconnect(this);
    }
    for (const auto &[number, text] : m_conflict->takeUnsaved())
        emit mergeLeft(number, text);
    m_candidate.setProposed({});
    m_bar->setReview({}, {}, 0);
    m_actions.setNoReview(tr("no proposal is under review"));
}

void ReviewController::listenTo(CodeEditor *editor) {
    if (!m_editors.insert(editor).second)
        return;
    HunkMarks &marks = editor->decorator<HunkMarks>();
    marks.setKeys({m_actions.acceptHunk->shortcut().toString(QKeySequence::NativeText),
                   m_actions.rejectHunk->shortcut().toString(QKeySequence::NativeText),
                   m_actions.editHunk->shortcut().toString(QKeySequence::NativeText),
                   QStringLiteral("Ctrl+Z")});
    connect(&marks, &HunkMarks::acceptAsked, this, [this](int id) { accept(id); });
    connect(&marks, &HunkMarks::rejectAsked, this, [this](int id) { reject(id); });
    connect(&marks, &HunkMarks::editAsked, this, &ReviewController::edit);
    connect(&marks, &HunkMarks::resolveAsked, this, [this](int id) {
        goTo(id);
        m_conflict->editMerge();
    });
    connect(&marks, &HunkMarks::undoAsked, this, [editor] { editor->undo(); });
    connect(&marks, &HunkMarks::currentChanged, this, &ReviewController::showCurrent);
    connect(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone, this, [this](int token) {
        m_typed.stop();
        if (m_session != nullptr)
            m_session->unanswer(token);
        takeTyped();
    });
    connect(&editor->decorator<UndoTokens>(), &UndoTokens::tokenRedone, this, [this](int token) {
        m_typed.stop();
        if (m_session != nullptr)
            m_session->answerAgain(token);
        takeTyped();
    });
    connect(editor, &CodeEditor::edited, this, [this] {
        if (!m_isAnswering)
            m_typed.start();
    });
    connect(editor, &QObject::destroyed, this, [this, editor] { m_editors.erase(editor); });
}

void ReviewController::takeTyped() {
    m_typed.stop();
    const ProposalReview *now = review();
    if (now == nullptr || m_isAnswering || m_session->state() != SessionState::AwaitingReview)
        return;
    for (const ReviewedFile &file : now->files()) {
        const std::optional<QByteArray> bytes = m_candidate.bytesOf(file.from);
        if (!bytes)
            continue;
        // From the bottom up, so that those above keep their places. The review changes with each.
        const std::vector<TextEdit> edits = editsBetween(file.lines.text(), linesOf(*bytes));
        const QString name = file.from;
        bool isTaken = !edits.empty();
        m_isAnswering = true; // the editor keeps what is still to be taken
        for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
            isTaken = m_session->typed(name, *edit) && isTaken;
        m_isAnswering = false;
        if (isTaken)
            return takeTyped(); // `file` is of the review before
    }
    show(m_evidences);
}

// A file that it would make is read where all others are.
void ReviewController::openNewFiles() {
    QStringList files;
    for (const ReviewedFile &file : review()->files()) {
        if (file.change != ReviewedFile::Change::Added)
            continue;
        files << file.from;
        if (m_new.count(file.from) == 0 && !file.lines.hunks().empty())
            m_new[file.from] = decodeSourceText(joined(file.lines.hunks().front().newLines)).text;
    }
    m_candidate.setProposed(files);
}

namespace {

/// Of one file, in the order in which they were given; empty where some are not of the first time.
std::vector<std::pair<Session::Token, const Hunk *>> firstAnswers(const ProposalReview &review,
                                                                  const ReviewedFile &file) {
    std::vector<std::pair<Session::Token, const Hunk *>> answers;
    for (Session::Token token = 1; token <= review.lastAnswer(); ++token) {
        const Hunk *hunk = file.lines.hunk(review.hunkOf(token));
        const bool isAgain = std::any_of(answers.begin(), answers.end(),
                                         [hunk](const auto &answer) { return answer.second == hunk; });
        if (hunk == nullptr)
            continue;
        if (isAgain || !hunk->isAnswered())
            return {};
        answers.emplace_back(token, hunk);
    }
    return answers;
}

/// The review of a run that goes on has answers which no editor knows yet: each is a step of its undo, too.
void giveAgain(CodeEditor &editor, const ProposalReview &review, const ReviewedFile &file) {
    FileReview lines = file.lines.unanswered();
    const auto textOf = [](const FileReview &of) {
        return decodeSourceText(joined(of.text())).text;
    };
    if (editor.content() != textOf(lines))
        return;
    for (const auto &[token, hunk] : firstAnswers(review, file)) {
        const Result<FileReview::Token> given = hunk->state == HunkState::Rejected
                                                    ? lines.reject(hunk->id)
                                                    : lines.edit(hunk->id, hunk->standing);
        if (!given.hasValue())
            return;
        editor.decorator<UndoTokens>().apply(token, lineEdits(editor.content(), textOf(lines)));
    }
}

} // namespace

// Where the session's text is not the editor's, the editor follows.
void ReviewController::bringIntoLine(const ReviewedFile &file) {
    CodeEditor *editor = m_candidate.editorOf(file.from);
    if (editor == nullptr)
        return;
    const QString wanted = decodeSourceText(joined(file.lines.text())).text;
    if (editor->content() != wanted)
        giveAgain(*editor, *review(), file);
    if (editor->content() != wanted)
        editor->applyEdits(lineEdits(editor->content(), wanted));
}

void ReviewController::answer(int hunk, const Answer &give) {
    if (review() == nullptr || review()->hunk(hunk) == nullptr)
        return;
    takeTyped();
    keepReason();
    m_last.clear();
    const QString name = review()->fileOf(hunk);
    m_isAnswering = true;
    const Result<Session::Token> token = give();
    if (token.hasValue() && token.value() > 0 && review() != nullptr) {
        for (const ReviewedFile &file : review()->files())
            if (CodeEditor *editor = m_candidate.editorOf(name); file.from == name && editor != nullptr)
                editor->decorator<UndoTokens>().apply(
                    token.value(),
                    lineEdits(editor->content(), decodeSourceText(joined(file.lines.text())).text));
    }
    m_isAnswering = false;
    if (!token.hasValue())
        emit refused(token.message());
    show(m_evidences);
    if (review() != nullptr)
        if (const int next = review()->nextUnanswered(hunk); next > 0)
            goTo(next);
}

const std::map<int, int> &ReviewController::groups() {
    const ProposalReview *now = review();
    if (now == nullptr)
        m_groups.clear();
    else if (std::exchange(m_grouped, now->proposal().id) != now->proposal().id)
        m_groups = hunkGroups(*now);
    if (now == nullptr)
        m_grouped.clear();
    return m_groups;
}

// Those that are open yet, this one last: from there it goes on.
std::vector<int> ReviewController::answeredWith(int hunk, bool isOnly) {
    std::vector<int> hunks;
    for (const int id : isOnly || review() == nullptr ? std::vector<int>() : hunksWith(groups(), hunk))
        if (review()->hunk(id)->isOpen())
            hunks.push_back(id);
    hunks.push_back(hunk);
    return hunks;
}

void ReviewController::accept(int hunk, bool isOnly) {
    const std::vector<int> hunks = answeredWith(hunk, isOnly);
    for (const int id : hunks)
        answer(id, [this, id] { return m_session->accept(id); });
    m_last = hunks;
}

void ReviewController::reject(int hunk, bool isOnly) {
    const std::vector<int> hunks = answeredWith(hunk, isOnly);
    for (const int id : hunks)
        answer(id, [this, id] { return m_session->reject(id); });
    m_last = hunks;
    askWhy(hunks);
}

// Each editor has an undo of its own, and by now the one of another file may be in front.
void ReviewController::takeBack(const std::vector<int> &hunks) {
    for (auto id = hunks.rbegin(); id != hunks.rend(); ++id) {
        const Hunk *hunk = review() == nullptr ? nullptr : review()->hunk(*id);
        if (hunk == nullptr || hunk->state == HunkState::Open)
            continue;
        goTo(*id);
        if (CodeEditor *editor = m_candidate.currentEditor();
            editor != nullptr && editor == m_candidate.editorOf(review()->fileOf(*id)))
            editor->undo();
    }
}

// Hunks that one key answered are one decision, in however many files.
void ReviewController::undoLast() {
    const std::vector<int> last = std::exchange(m_last, {});
    const bool stands =
        !last.empty() && review() != nullptr && std::all_of(last.begin(), last.end(), [this](int id) {
            const Hunk *hunk = review()->hunk(id);
            return hunk != nullptr && hunk->state != HunkState::Open;
        });
    if (stands)
        takeBack(last);
    else if (CodeEditor *editor = m_candidate.currentEditor(); editor != nullptr)
        editor->undo();
}

void ReviewController::keepReason() {
    const bool hadKeys = m_reason->isAncestorOf(QApplication::focusWidget());
    m_reason->keep();
    if (hadKeys)
        m_candidate.focusHere();
}

// Behind the answer, so that nobody waits for it.
void ReviewController::askWhy(const std::vector<int> &hunks) {
    const ProposalReview *now = review();
    if (now == nullptr)
        return;
    const std::vector<int> ids = now->hunkIds();
    std::vector<int> rejected;
    for (const int id : hunks)
        if (const Hunk *hunk = now->hunk(id); hunk != nullptr && hunk->state == HunkState::Rejected)
            rejected.push_back(id);
    if (rejected.empty())
        return;
    const auto number = std::find(ids.begin(), ids.end(), rejected.front()) - ids.begin() + 1;
    m_reason->ask(rejected, rejected.size() == 1 ? tr("Hunk %1 rejected").arg(number)
                                                 : tr("%1 hunks rejected").arg(rejected.size()));
}

void ReviewController::answerRest(const std::function<Result<Session::Token>(int)> &give) {
    if (review() == nullptr)
        return;
    for (const int id : review()->hunkIds())
        if (review() != nullptr && review()->hunk(id)->isOpen())
            answer(id, [&give, id] { return give(id); });
}

void ReviewController::acceptAll() {
    answerRest([this](int id) { return m_session->accept(id); });
}

void ReviewController::rejectRest() {
    if (review() == nullptr)
        return;
    std::vector<int> open;
    for (const int id : review()->hunkIds())
        if (review()->hunk(id)->isOpen())
            open.push_back(id);
    answerRest([this](int id) { return m_session->reject(id); });
    askWhy(open);
}

// The agent's lines come into the text, and the person goes on from them.
void ReviewController::edit(int hunk) {
    if (review() == nullptr || review()->hunk(hunk) == nullptr)
        return;
    const TextLines lines = review()->hunk(hunk)->newLines;
    answer(hunk, [this, hunk, lines] { return m_session->edit(hunk, lines); });
    goTo(hunk);
    m_candidate.focusHere();
}

void ReviewController::resolve(FileReview::Side side) {
    const int id = m_conflict->hunk();
    answer(id, [this, id, side] { return m_session->resolve(id, side); });
}

// The hunk in conflict at which the person is has its three texts above the editor.
void ReviewController::showConflict() {
    const int id = currentHunk();
    const Hunk *hunk = review() == nullptr ? nullptr : review()->hunk(id);
    const bool isConflict = hunk != nullptr && hunk->state == HunkState::Conflict;
    const QString whyNot =
        review() == nullptr ? tr("no proposal is under review") : tr("the hunk at hand is no conflict");
    for (QAction *action : {m_actions.takeMine, m_actions.takeTheirs, m_actions.editMerge})
        Actions::setReason(action, isConflict ? QString() : whyNot);
    if (!isConflict)
        return m_conflict->clear();
    const std::vector<int> ids = review()->hunkIds();
    m_conflict->setConflict(*hunk, static_cast<int>(std::find(ids.begin(), ids.end(), id) - ids.begin()) + 1);
}

int ReviewController::currentHunk() const {
    const CodeEditor *editor = m_candidate.currentEditor();
    return editor == nullptr ? 0 : editor->decorator<HunkMarks>().current();
}

void ReviewController::goTo(int hunk) {
    if (review() == nullptr || review()->hunk(hunk) == nullptr)
        return;
    if (m_candidate.showFile(review()->fileOf(hunk)))
        m_candidate.currentEditor()->decorator<HunkMarks>().goTo(hunk);
    showCurrent();
}

void ReviewController::step(int by) {
    if (review() == nullptr)
        return;
    const std::vector<int> ids = review()->hunkIds();
    if (ids.empty())
        return;
    const auto found = std::find(ids.begin(), ids.end(), currentHunk());
    const auto count = static_cast<std::ptrdiff_t>(ids.size());
    const std::ptrdiff_t at = found == ids.end() ? (by > 0 ? -1 : 0) : found - ids.begin();
    goTo(ids[static_cast<std::size_t>((at + by + count) % count)]);
}

void ReviewController::show(const HunkEvidences &evidences) {
    m_evidences = evidences;
    if (m_isAnswering)
        return; // the text comes first
    const ProposalReview *now = review();
    if (now == nullptr)
        return forget();
    // What was just typed is not in the review yet, and must not give way to it: it comes here again.
    if (m_typed.isActive() && m_session->state() == SessionState::AwaitingReview)
        return;
    m_isAnswering = true;
    m_pieces.prepare(*now);
    openNewFiles();
    for (const ReviewedFile &file : now->files()) {
        CodeEditor *editor = m_candidate.editorOf(file.from);
        if (editor == nullptr)
            continue;
        bringIntoLine(file);
        listenTo(editor);
        editor->decorator<HunkMarks>().setLocked({});
        editor->decorator<HunkMarks>().setHunks(shownHunks(*now, file.from, evidences, m_pieces, groups()));
    }
    m_isAnswering = false;
    m_actions.setNoReview(m_candidate.showsEarlier()
                              ? tr("an earlier iteration is shown, and not what is under review")
                              : QString());
    sayWhatIsLeft();
    showCurrent();
}

// The bar and the texts in conflict follow the hunk at hand; the editors know it themselves.
void ReviewController::showCurrent() {
    const ProposalReview *now = review();
    if (now == nullptr || m_isAnswering)
        return;
    m_bar->setReview(tr("Proposal %1").arg(numberOf(now->proposal().id)),
                     allShownHunks(*now, m_evidences, m_pieces, groups()), currentHunk());
    showConflict();
}

} // namespace warpwright
