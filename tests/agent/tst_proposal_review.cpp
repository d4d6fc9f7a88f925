// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/proposal_review.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestProposalReview : public QObject {
    Q_OBJECT

private:
    static CandidateTexts base() {
        return {{"model.py", "m\n"},
                {"model_new.py", "1\n2\n3\n"},
                {"kernels/a.cu", "a\nb\nc\nd\ne\n"},
                {"kernels/old.cu", "o\n"},
                {"kernels/name.cu", "n\n"}};
    }
    static Proposal proposal() {
        Proposal proposal;
        proposal.id = "p1";
        proposal.base = base();
        proposal.proposed = base();
        proposal.proposed["kernels/a.cu"] = "A\nb\nc\nd\nE\n";
        proposal.proposed["kernels/new.cu"] = "new\n";
        proposal.proposed.erase("kernels/old.cu");
        proposal.proposed.erase("kernels/name.cu");
        proposal.proposed["kernels/other.cu"] = "n\nmore\n";
        proposal.renames = {{"kernels/name.cu", "kernels/other.cu"}};
        proposal.proposed["model.py"] = "not allowed\n";
        return proposal;
    }
    static int hunkOf(const ProposalReview &review, const QString &file, int nth = 0) {
        for (const int id : review.hunkIds())
            if (review.fileOf(id) == file && nth-- == 0)
                return id;
        return 0;
    }

