// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/proposal_review.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

QByteArray textIn(const CandidateTexts &texts, const QString &path) {
    const auto found = texts.find(path);
    return found == texts.end() ? QByteArray() : found->second;
}

const Hunk *hunkIn(const ReviewedFile &file, int id) {
    const Hunk *found = file.name ? file.name->hunk(id) : nullptr;
    return found != nullptr ? found : file.lines.hunk(id);
}

} // namespace

QString ReviewedFile::path() const {
    return name ? QString::fromUtf8(joined(name->text())) : from;
}

bool ReviewedFile::exists() const {
    if (isGone && lines.text().empty())
        return false;
    if (change == Change::Modified || lines.hunks().empty())
        return true;
    const HunkState state = lines.hunks().front().state;
    if (change == Change::Deleted)
        return state != HunkState::Accepted;
    return state == HunkState::Accepted || state == HunkState::Edited || !lines.text().empty();
}

ProposalReview::ProposalReview(const Proposal &proposal, const CandidateTexts &now)
    : m_proposal(proposal), m_now(now) {
    std::map<QString, QString> renamedTo;
    std::set<QString> targets;
    for (const RenamedFile &rename : proposal.renames)
        if (proposal.base.count(rename.from) > 0 && proposal.proposed.count(rename.to) > 0) {
            renamedTo[rename.from] = rename.to;
            targets.insert(rename.to);
        }
    std::set<QString> paths;
    for (const CandidateTexts *side : {&proposal.base, &proposal.proposed})
        for (const auto &[path, text] : *side)
            if (isCandidatePath(path) && targets.count(path) == 0)
                paths.insert(path);
    int id = 1;
    for (const QString &path : paths) {
        ReviewedFile file;
        file.from = path;
        const auto rename = renamedTo.find(path);
        const QString to = rename == renamedTo.end() ? path : rename->second;
        const bool wasThere = proposal.base.count(path) > 0;
        const bool isThere = proposal.proposed.count(to) > 0;
        const QByteArray before = textIn(proposal.base, path);
        const QByteArray after = textIn(proposal.proposed, to);
        if (wasThere && isThere && before == after && to == path)
            continue;
        file.change = !wasThere  ? ReviewedFile::Change::Added
                      : !isThere ? ReviewedFile::Change::Deleted
                                 : ReviewedFile::Change::Modified;
        if (to != path)
            file.name = FileReview({path.toUtf8()}, {to.toUtf8()}, id++);
        file.lines =
            FileReview(linesOf(before), linesOf(after), id, file.change != ReviewedFile::Change::Modified);
        id += static_cast<int>(file.lines.hunks().size());
        m_files.push_back(std::move(file));
    }
    const QStringList refused = bringIn(proposal.base, now);
    Q_ASSERT(refused.isEmpty());
}

QStringList ProposalReview::bringIn(const CandidateTexts &before, const CandidateTexts &now) {
    QStringList refused;
    std::set<QString> reviewed;
    for (ReviewedFile &file : m_files) {
        reviewed.insert(file.from);
        file.isGone = before.count(file.from) > 0 && now.count(file.from) == 0;
        const TextLines known = linesOf(textIn(before, file.from));
        const TextLines lines = linesOf(textIn(now, file.from));
        if (known != lines && !file.lines.changedBelow(known, lines))
            refused << file.from;
    }
    for (const auto &[path, text] : before)
        if (now.count(path) == 0)
            m_now.erase(path);
    for (const auto &[path, text] : now)
        m_now[path] = text;
    for (const QString &path : reviewed)
        m_now.erase(path);
    return refused;
}

const Hunk *ProposalReview::hunk(int id) const {
    const std::optional<Place> place = placeOf(id);
    return place ? hunkIn(m_files[place->file], id) : nullptr;
}

QString ProposalReview::fileOf(int hunk) const {
    const std::optional<Place> place = placeOf(hunk);
    return place ? m_files[place->file].from : QString();
}

bool ProposalReview::isRename(int hunk) const {
    const std::optional<Place> place = placeOf(hunk);
    return place && place->isName;
}

