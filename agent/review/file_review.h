// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/hunk.h"
#include "toolchain/base/result.h"

#include <vector>

namespace warpwright {

/// The review of one file: its current text, and the hunks of a proposal anchored in it.
///
/// Answers and typed edits come in any order. What a person typed is never replaced without being asked for:
/// where it meets lines that are not answered, the hunk becomes a conflict, which keeps what was typed until
/// it is resolved. Undoing all of it in the reverse order gives the text and the hunks of the start, byte by
/// byte.
class FileReview {
public:
    FileReview() = default;
    /// `firstId`: of its first hunk. `asOneHunk`: for files that come or go as a whole.
    FileReview(const TextLines &base, const TextLines &proposed, int firstId, bool asOneHunk = false);

    [[nodiscard]] const TextLines &text() const { return m_text; }
    [[nodiscard]] const std::vector<Hunk> &hunks() const { return m_hunks; } ///< from the top
    [[nodiscard]] const Hunk *hunk(int id) const;
    [[nodiscard]] int countOf(HunkState state) const;

    /// An answer as a step that can be taken back. 0: none was needed, for it stood already.
    using Token = int;

    /// A conflict takes none of these three; nor does an id that is none of ours. Where the person typed in
    /// the lines of an answered hunk, another answer opens it as a conflict instead of writing over them.
    Result<Token> accept(int id, const QString &reason = {});
    Result<Token> reject(int id, const QString &reason = {});
    Result<Token> edit(int id, const TextLines &lines, const QString &reason = {});

    /// The words to an answer that stands, once it was given; false: nobody has answered that hunk.
    bool giveReason(int id, const QString &reason);

    enum class Side { Mine, Theirs };
    /// Answers a conflict: with what the person typed, or with what the agent wants.
    Result<Token> resolve(int id, Side side, const QString &reason = {});
    /// Or with lines of the person's own.
    Result<Token> resolveWith(int id, const TextLines &lines, const QString &reason = {});

    /// The person (or the disk) changed the text itself. It has to fit, else nothing happens and false.
    bool typed(const TextEdit &edit);
    /// The file below the review became `now`; `before` is what it held so far. That is this text without any
    /// answers, else false, and nothing happens. Answers stay where their lines did; where they did not, the
    /// hunk becomes a conflict.
    bool changedBelow(const TextLines &before, const TextLines &now);
    /// The same without any answer: what the file would be if nobody had proposed anything.
    [[nodiscard]] FileReview unanswered() const;

    /// Takes one answer back, or gives it again: for the steps of an editor's own undo. False: it is not the
    /// latest of its hunk (or not one that was taken back), and nothing happens. What was typed in its lines
    /// since stays, as a conflict.
    bool unanswer(Token token);
    bool answerAgain(Token token);
    /// The latest answer of this file; 0: there is none.
    [[nodiscard]] Token lastAnswer() const;
    [[nodiscard]] Token lastTakenBack() const;
    /// The hunk of an answer; 0: there is no such answer.
    [[nodiscard]] int hunkOf(Token token) const;

private:
    enum class Kind { None, Accept, Reject, Edit };

    /// What a person said of a hunk, and the lines that this wrote.
    struct Answer {
        Kind kind = Kind::None;
        TextLines written;
        QString reason;
        bool operator==(const Answer &) const = default;
    };
    struct Step {
        Token token = 0;
        std::size_t hunk = 0;
        Answer before, after;
        TextLines stoodBefore, stoodAfter;
        bool isStanding = true;
        qint64 momentBefore = 0, momentAfter = 0;
    };
    /// A typed edit that its exact opposite, coming next, takes back with every anchor.
    struct Typed {
        TextEdit opposite;
        std::vector<int> starts;
        struct Stood {
            std::size_t hunk = 0;
            TextLines standing, byHand;
        };
        std::vector<Stood> stood;
        qint64 momentBefore = 0, momentAfter = 0;
    };

    [[nodiscard]] Result<std::size_t> find(int id, bool wantsConflict) const;
    Result<Token> answer(std::size_t hunk, Answer answer, const TextLines &standing);
    Result<Token> answerUnlessTyped(int id, Answer answer);
    void stand(std::size_t hunk, const TextLines &lines);
    void settle(std::size_t hunk);
    [[nodiscard]] bool takeBackTyped(const TextEdit &edit);

    TextLines m_text;
    bool m_isWhole = false; ///< the one hunk is the whole file: whatever is typed meets it
    std::vector<Hunk> m_hunks;
    std::vector<Answer> m_answers; ///< of each hunk
    std::vector<TextLines>
        m_byHand; ///< what stands there without an answer: the old lines, or what was typed
    std::vector<Step> m_steps;
    std::vector<Typed> m_typed;
    qint64 m_moment = 0;     ///< names a state of text and hunks: the same again after an exact undo
    qint64 m_lastMoment = 0; ///< given out so far
    Token m_lastToken = 0;
};

} // namespace warpwright
