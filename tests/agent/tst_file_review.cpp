// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/file_review.h"

#include <QTest>

using namespace warpwright;

namespace {

TextLines lines(const QByteArray &text) {
    return linesOf(text);
}

} // namespace

class TestFileReview : public QObject {
    Q_OBJECT
private slots:
    void linesKeepTheirEnds_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("count");
        QTest::newRow("nothing") << QByteArray() << 0;
        QTest::newRow("no last end") << QByteArray("a\nb") << 2;
        QTest::newRow("both ends") << QByteArray("a\r\nb\n\r\n") << 3;
        QTest::newRow("no text at all") << QByteArray("\xff\x00\n\n", 4) << 2;
    }
    void linesKeepTheirEnds() {
        QFETCH(const QByteArray, text);
        QFETCH(const int, count);
        QCOMPARE(static_cast<int>(linesOf(text).size()), count);
        QCOMPARE(joined(linesOf(text)), text);
    }

    void aMissingLastEndIsADifference_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("gone") << QByteArray("a\nb\n") << QByteArray("a\nb");
        QTest::newRow("come") << QByteArray("a\nb") << QByteArray("a\nb\n");
        QTest::newRow("in the middle now") << QByteArray("a\nb") << QByteArray("a\nb\nc\n");
        QTest::newRow("CR LF") << QByteArray("a\r\nb\r\n") << QByteArray("a\nb\n");
    }
    void aMissingLastEndIsADifference() {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        FileReview review(linesOf(before), linesOf(after), 1);
        QVERIFY(!review.hunks().empty());
        for (const Hunk &hunk : std::vector<Hunk>(review.hunks()))
            QVERIFY(review.accept(hunk.id).hasValue());
        QCOMPARE(joined(review.text()), after);
    }

    void answersAndTheirUndo() {
        FileReview review(lines("1\n2\n3\n4\n5\n"), lines("1\nB\n3\n4\nE\nF\n"), 7);
        QCOMPARE(review.hunks().size(), 2U);
        QCOMPARE(review.hunks()[0].id, 7);
        const auto first = review.accept(7);
        const auto second = review.reject(8, "slower");
        QCOMPARE(joined(review.text()), QByteArray("1\nB\n3\n4\n5\n"));
        QCOMPARE(review.hunk(8)->reason, QString("slower"));
        const auto third = review.edit(8, lines("own\nlines\n"));
        QCOMPARE(joined(review.text()), QByteArray("1\nB\n3\n4\nown\nlines\n"));
        QVERIFY(!review.unanswer(second.value())); // a later one of the same hunk stands on it
        QVERIFY(review.unanswer(first.value()));   // another hunk's may go before
        QCOMPARE(joined(review.text()), QByteArray("1\n2\n3\n4\nown\nlines\n"));
        QVERIFY(review.unanswer(third.value()));
        QVERIFY(review.unanswer(second.value()));
        QCOMPARE(joined(review.text()), QByteArray("1\n2\n3\n4\n5\n"));
        QCOMPARE(review.countOf(HunkState::Open), 2);
        QVERIFY(review.answerAgain(first.value()));
        QVERIFY(!review.answerAgain(first.value()));
        QCOMPARE(joined(review.text()), QByteArray("1\nB\n3\n4\n5\n"));
        QCOMPARE(review.accept(7).value(), 0); // it stands already
    }

    void typingOutsideMovesAnchors() {
        FileReview review(lines("1\n2\n3\n4\n5\n"), lines("1\n2\n3\nD\n5\n"), 1);
        QVERIFY(review.typed({0, 1, lines("a\nb\nc\n")}));
        QVERIFY(review.typed({6, 1, {}}));
        QCOMPARE(review.hunk(1)->start, 5);
        QCOMPARE(review.hunk(1)->state, HunkState::Open);
        QVERIFY(review.accept(1).hasValue());
        QCOMPARE(joined(review.text()), QByteArray("a\nb\nc\n2\n3\nD\n"));
        QVERIFY(!review.typed({5, 2, {}}));
    }

    void typingInsideIsAConflictThatIsNeverResolvedByTheWay() {
        FileReview review(lines("1\n2\n3\n"), lines("1\nB\n3\n"), 1);
        QVERIFY(review.typed({1, 1, lines("mine\n")}));
        const Hunk &hunk = *review.hunk(1);
        QCOMPARE(hunk.state, HunkState::Conflict);
        QCOMPARE(hunk.standing, lines("mine\n"));
        QCOMPARE(hunk.newLines, lines("B\n"));
        QCOMPARE(hunk.oldLines, lines("2\n"));
        QVERIFY(review.accept(1).message().contains("Choose mine, theirs"));
        QVERIFY(!review.reject(1).hasValue());
        QVERIFY(!review.edit(1, {}).hasValue());
        QCOMPARE(joined(review.text()), QByteArray("1\nmine\n3\n"));
        const auto theirs = review.resolve(1, FileReview::Side::Theirs);
        QCOMPARE(joined(review.text()), QByteArray("1\nB\n3\n"));
        QCOMPARE(review.hunk(1)->state, HunkState::Accepted);
        QVERIFY(review.unanswer(theirs.value()));
        QCOMPARE(review.hunk(1)->state, HunkState::Conflict);
        QVERIFY(review.resolve(1, FileReview::Side::Mine).hasValue());
        QCOMPARE(review.hunk(1)->state, HunkState::Edited);
        QCOMPARE(joined(review.text()), QByteArray("1\nmine\n3\n"));
    }

    void undoingWhatWasTypedOpensTheHunkAgain() {
        FileReview review(lines("1\n2\n3\n4\n"), lines("1\nB\nC\n4\n"), 1);
        const FileReview start = review;
        QVERIFY(review.typed({0, 2, lines("over the edge\n")}));
        QCOMPARE(review.hunk(1)->state, HunkState::Conflict);
        QVERIFY(review.typed({0, 1, lines("1\n2\n")}));
        QVERIFY(review.hunks() == start.hunks());
    }

    void typedLinesInAnAnsweredHunkAreNotWrittenOver() {
        FileReview review(lines("1\n2\n3\n"), lines("1\nB\n3\n"), 1);
        const auto accepted = review.accept(1);
        QVERIFY(review.typed({1, 1, lines("B and more\n")}));
        QCOMPARE(review.hunk(1)->state, HunkState::Edited);
        QVERIFY(review.reject(1).hasValue());
        QCOMPARE(review.hunk(1)->state, HunkState::Conflict);
        QCOMPARE(joined(review.text()), QByteArray("1\nB and more\n3\n"));
        QVERIFY(!review.unanswer(accepted.value()));
    }

    void takingBackAnAnswerKeepsWhatWasTypedSince() {
        FileReview review(lines("1\n2\n3\n"), lines("1\nB\n3\n"), 1);
        const auto accepted = review.accept(1);
        QVERIFY(review.typed({1, 1, lines("B and more\n")}));
        QVERIFY(review.unanswer(accepted.value()));
        QCOMPARE(review.hunk(1)->state, HunkState::Conflict);
        QCOMPARE(joined(review.text()), QByteArray("1\nB and more\n3\n"));
    }

    void theDiskChangesBelowTheAnswers() {
        FileReview review(lines("1\n2\n3\n4\n5\n"), lines("A\n2\n3\n4\nE\n"), 1);
        QVERIFY(review.accept(1).hasValue() && review.accept(2).hasValue());
        QVERIFY(review.changedBelow(lines("1\n2\n3\n4\n5\n"), lines("1\n2\nthree\n4\nfive\n")));
        QCOMPARE(review.hunk(1)->state, HunkState::Accepted);
        QCOMPARE(review.hunk(2)->state, HunkState::Conflict);
        QCOMPARE(joined(review.text()), QByteArray("A\n2\nthree\n4\nfive\n"));
        QVERIFY(!review.changedBelow(lines("something else\n"), lines("1\n")));
        QCOMPARE(joined(review.text()), QByteArray("A\n2\nthree\n4\nfive\n"));
    }

    void aResolvedConflictStaysResolvedWhenTheDiskChangesElsewhere() {
        FileReview review(lines("1\n2\n3\n4\n5\n"), lines("1\nB\n3\n4\n5\n"), 1);
        QVERIFY(review.changedBelow(lines("1\n2\n3\n4\n5\n"), lines("1\nmine\n3\n4\n5\n")));
        QVERIFY(review.resolve(1, FileReview::Side::Theirs).hasValue());
        QCOMPARE(joined(review.unanswered().text()), QByteArray("1\nmine\n3\n4\n5\n"));
        QVERIFY(review.changedBelow(lines("1\nmine\n3\n4\n5\n"), lines("1\nmine\n3\n4\nfive\n")));
        QCOMPARE(review.hunk(1)->state, HunkState::Accepted);
        QCOMPARE(joined(review.text()), QByteArray("1\nB\n3\n4\nfive\n"));
    }

    void saysWhichHunkItDoesNotKnow() {
        FileReview review(lines("1\n"), lines("2\n"), 1);
        QVERIFY(review.accept(9).message().contains("hunk 9"));
        QVERIFY(review.resolve(1, FileReview::Side::Mine).message().contains("no conflict but open"));
        QVERIFY(!review.unanswer(5) && !review.answerAgain(0));
    }
};

QObject *makeTestFileReview() {
    return new TestFileReview;
}

#include "tst_file_review.moc"
