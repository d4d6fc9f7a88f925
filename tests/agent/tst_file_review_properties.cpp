// SPDX-License-Identifier: GPL-3.0-or-later
// Typed edits, answers, undos and redos in any order, against an oracle that keeps no positions. The number
// of operations: WARPWRIGHT_REVIEW_OPERATIONS (100,000 is what issue 7 asks for; fewer by default).
#include "tests/agent/review_oracle.h"

#include <QTest>

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <optional>

using namespace warpwright;

namespace {

constexpr int operationsOfACase = 100;

struct Operation {
    int kind, first, second, third;
};

std::ostream &operator<<(std::ostream &stream, const Operation &operation) {
    return stream << operation.kind << '/' << operation.first << '/' << operation.second << '/'
                  << operation.third;
}

rc::Gen<Operation> anyOperation() {
    return rc::gen::build<Operation>(rc::gen::set(&Operation::kind, rc::gen::inRange(0, 16)),
                                     rc::gen::set(&Operation::first, rc::gen::inRange(0, 1000)),
                                     rc::gen::set(&Operation::second, rc::gen::inRange(0, 1000)),
                                     rc::gen::set(&Operation::third, rc::gen::inRange(0, 1000)));
}

/// Few words, so that the same lines come again; every kind of line's end.
TextLines linesFrom(const std::vector<int> &numbers) {
    static const std::vector<QByteArray> words = {"a\n", "b\n", "c\r\n", "\n", "a\r\n", "d\n", "\xff\xfe\n"};
    TextLines lines;
    for (const int number : numbers)
        lines.push_back(words[static_cast<std::size_t>(number) % words.size()]);
    return lines;
}

TextLines anyText() {
    std::vector<int> numbers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 7));
    TextLines lines = linesFrom(numbers);
    if (!lines.empty() && *rc::gen::inRange(0, 3) == 0)
        lines.back().chop(1); // a last line without its end, or with half of one
    if (!lines.empty() && lines.back().isEmpty())
        lines.pop_back();
    return lines;
}

/// What an editor does: it keeps what was typed and answered in one stack of its own.
struct EditorStep {
    bool isTyped = false;
    TextEdit edit, opposite;
    std::optional<ReviewOracle> oracle; // before it: what is undone is as it was, marks included
    int token = 0, hunk = 0;
    TextLines before, after;
};

class Play {
public:
    Play(const TextLines &base, const TextLines &proposed)
        : m_review(base, proposed, 1), m_start(m_review), m_oracle(base, m_review.hunks()) {}

    void take(const Operation &operation);
    void undo();
    void redo();
    void compare() const;
    [[nodiscard]] bool canUndo() const { return !m_done.empty(); }
    [[nodiscard]] const FileReview &review() const { return m_review; }
    [[nodiscard]] const FileReview &start() const { return m_start; }

private:
    void type(const TextEdit &edit);
    void answered(int hunk, const Result<FileReview::Token> &token, const TextLines &before,
                  HunkState stateBefore);

    FileReview m_review;
    FileReview m_start;
    ReviewOracle m_oracle;
    std::vector<EditorStep> m_done, m_undone;
};

void Play::type(const TextEdit &edit) {
    const auto at = m_review.text().begin() + edit.start;
    const bool isNothing = TextLines(at, at + edit.removed) == edit.inserted;
    RC_ASSERT(m_review.typed(edit));
    if (!isNothing)
        m_oracle.typed(edit);
}

void Play::answered(int hunk, const Result<FileReview::Token> &token, const TextLines &before,
                    HunkState stateBefore) {
    if (!token.hasValue()) {
        RC_ASSERT(stateBefore == HunkState::Conflict); // shown, and not to be answered by the way
        return;
    }
    if (token.value() == 0)
        return;
    const TextLines after = m_review.hunk(hunk)->standing;
    m_oracle.stand(hunk, after);
    m_done.push_back({false, {}, {}, {}, token.value(), hunk, before, after});
    m_undone.clear();
}

