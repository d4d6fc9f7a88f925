// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/file_review.h"

#include <algorithm>

namespace warpwright {

QString hunkStateName(HunkState state) {
    switch (state) {
    case HunkState::Accepted:
        return QStringLiteral("accepted");
    case HunkState::Rejected:
        return QStringLiteral("rejected");
    case HunkState::Edited:
        return QStringLiteral("edited");
    case HunkState::Conflict:
        return QStringLiteral("conflict");
    case HunkState::Open:
        break;
    }
    return QStringLiteral("open");
}

FileReview::FileReview(const TextLines &base, const TextLines &proposed, int firstId, bool asOneHunk)
    : m_text(base), m_isWhole(asOneHunk) {
    const std::vector<TextEdit> edits =
        asOneHunk ? std::vector<TextEdit>{{0, static_cast<int>(base.size()), proposed}}
                  : editsBetween(base, proposed);
    for (const TextEdit &edit : edits) {
        Hunk hunk;
        hunk.id = firstId++;
        hunk.start = edit.start;
        hunk.oldLines.assign(base.begin() + edit.start, base.begin() + edit.start + edit.removed);
        hunk.newLines = edit.inserted;
        hunk.standing = hunk.oldLines;
        m_answers.push_back({Kind::None, hunk.oldLines, {}});
        m_byHand.push_back(hunk.oldLines);
        m_hunks.push_back(std::move(hunk));
    }
}

const Hunk *FileReview::hunk(int id) const {
    const auto found =
        std::find_if(m_hunks.begin(), m_hunks.end(), [id](const Hunk &hunk) { return hunk.id == id; });
    return found == m_hunks.end() ? nullptr : &*found;
}

int FileReview::countOf(HunkState state) const {
    return static_cast<int>(std::count_if(m_hunks.begin(), m_hunks.end(),
                                          [state](const Hunk &hunk) { return hunk.state == state; }));
}

Result<std::size_t> FileReview::find(int id, bool wantsConflict) const {
    using Found = Result<std::size_t>;
    const Hunk *found = hunk(id);
    if (found == nullptr)
        return Found::error(
            QStringLiteral("Cannot answer hunk %1: there is no such hunk in this file.").arg(id));
    const bool isConflict = found->state == HunkState::Conflict;
    if (isConflict && !wantsConflict)
        return Found::error(QStringLiteral("Cannot answer hunk %1 like that: its old lines were changed "
                                           "meanwhile. Choose mine, theirs, or a text of your own.")
                                .arg(id));
    if (!isConflict && wantsConflict)
        return Found::error(
            QStringLiteral("Cannot resolve hunk %1: it is no conflict but %2. Accept, reject or edit it.")
                .arg(id)
                .arg(hunkStateName(found->state)));
    return Found::ok(static_cast<std::size_t>(found - m_hunks.data()));
}

// The state follows from the answer and from what stands there; nobody sets it.
void FileReview::settle(std::size_t index) {
    Hunk &hunk = m_hunks[index];
    const Answer &answer = m_answers[index];
    hunk.isTypedIn = hunk.standing != answer.written;
    hunk.reason = answer.reason;
    switch (answer.kind) {
    case Kind::None:
        hunk.state = hunk.isTypedIn ? HunkState::Conflict : HunkState::Open;
        break;
    case Kind::Accept:
        hunk.state = hunk.isTypedIn ? HunkState::Edited : HunkState::Accepted;
        break;
    case Kind::Reject:
        hunk.state = HunkState::Rejected;
        break;
    case Kind::Edit:
        hunk.state = HunkState::Edited;
        break;
    }
}

// Replaces the hunk's lines in the text; the hunks below move along.
void FileReview::stand(std::size_t index, const TextLines &lines) {
    Hunk &hunk = m_hunks[index];
    apply(m_text, {hunk.start, hunk.count(), lines});
    const int shift = static_cast<int>(lines.size()) - hunk.count();
    hunk.standing = lines;
    for (std::size_t below = index + 1; below < m_hunks.size(); ++below)
        m_hunks[below].start += shift;
}

Result<FileReview::Token> FileReview::answer(std::size_t index, Answer answer, const TextLines &standing) {
    if (m_answers[index] == answer && m_hunks[index].standing == standing)
        return Result<Token>::ok(0);
    Step step;
    step.token = ++m_lastToken;
    step.hunk = index;
    step.before = m_answers[index];
    step.after = answer;
    step.stoodBefore = m_hunks[index].standing;
    step.stoodAfter = standing;
    step.momentBefore = m_moment;
    step.momentAfter = m_moment = ++m_lastMoment;
    // What was taken back is given up by a new answer, as in every editor.
    m_steps.erase(
        std::remove_if(m_steps.begin(), m_steps.end(), [](const Step &old) { return !old.isStanding; }),
        m_steps.end());
    m_steps.push_back(step);
    m_answers[index] = std::move(answer);
    stand(index, standing);
    settle(index);
    return Result<Token>::ok(step.token);
}

Result<FileReview::Token> FileReview::answerUnlessTyped(int id, Answer given) {
    const Result<std::size_t> index = find(id, false);
    if (!index.hasValue())
        return Result<Token>::error(index.message());
    const Hunk &hunk = m_hunks[index.value()];
    if (hunk.isTypedIn)
        return answer(index.value(), {Kind::None, hunk.oldLines, {}}, TextLines(hunk.standing));
    const TextLines written = given.written;
    return answer(index.value(), std::move(given), written);
}

Result<FileReview::Token> FileReview::accept(int id, const QString &reason) {
    const Hunk *found = hunk(id);
    return answerUnlessTyped(id, {Kind::Accept, found ? found->newLines : TextLines(), reason});
}

Result<FileReview::Token> FileReview::reject(int id, const QString &reason) {
    const Hunk *found = hunk(id);
    return answerUnlessTyped(id, {Kind::Reject, found ? found->oldLines : TextLines(), reason});
}

Result<FileReview::Token> FileReview::edit(int id, const TextLines &lines, const QString &reason) {
    return answerUnlessTyped(id, {Kind::Edit, lines, reason});
}

bool FileReview::giveReason(int id, const QString &reason) {
    const Hunk *found = hunk(id);
    if (found == nullptr || !found->isAnswered())
        return false;
    const auto index = static_cast<std::size_t>(found - m_hunks.data());
    m_answers[index].reason = reason;
    // It belongs to the latest answer, and comes and goes with that.
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step)
        if (step->hunk == index && step->isStanding) {
            step->after.reason = reason;
            break;
        }
    settle(index);
    return true;
}