private slots:
    void everyKindOfChangeIsAHunk() {
        ProposalReview review(proposal(), base());
        QCOMPARE(review.count(), (ReviewCount{6, 0, 0, 0, 0})); // two lines, new, deleted, a name and a line
        QVERIFY(review.texts() == base());
        QCOMPARE(review.acceptRest().size(), 6U);
        CandidateTexts wanted = proposal().proposed;
        wanted["model.py"] = "m\n"; // the task's own
        QVERIFY(review.texts() == wanted);
        for (int i = 0; i < 6; ++i)
            QVERIFY(review.undo());
        QVERIFY(!review.undo());
        QVERIFY(review.texts() == base());
        while (review.redo()) {
        }
        QVERIFY(review.texts() == wanted);
    }

    void rejectingAllLeavesTheBase() {
        ProposalReview review(proposal(), base());
        QVERIFY(review.accept(hunkOf(review, "kernels/a.cu")).hasValue());
        QCOMPARE(review.rejectRest({}, "not now").size(), 5U);
        QCOMPARE(review.count(), (ReviewCount{0, 0, 1, 5, 0}));
        CandidateTexts wanted = base();
        wanted["kernels/a.cu"] = "A\nb\nc\nd\ne\n";
        QVERIFY(review.texts() == wanted);
        QCOMPARE(review.answers()[1].reason, QString("not now"));
        QCOMPARE(review.nextUnanswered(), 0);
    }

    void oneFileAtATime() {
        ProposalReview review(proposal(), base());
        QCOMPARE(review.acceptRest("kernels/a.cu").size(), 2U);
        QCOMPARE(review.texts().at("kernels/a.cu"), QByteArray("A\nb\nc\nd\nE\n"));
        QCOMPARE(review.count().open, 4);
        QVERIFY(review.nextUnanswered(2) > 2);
    }

    void whatWasTypedMeanwhileIsKept() {
        CandidateTexts now = base();
        now["kernels/a.cu"] = "a\nb\nfirst\nc\nd\nmine\n";
        now["kernels/mine.cu"] = "mine\n";
        ProposalReview review(proposal(), now);
        QCOMPARE(review.count().conflict, 1);
        review.acceptRest();
        QCOMPARE(review.count(), (ReviewCount{0, 1, 5, 0, 0}));
        QCOMPARE(review.texts().at("kernels/a.cu"), QByteArray("A\nb\nfirst\nc\nd\nmine\n"));
        QCOMPARE(review.texts().at("kernels/mine.cu"), QByteArray("mine\n"));
        QVERIFY(review.resolveWith(hunkOf(review, "kernels/a.cu", 1), {"both\n"}).hasValue());
        QCOMPARE(review.texts().at("kernels/a.cu"), QByteArray("A\nb\nfirst\nc\nd\nboth\n"));
    }

    void aFileThatIsThereAlreadyIsAConflict() {
        CandidateTexts now = base();
        now["kernels/new.cu"] = "somebody's\n";
        ProposalReview review(proposal(), now);
        const Hunk &hunk = *review.hunk(hunkOf(review, "kernels/new.cu"));
        QCOMPARE(hunk.state, HunkState::Conflict);
        QCOMPARE(hunk.standing, TextLines{"somebody's\n"});
        QCOMPARE(review.texts().at("kernels/new.cu"), QByteArray("somebody's\n"));
    }

    void aDeletedFileThatWasTypedInIsAConflict() {
        CandidateTexts now = base();
        now["kernels/old.cu"] = "o\nstill needed\n";
        ProposalReview review(proposal(), now);
        const int id = hunkOf(review, "kernels/old.cu");
        QCOMPARE(review.hunk(id)->state, HunkState::Conflict);
        QVERIFY(review.resolve(id, FileReview::Side::Theirs).hasValue());
        QCOMPARE(review.texts().count("kernels/old.cu"), 0U);
    }

    void aFileThatSomebodyDeletedDoesNotComeBack() {
        CandidateTexts now = base();
        now.erase("kernels/a.cu");
        now.erase("kernels/old.cu");
        const ProposalReview review(proposal(), now);
        QCOMPARE(review.texts().count("kernels/a.cu"), 0U);
        QCOMPARE(review.texts().count("kernels/old.cu"), 0U);
    }

    void aNameThatIsTakenIsRefused() {
        CandidateTexts now = base();
        now["kernels/other.cu"] = "mine\n";
        ProposalReview review(proposal(), now);
        const int id = hunkOf(review, "kernels/name.cu");
        QVERIFY(review.isRename(id));
        QVERIFY(review.accept(id).message().contains("\"kernels/other.cu\" is there already"));
        QVERIFY(review.edit(id, {"../elsewhere.cu"}).message().contains("only files of kernels/"));
        QVERIFY(review.edit(id, {"kernels/third.cu"}).hasValue());
        QCOMPARE(review.texts().at("kernels/third.cu"), QByteArray("n\n"));
        QCOMPARE(review.texts().at("kernels/other.cu"), QByteArray("mine\n"));
    }

    void eachHunkAloneAndAllButIt() {
        const ProposalReview review(proposal(), base());
        const int first = hunkOf(review, "kernels/a.cu");
        CandidateTexts alone = base();
        alone["kernels/a.cu"] = "A\nb\nc\nd\ne\n";
        QVERIFY(review.textsWith([first](int id) { return id == first; }) == alone);
        CandidateTexts without = review.textsAccepted();
        without["kernels/a.cu"] = "a\nb\nc\nd\nE\n";
        QVERIFY(review.textsWith([first](int id) { return id != first; }) == without);
        QCOMPARE(review.count().open, 6);
    }

    void theDiskChangesWhileItIsRead() {
        ProposalReview review(proposal(), base());
        review.acceptRest("kernels/a.cu");
        CandidateTexts now = base();
        now["kernels/a.cu"] = "a\nb\nc\nmine\nd\ne\n";
        now["model_new.py"] = "1\n";
        QVERIFY(review.bringIn(base(), now).isEmpty());
        QCOMPARE(review.texts().at("kernels/a.cu"), QByteArray("A\nb\nc\nmine\nd\nE\n"));
        QCOMPARE(review.texts().at("model_new.py"), QByteArray("1\n"));
        QVERIFY(review.undo());
        QCOMPARE(review.texts().at("kernels/a.cu"), QByteArray("A\nb\nc\nmine\nd\ne\n"));
    }

    void whatIsTypedInAnEditorComesByItsFile() {
        ProposalReview review(proposal(), base());
        QVERIFY(review.typed("kernels/a.cu", {0, 1, {"mine\n"}}));
        QCOMPARE(review.count().conflict, 1);
        QVERIFY(!review.typed("kernels/unknown.cu", {0, 0, {}}));
        QVERIFY(review.accept(99).message().contains("no such hunk"));
    }
};

QObject *makeTestProposalReview() {
    return new TestProposalReview;
}

#include "tst_proposal_review.moc"