std::vector<int> ProposalReview::hunkIds() const {
    std::vector<int> ids;
    for (const ReviewedFile &file : m_files) {
        if (file.name)
            for (const Hunk &hunk : file.name->hunks())
                ids.push_back(hunk.id);
        for (const Hunk &hunk : file.lines.hunks())
            ids.push_back(hunk.id);
    }
    return ids;
}

ReviewCount ProposalReview::count() const {
    ReviewCount count;
    for (const int id : hunkIds()) {
        switch (hunk(id)->state) {
        case HunkState::Open:
            ++count.open;
            break;
        case HunkState::Conflict:
            ++count.conflict;
            break;
        case HunkState::Accepted:
            ++count.accepted;
            break;
        case HunkState::Rejected:
            ++count.rejected;
            break;
        case HunkState::Edited:
            ++(hunk(id)->isUntouched() ? count.open : count.edited);
            break;
        }
    }
    return count;
}

int ProposalReview::nextUnanswered(int after) const {
    int first = 0;
    for (const int id : hunkIds()) {
        if (hunk(id)->isAnswered())
            continue;
        if (id > after)
            return id;
        first = first == 0 ? id : first;
    }
    return first;
}

std::optional<ProposalReview::Place> ProposalReview::placeOf(int hunk) const {
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        if (m_files[i].name && m_files[i].name->hunk(hunk) != nullptr)
            return Place{i, true};
        if (m_files[i].lines.hunk(hunk) != nullptr)
            return Place{i, false};
    }
    return std::nullopt;
}

FileReview &ProposalReview::reviewAt(std::size_t file, bool isName) {
    return isName ? *m_files[file].name : m_files[file].lines;
}

Result<ProposalReview::Token>
ProposalReview::answer(int hunk, const std::function<Result<FileReview::Token>(FileReview &)> &give) {
    const std::optional<Place> place = placeOf(hunk);
    if (!place)
        return Result<Token>::error(QStringLiteral("Cannot answer hunk %1: proposal \"%2\" has no such hunk.")
                                        .arg(hunk)
                                        .arg(m_proposal.id));
    const Result<FileReview::Token> given = give(reviewAt(place->file, place->isName));
    if (!given.hasValue() || given.value() == 0)
        return given;
    m_steps.push_back({place->file, place->isName, given.value()});
    const Token token = static_cast<Token>(m_steps.size());
    m_done.push_back(token);
    m_undone.clear();
    return Result<Token>::ok(token);
}

QString ProposalReview::whyNotRenamed(int hunk, const QString &to) const {
    if (!isRename(hunk))
        return {};
    QString why;
    if (!isCandidatePath(to) || to.contains(QLatin1String("..")) || to.contains(QLatin1Char('\n')))
        why = QStringLiteral("only files of kernels/ and model_new.py are the candidate's");
    else if (m_now.count(to) > 0)
        why = QStringLiteral("\"%1\" is there already").arg(to);
    for (const ReviewedFile &file : m_files)
        if (file.path() == to && file.exists() && file.from != fileOf(hunk))
            why = QStringLiteral("\"%1\" is there already").arg(to);
    return why.isEmpty()
               ? QString()
               : QStringLiteral("Cannot rename \"%1\": %2. Reject the renaming, or choose another name.")
                     .arg(fileOf(hunk), why);
}

Result<ProposalReview::Token> ProposalReview::accept(int id, const QString &reason) {
    const Hunk *found = hunk(id);
    const QString to = found ? QString::fromUtf8(joined(found->newLines)) : QString();
    if (const QString why = whyNotRenamed(id, to); !why.isEmpty())
        return Result<Token>::error(why);
    return answer(id, [&](FileReview &review) { return review.accept(id, reason); });
}

Result<ProposalReview::Token> ProposalReview::reject(int id, const QString &reason) {
    return answer(id, [&](FileReview &review) { return review.reject(id, reason); });
}

Result<ProposalReview::Token> ProposalReview::edit(int id, const TextLines &lines, const QString &reason) {
    if (const QString why = whyNotRenamed(id, QString::fromUtf8(joined(lines))); !why.isEmpty())
        return Result<Token>::error(why);
    return answer(id, [&](FileReview &review) { return review.edit(id, lines, reason); });
}

Result<ProposalReview::Token> ProposalReview::resolve(int id, FileReview::Side side, const QString &reason) {
    return answer(id, [&](FileReview &review) { return review.resolve(id, side, reason); });
}