Result<FileReview::Token> FileReview::resolve(int id, Side side, const QString &reason) {
    const Result<std::size_t> index = find(id, true);
    if (!index.hasValue())
        return Result<Token>::error(index.message());
    const Hunk &hunk = m_hunks[index.value()];
    const TextLines lines = side == Side::Theirs ? hunk.newLines : hunk.standing;
    return answer(index.value(), {lines == hunk.newLines ? Kind::Accept : Kind::Edit, lines, reason}, lines);
}

Result<FileReview::Token> FileReview::resolveWith(int id, const TextLines &lines, const QString &reason) {
    const Result<std::size_t> index = find(id, true);
    if (!index.hasValue())
        return Result<Token>::error(index.message());
    const bool isTheirs = lines == m_hunks[index.value()].newLines;
    return answer(index.value(), {isTheirs ? Kind::Accept : Kind::Edit, lines, reason}, lines);
}

bool FileReview::takeBackTyped(const TextEdit &edit) {
    if (m_typed.empty() || m_typed.back().momentAfter != m_moment || m_typed.back().opposite != edit)
        return false;
    const Typed last = std::move(m_typed.back());
    m_typed.pop_back();
    apply(m_text, edit);
    for (const auto &[index, standing, byHand] : last.stood) {
        m_hunks[index].standing = standing;
        m_byHand[index] = byHand;
    }
    for (std::size_t i = 0; i < m_hunks.size(); ++i)
        m_hunks[i].start = last.starts[i];
    for (const Typed::Stood &stood : last.stood)
        settle(stood.hunk);
    m_moment = last.momentBefore;
    return true;
}

