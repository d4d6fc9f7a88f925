// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/hunk_numbers.h"

#include <QTest>
#include <QThreadPool>

using namespace warpwright;

namespace {

/// Of a file of 5,000 lines: one hunk is a comment, the other is code.
ProposalReview longReview() {
    Proposal proposal;
    proposal.id = QStringLiteral("p1");
    QByteArray before, after;
    for (int i = 0; i < 5000; ++i) {
        const QByteArray line = "static int f" + QByteArray::number(i) + "(int x) { return x + 1; } // one\n";
        before += line;
        if (i == 1000)
            after += "// the next one is hot\n";
        after += i == 4000 ? QByteArray(line).replace("x + 1", "x + 2") : line;
    }
    proposal.base = {{QStringLiteral("kernels/long.cu"), before}};
    proposal.proposed = {{QStringLiteral("kernels/long.cu"), after}};
    return {proposal, proposal.base};
}

HunkEvidences measured(const ProposalReview &review, double microseconds) {
    HunkEvidences evidences;
    for (const int id : review.hunkIds()) {
        Evidence alone;
        alone.difference = TimeRatio{};
        alone.difference->value = microseconds;
        alone.difference->low = microseconds - 1;
        alone.difference->high = microseconds + 1;
        evidences[id].alone = alone;
    }
    return evidences;
}

} // namespace

class TestHunkNumbers : public QObject {
    Q_OBJECT

private slots:
    void aLongFileIsReadInThePool() {
        const ProposalReview review = longReview();
        QCOMPARE(review.hunkIds().size(), std::size_t(2));
        HunkNumbers numbers;
        std::vector<HunkContributions> found;
        connect(&numbers, &HunkNumbers::found, this,
                [&found](const HunkContributions &one) { found.push_back(one); });
        numbers.ask(review, measured(review, -20), nullptr, {});
        QVERIFY(found.empty()); // whoever asks does not wait
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), std::size_t(1), 10000);
        QCOMPARE(found[0].hunks.size(), std::size_t(2));
        QVERIFY(found[0].hunks[0].isBesideCode && !found[0].hunks[1].isBesideCode);
        QCOMPARE(found[0].proposal, QStringLiteral("proposal 1"));
    }

    void onlyTheLastQuestionIsAnswered() {
        const ProposalReview review = longReview();
        HunkNumbers numbers;
        std::vector<HunkContributions> found;
        connect(&numbers, &HunkNumbers::found, this,
                [&found](const HunkContributions &one) { found.push_back(one); });
        numbers.ask(review, measured(review, -20), nullptr, {});
        numbers.ask(review, measured(review, -30), nullptr, {});
        QTRY_VERIFY_WITH_TIMEOUT(!found.empty(), 10000);
        QVERIFY(QThreadPool::globalInstance()->waitForDone(10000));
        QTest::qWait(20); // what the pool has handed over
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].hunks[0].alone->value, -30.0);
    }

    // Numbers of a proposal that is gone, or that somebody bets on, do not come back.
    void whatIsClearedStaysCleared() {
        const ProposalReview review = longReview();
        HunkNumbers numbers;
        std::vector<HunkContributions> found;
        connect(&numbers, &HunkNumbers::found, this,
                [&found](const HunkContributions &one) { found.push_back(one); });
        numbers.ask(review, measured(review, -20), nullptr, {});
        numbers.ask(review, {}, nullptr, {}); // nothing may be shown any more
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(found[0].isEmpty());
        numbers.ask(review, measured(review, -20), nullptr, {});
        numbers.clear();
        QCOMPARE(found.size(), std::size_t(2));
        QVERIFY(QThreadPool::globalInstance()->waitForDone(10000));
        QTest::qWait(20);
        QCOMPARE(found.size(), std::size_t(2));
        QVERIFY(found[1].isEmpty());
    }
};

QObject *makeTestHunkNumbers() {
    return new TestHunkNumbers;
}

#include "tst_hunk_numbers.moc"