void Play::take(const Operation &operation) {
    const auto [kind, first, second, third] = operation;
    const int size = static_cast<int>(m_review.text().size());
    if (kind < 6) {
        const int start = first % (size + 1);
        const int removed = std::min(second % 5, size - start);
        std::vector<int> numbers;
        for (int i = 0; i < third % 4; ++i)
            numbers.push_back(first + i);
        const TextEdit edit{start, removed, linesFrom(numbers)};
        const TextLines gone(m_review.text().begin() + start, m_review.text().begin() + start + removed);
        const ReviewOracle before = m_oracle;
        if (!m_done.empty() && m_done.back().isTyped && m_done.back().opposite == edit) {
            undo(); // typing the exact opposite is the same
            m_undone.clear();
            return;
        }
        type(edit);
        if (gone != edit.inserted) {
            m_done.push_back(
                {true, edit, {start, static_cast<int>(edit.inserted.size()), gone}, before, 0, 0, {}, {}});
            m_undone.clear();
        }
    } else if (kind < 8) {
        undo();
    } else if (kind == 8) {
        redo();
    } else if (!m_review.hunks().empty()) {
        const Hunk hunk = m_review.hunks()[static_cast<std::size_t>(first) % m_review.hunks().size()];
        const TextLines own = linesFrom({second, third});
        const auto reply = [&](const Result<FileReview::Token> &token, const TextLines &expected) {
            answered(hunk.id, token, hunk.standing, hunk.state);
            if (!token.hasValue())
                return;
            const Hunk &now = *m_review.hunk(hunk.id);
            // Never over what was typed in answered lines.
            const bool isReopened = hunk.isTypedIn && hunk.state != HunkState::Conflict;
            RC_ASSERT(now.standing == (isReopened ? hunk.standing : expected));
            RC_ASSERT(!isReopened || now.state == HunkState::Conflict ||
                      (now.standing == now.oldLines && now.state == HunkState::Open));
        };
        if (kind < 11)
            reply(m_review.accept(hunk.id), hunk.newLines);
        else if (kind < 13)
            reply(m_review.reject(hunk.id, "no"), hunk.oldLines);
        else if (kind == 13)
            reply(m_review.edit(hunk.id, own), own);
        else if (hunk.state != HunkState::Conflict)
            RC_ASSERT(!m_review.resolveWith(hunk.id, own).hasValue());
        else if (kind == 14)
            reply(m_review.resolveWith(hunk.id, own), own);
        else
            reply(m_review.resolve(hunk.id,
                                   second % 2 == 0 ? FileReview::Side::Mine : FileReview::Side::Theirs),
                  second % 2 == 0 ? hunk.standing : hunk.newLines);
    }
}

void Play::undo() {
    if (m_done.empty())
        return;
    const EditorStep step = m_done.back();
    m_done.pop_back();
    if (step.isTyped) {
        RC_ASSERT(m_review.typed(step.opposite));
        m_oracle = *step.oracle;
    } else {
        RC_ASSERT(m_review.unanswer(step.token));
        m_oracle.stand(step.hunk, step.before);
    }
    m_undone.push_back(step);
}

void Play::redo() {
    if (m_undone.empty())
        return;
    const EditorStep step = m_undone.back();
    m_undone.pop_back();
    if (step.isTyped) {
        type(step.edit);
    } else {
        RC_ASSERT(m_review.answerAgain(step.token));
        m_oracle.stand(step.hunk, step.after);
    }
    m_done.push_back(step);
}

void Play::compare() const {
    RC_ASSERT(m_review.text() == m_oracle.text());
    for (const Hunk &hunk : m_review.hunks()) {
        RC_ASSERT(hunk.start >= 0 && hunk.end() <= static_cast<int>(m_review.text().size()));
        const TextLines there(m_review.text().begin() + hunk.start, m_review.text().begin() + hunk.end());
        RC_ASSERT(there == hunk.standing);
        RC_ASSERT(m_oracle.linesOf(hunk.id) == hunk.standing);
        RC_ASSERT(m_oracle.startOf(hunk.id) == hunk.start);
        if (hunk.state == HunkState::Open)
            RC_ASSERT(hunk.standing == hunk.oldLines);
        if (hunk.state == HunkState::Accepted)
            RC_ASSERT(hunk.standing == hunk.newLines);
        if (hunk.state == HunkState::Rejected && !hunk.isTypedIn)
            RC_ASSERT(hunk.standing == hunk.oldLines);
        if (hunk.state == HunkState::Conflict)
            RC_ASSERT(hunk.standing != hunk.oldLines);
    }
}

int wantedCases() {
    const int wanted = qEnvironmentVariableIntValue("WARPWRIGHT_REVIEW_OPERATIONS");
    return std::max(1, (wanted > 0 ? wanted : 20000) / operationsOfACase);
}

} // namespace