bool FileReview::typed(const TextEdit &edit) {
    const int end = edit.start + edit.removed;
    if (edit.start < 0 || edit.removed < 0 || end > static_cast<int>(m_text.size()))
        return false;
    const TextLines removed(m_text.begin() + edit.start, m_text.begin() + end);
    if (removed == edit.inserted || takeBackTyped(edit))
        return true;
    const int added = static_cast<int>(edit.inserted.size());
    Typed entry;
    entry.opposite = {edit.start, added, removed};
    entry.momentBefore = m_moment;
    entry.momentAfter = m_moment = ++m_lastMoment;
    apply(m_text, edit);
    bool hasTaken = false; // the inserted lines belong to the first hunk that they meet
    for (std::size_t i = 0; i < m_hunks.size(); ++i) {
        Hunk &hunk = m_hunks[i];
        entry.starts.push_back(hunk.start);
        // At the edge of a hunk is outside of it; a place without lines is met when lines on both sides go.
        if (!m_isWhole && (edit.start >= hunk.end() || hunk.start >= end)) {
            if (hunk.start >= end)
                hunk.start += added - edit.removed;
            continue;
        }
        entry.stood.push_back({i, hunk.standing, m_byHand[i]});
        const int from = std::max(edit.start, hunk.start) - hunk.start;
        const int to = std::min(end, hunk.end()) - hunk.start;
        TextLines &lines = hunk.standing;
        lines.erase(lines.begin() + from, lines.begin() + std::max(from, to));
        if (!hasTaken) {
            lines.insert(lines.begin() + from, edit.inserted.begin(), edit.inserted.end());
            hunk.start = std::min(hunk.start, edit.start);
        } else {
            hunk.start = edit.start + added;
        }
        hasTaken = true;
        m_byHand[i] = hunk.standing;
        settle(i);
    }
    m_typed.push_back(std::move(entry));
    return true;
}

FileReview FileReview::unanswered() const {
    FileReview other = *this;
    for (std::size_t i = 0; i < m_hunks.size(); ++i) {
        other.m_answers[i] = {Kind::None, m_hunks[i].oldLines, {}};
        other.stand(i, m_byHand[i]);
        other.settle(i);
    }
    other.m_steps.clear();
    other.m_typed.clear();
    return other;
}

bool FileReview::changedBelow(const TextLines &before, const TextLines &now) {
    FileReview below = unanswered();
    if (below.m_text != before)
        return false;
    const std::vector<TextEdit> edits = editsBetween(before, now);
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
        below.typed(*edit);
    // An answer stays where the lines that it was given to did.
    for (std::size_t i = 0; i < m_hunks.size(); ++i) {
        if (m_answers[i].kind == Kind::None || below.m_byHand[i] != m_byHand[i])
            continue;
        below.m_answers[i] = m_answers[i];
        below.stand(i, TextLines(m_hunks[i].standing));
        below.settle(i);
    }
    m_text = std::move(below.m_text);
    m_hunks = std::move(below.m_hunks);
    m_answers = std::move(below.m_answers);
    m_byHand = std::move(below.m_byHand);
    m_typed.clear();
    m_moment = ++m_lastMoment;
    return true;
}

bool FileReview::unanswer(Token token) {
    const auto step = std::find_if(m_steps.begin(), m_steps.end(),
                                   [token](const Step &some) { return some.token == token; });
    if (token == 0 || step == m_steps.end() || !step->isStanding)
        return false;
    const bool hasLater = std::any_of(step + 1, m_steps.end(), [&step](const Step &later) {
        return later.isStanding && later.hunk == step->hunk;
    });
    if (hasLater)
        return false;
    const qint64 momentAfter = m_moment;
    const bool isExact = m_moment == step->momentAfter;
    m_answers[step->hunk] = step->before;
    if (m_hunks[step->hunk].standing == step->stoodAfter)
        stand(step->hunk, step->stoodBefore);
    settle(step->hunk);
    step->isStanding = false;
    m_moment = isExact ? step->momentBefore : ++m_lastMoment;
    step->momentBefore = m_moment;
    step->momentAfter = momentAfter;
    return true;
}

bool FileReview::answerAgain(Token token) {
    const auto step = std::find_if(m_steps.begin(), m_steps.end(),
                                   [token](const Step &some) { return some.token == token; });
    if (token == 0 || step == m_steps.end() || step->isStanding || m_answers[step->hunk] != step->before ||
        m_hunks[step->hunk].standing != step->stoodBefore)
        return false;
    const bool isExact = m_moment == step->momentBefore;
    m_answers[step->hunk] = step->after;
    stand(step->hunk, step->stoodAfter);
    settle(step->hunk);
    step->isStanding = true;
    step->momentBefore = m_moment;
    m_moment = isExact ? step->momentAfter : ++m_lastMoment;
    step->momentAfter = m_moment;
    return true;
}

FileReview::Token FileReview::lastAnswer() const {
    Token last = 0;
    for (const Step &step : m_steps)
        if (step.isStanding)
            last = std::max(last, step.token);
    return last;
}

FileReview::Token FileReview::lastTakenBack() const {
    Token first = 0;
    for (const Step &step : m_steps)
        if (!step.isStanding && (first == 0 || step.token < first))
            first = step.token;
    return first;
}

int FileReview::hunkOf(Token token) const {
    for (const Step &step : m_steps)
        if (step.token == token)
            return m_hunks[step.hunk].id;
    return 0;
}

} // namespace warpwright
