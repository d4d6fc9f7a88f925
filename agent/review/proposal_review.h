// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/feedback.h"
#include "agent/interface/proposal.h"
#include "agent/review/file_review.h"

#include <functional>
#include <optional>

namespace warpwright {

/// One file of a proposal under review.
struct ReviewedFile {
    enum class Change { Modified, Added, Deleted };

    QString from; ///< its path in the base; of a new file its path in the proposal
    Change change = Change::Modified;
    FileReview lines;
    std::optional<FileReview> name; ///< of a renamed file: a text of one line, its path
    bool isGone = false;            ///< somebody else deleted it meanwhile

    [[nodiscard]] QString path() const; ///< as the answers stand
    [[nodiscard]] bool exists() const;  ///< as the answers stand
};

/// How many hunks are in which state.
struct ReviewCount {
    int open = 0, conflict = 0, accepted = 0, rejected = 0, edited = 0;

    [[nodiscard]] int unanswered() const { return open + conflict; }
    [[nodiscard]] int total() const { return unanswered() + accepted + rejected + edited; }
    bool operator==(const ReviewCount &) const = default;
};

/// All files of one proposal against the text that is there now. New, deleted and renamed files are hunks as
/// well. What differs between the proposal's base and the text of now counts as typed by the person.
class ProposalReview {
public:
    ProposalReview() = default;
    ProposalReview(const Proposal &proposal, const CandidateTexts &now);

    [[nodiscard]] const Proposal &proposal() const { return m_proposal; }
    [[nodiscard]] const std::vector<ReviewedFile> &files() const { return m_files; } ///< by path
    /// Null: no such hunk. Of a renaming, its lines are the two paths.
    [[nodiscard]] const Hunk *hunk(int id) const;
    [[nodiscard]] QString fileOf(int hunk) const; ///< its path in the base; empty: no such hunk
    [[nodiscard]] std::vector<int> hunkIds() const;
    [[nodiscard]] bool isRename(int hunk) const;
    [[nodiscard]] ReviewCount count() const;
    /// The first that is not answered after this one, going round; 0: all are.
    [[nodiscard]] int nextUnanswered(int after = 0) const;

    /// Names one answer, for undo; ordered by time.
    using Token = int;

    /// As FileReview's. A renaming onto a file that is there is an error.
    Result<Token> accept(int hunk, const QString &reason = {});
    Result<Token> reject(int hunk, const QString &reason = {});
    Result<Token> edit(int hunk, const TextLines &lines, const QString &reason = {});
    Result<Token> resolve(int hunk, FileReview::Side side, const QString &reason = {});
    Result<Token> resolveWith(int hunk, const TextLines &lines, const QString &reason = {});
    /// Why a hunk was answered as it was, said behind the answer; false: it is not answered.
    bool giveReason(int hunk, const QString &reason);
    /// All open ones, of one file or (empty) of all; gives those answered. Conflicts stay: each wants an
    /// answer of its own.
    std::vector<int> acceptRest(const QString &file = {}, const QString &reason = {});
    std::vector<int> rejectRest(const QString &file = {}, const QString &reason = {});

    bool unanswer(Token token);
    bool answerAgain(Token token);
    bool undo(); ///< the latest answer; false: there is none
    bool redo();
    [[nodiscard]] int hunkOf(Token token) const;
    [[nodiscard]] Token lastAnswer() const { return m_done.empty() ? 0 : m_done.back(); }
    [[nodiscard]] Token lastTakenBack() const { return m_undone.empty() ? 0 : m_undone.back(); }

    /// Typed in the editor of a file (its path in the base). False: not ours, or it does not fit.
    bool typed(const QString &file, const TextEdit &edit);
    /// The workspace's text became `now` on the disk, where `before` was. What differs was typed. Gives the
    /// files whose review holds typed text that is not on the disk either: they are left as they are.
    QStringList bringIn(const CandidateTexts &before, const CandidateTexts &now);

    /// The whole text as the answers stand: what would be written.
    [[nodiscard]] CandidateTexts texts() const;
    /// The same without any answer: the base with what was typed.
    [[nodiscard]] CandidateTexts textsUnanswered() const;
    /// The same if these hunks were accepted and all others rejected. Conflicts stay as they were typed.
    [[nodiscard]] CandidateTexts textsWith(const std::function<bool(int)> &isAccepted) const;
    [[nodiscard]] CandidateTexts textsAccepted() const; ///< the proposal whole
    [[nodiscard]] std::vector<AnsweredHunk> answers() const;

private:
    struct Step {
        std::size_t file = 0;
        bool isName = false;
        FileReview::Token token = 0;
    };
    struct Place {
        std::size_t file = 0;
        bool isName = false;
    };
    [[nodiscard]] std::optional<Place> placeOf(int hunk) const;
    [[nodiscard]] FileReview &reviewAt(std::size_t file, bool isName);
    Result<Token> answer(int hunk, const std::function<Result<FileReview::Token>(FileReview &)> &give);
    std::vector<int> answerRest(const QString &file, bool isAccepted, const QString &reason);
    [[nodiscard]] QString whyNotRenamed(int hunk, const QString &to) const;
    [[nodiscard]] const Step *step(Token token) const;

    Proposal m_proposal;
    CandidateTexts m_now; ///< of the files that are not under review
    std::vector<ReviewedFile> m_files;
    std::vector<Step> m_steps; ///< token t is the t-th
    std::vector<Token> m_done;
    std::vector<Token> m_undone;
};

} // namespace warpwright