Result<ProposalReview::Token> ProposalReview::resolveWith(int id, const TextLines &lines,
                                                          const QString &reason) {
    return answer(id, [&](FileReview &review) { return review.resolveWith(id, lines, reason); });
}

bool ProposalReview::giveReason(int id, const QString &reason) {
    const std::optional<Place> place = placeOf(id);
    return place && reviewAt(place->file, place->isName).giveReason(id, reason);
}

std::vector<int> ProposalReview::answerRest(const QString &file, bool isAccepted, const QString &reason) {
    std::vector<int> answered;
    for (const int id : hunkIds()) {
        if (!hunk(id)->isOpen() || (!file.isEmpty() && fileOf(id) != file))
            continue;
        if ((isAccepted ? accept(id, reason) : reject(id, reason)).hasValue())
            answered.push_back(id);
    }
    return answered;
}

std::vector<int> ProposalReview::acceptRest(const QString &file, const QString &reason) {
    return answerRest(file, true, reason);
}

std::vector<int> ProposalReview::rejectRest(const QString &file, const QString &reason) {
    return answerRest(file, false, reason);
}

const ProposalReview::Step *ProposalReview::step(Token token) const {
    return token > 0 && token <= static_cast<Token>(m_steps.size())
               ? &m_steps[static_cast<std::size_t>(token - 1)]
               : nullptr;
}

int ProposalReview::hunkOf(Token token) const {
    const Step *found = step(token);
    if (found == nullptr)
        return 0;
    const ReviewedFile &file = m_files[found->file];
    return (found->isName ? *file.name : file.lines).hunkOf(found->token);
}

bool ProposalReview::unanswer(Token token) {
    const Step *found = step(token);
    if (found == nullptr || !reviewAt(found->file, found->isName).unanswer(found->token))
        return false;
    m_done.erase(std::remove(m_done.begin(), m_done.end(), token), m_done.end());
    m_undone.push_back(token);
    return true;
}

bool ProposalReview::answerAgain(Token token) {
    const Step *found = step(token);
    if (found == nullptr || !reviewAt(found->file, found->isName).answerAgain(found->token))
        return false;
    m_undone.erase(std::remove(m_undone.begin(), m_undone.end(), token), m_undone.end());
    m_done.push_back(token);
    return true;
}

bool ProposalReview::undo() {
    return !m_done.empty() && unanswer(m_done.back());
}

bool ProposalReview::redo() {
    return !m_undone.empty() && answerAgain(m_undone.back());
}

bool ProposalReview::typed(const QString &file, const TextEdit &edit) {
    for (ReviewedFile &reviewed : m_files)
        if (reviewed.from == file)
            return reviewed.lines.typed(edit);
    return false;
}

CandidateTexts ProposalReview::texts() const {
    CandidateTexts texts = m_now;
    for (const ReviewedFile &file : m_files)
        if (file.exists())
            texts[file.path()] = joined(file.lines.text());
    return texts;
}

CandidateTexts ProposalReview::textsUnanswered() const {
    ProposalReview other = *this;
    for (ReviewedFile &file : other.m_files) {
        file.lines = file.lines.unanswered();
        if (file.name)
            file.name = file.name->unanswered();
    }
    return other.texts();
}

CandidateTexts ProposalReview::textsWith(const std::function<bool(int)> &isAccepted) const {
    ProposalReview other = *this;
    for (const int id : hunkIds())
        if (const Hunk *found = other.hunk(id); found->state != HunkState::Conflict && !found->isTypedIn) {
            // One that cannot be accepted (a renaming onto another file) stays as it was.
            const Result<Token> given = isAccepted(id) ? other.accept(id) : other.reject(id);
            Q_UNUSED(given);
        }
    return other.texts();
}

CandidateTexts ProposalReview::textsAccepted() const {
    return textsWith([](int) { return true; });
}

std::vector<AnsweredHunk> ProposalReview::answers() const {
    std::vector<AnsweredHunk> answers;
    for (const int id : hunkIds()) {
        const Hunk &found = *hunk(id);
        answers.push_back(
            {fileOf(id), id, found.state, found.reason, found.oldLines, found.newLines, found.standing});
    }
    return answers;
}

} // namespace warpwright