class TestFileReviewProperties : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!qEnvironmentVariableIsSet("RC_PARAMS")) // read once, at the first check
            qputenv("RC_PARAMS", "max_success=" + QByteArray::number(wantedCases()));
    }

    void anyOrderGivesWhatTheOracleSays() {
        qint64 taken = 0;
        QVERIFY(rc::check("any order of edits, answers, undos and redos", [&taken] {
            const TextLines base = anyText(), proposed = anyText();
            Play play(base, proposed);
            for (const Operation &operation : *rc::gen::container<std::vector<Operation>>(
                     static_cast<std::size_t>(operationsOfACase), anyOperation())) {
                play.take(operation);
                play.compare();
                ++taken;
            }
            while (play.canUndo()) {
                play.undo();
                play.compare();
            }
            RC_ASSERT(play.review().text() == play.start().text());
            RC_ASSERT(play.review().hunks() == play.start().hunks());
        }));
        qInfo("%lld operations", static_cast<long long>(taken));
    }

    void acceptingAllGivesTheProposal() {
        QVERIFY(rc::check("all accepted, in any order", [] {
            const TextLines base = anyText();
            const TextLines proposed = anyText();
            FileReview review(base, proposed, 1);
            std::vector<int> ids;
            for (const Hunk &hunk : review.hunks())
                ids.push_back(hunk.id);
            const auto order = *rc::gen::container<std::vector<int>>(ids.size(), rc::gen::inRange(0, 1000));
            for (std::size_t i = ids.size(); i > 1; --i)
                std::swap(ids[i - 1], ids[static_cast<std::size_t>(order[i - 1]) % i]);
            for (const int id : ids)
                RC_ASSERT(review.accept(id).hasValue());
            RC_ASSERT(joined(review.text()) == joined(proposed));
            for (const int id : ids)
                RC_ASSERT(review.reject(id).hasValue());
            RC_ASSERT(joined(review.text()) == joined(base));
        }));
    }

    void rejectingAllLeavesTheBaseWithWhatWasTyped() {
        QVERIFY(rc::check("typed first, then all rejected", [] {
            const TextLines base = anyText();
            FileReview review(base, anyText(), 1);
            TextLines plain = base;
            const auto operations = *rc::gen::container<std::vector<Operation>>(anyOperation());
            for (const auto &[kind, first, second, third] : operations) {
                const int size = static_cast<int>(plain.size());
                const int start = first % (size + 1);
                const TextEdit edit{start, std::min(second % 3, size - start), linesFrom({third})};
                RC_ASSERT(review.typed(edit));
                apply(plain, edit);
            }
            for (const Hunk &hunk : std::vector<Hunk>(review.hunks()))
                RC_ASSERT((hunk.state == HunkState::Conflict ? review.resolve(hunk.id, FileReview::Side::Mine)
                                                             : review.reject(hunk.id))
                              .hasValue());
            RC_ASSERT(review.text() == plain);
        }));
    }

    void whatChangedBelowIsThereUnderTheAnswers() {
        QVERIFY(rc::check("the disk changes under answered hunks", [] {
            const TextLines base = anyText();
            FileReview review(base, anyText(), 1);
            std::map<int, int> given;
            for (const Hunk &hunk : std::vector<Hunk>(review.hunks()))
                if ((given[hunk.id] = *rc::gen::inRange(0, 3)) > 0)
                    RC_ASSERT(
                        (given[hunk.id] == 1 ? review.accept(hunk.id) : review.reject(hunk.id)).hasValue());
            const TextLines now = anyText();
            RC_ASSERT(review.changedBelow(base, now));
            // Without its answers it is what the disk holds.
            for (const Hunk &hunk : std::vector<Hunk>(review.hunks()))
                if (hunk.state == HunkState::Accepted)
                    RC_ASSERT(review.reject(hunk.id).hasValue());
            RC_ASSERT(review.text() == now);
        }));
    }

    void theDifferenceIsExact() {
        QVERIFY(rc::check("edits between two texts", [] {
            TextLines text = anyText();
            const TextLines after = anyText();
            const std::vector<TextEdit> edits = editsBetween(text, after);
            for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
                apply(text, *edit);
            RC_ASSERT(text == after);
            RC_ASSERT(linesOf(joined(after)) == after);
        }));
    }
};

QObject *makeTestFileReviewProperties() {
    return new TestFileReviewProperties;
}

#include "tst_file_review_properties.moc"
