// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 in the middle of a review: the run goes on with the same answers and the same bet, and what was
// accepted is no text of the person's, whether it lies on the disk or not.
#include "tests/agent/session_world.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/text_file.h"

#include <QTest>

using namespace warpwright;

namespace {

const std::map<int, QByteArray> step{{5, "first\n"}, {15, "second\n"}, {25, "third\n"}, {35, "fourth\n"}};

/// The kernel with the first `count` lines of the step.
QByteArray kernelWith(int count, std::map<int, QByteArray> lines = {}) {
    for (const auto &[line, text] : step)
        if (count-- > 0)
            lines[line] = text;
    return SessionWorld::kernel(lines);
}

struct KilledWorld : SessionWorld {
    KilledWorld() {
        addStep(step);
        open(SessionMode::Review);
        session->start();
    }
    [[nodiscard]] bool accepts(int count) const {
        if (!waitFor(SessionState::AwaitingReview))
            return false;
        for (int hunk = 1; hunk <= count; ++hunk)
            if (!session->accept(hunk).hasValue())
                return false;
        return true;
    }
    /// What lies on the disk once the program is dead.
    void dies(const QByteArray &text) {
        session.reset();
        const Result<void> written = writeFileAtomically(folder + "/kernels/a.cu", text);
        QVERIFY(written.hasValue());
    }
    [[nodiscard]] int accepted() const { return session->review()->count().accepted; }
};

} // namespace

class TestKilledReview : public QObject {
    Q_OBJECT
private slots:
    void theReviewGoesOnWhereItStood_data() {
        QTest::addColumn<int>("accepted");
        QTest::addColumn<int>("onDisk");
        for (int accepted = 0; accepted <= 4; ++accepted)
            for (int onDisk = 0; onDisk <= accepted; ++onDisk)
                QTest::addRow("%d accepted, %d of them on the disk", accepted, onDisk) << accepted << onDisk;
    }
    void theReviewGoesOnWhereItStood() {
        QFETCH(const int, accepted);
        QFETCH(const int, onDisk);
        KilledWorld world;
        QVERIFY(world.accepts(accepted));
        const std::size_t before = world.history().size();
        world.dies(kernelWith(onDisk));
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.accepted(), accepted);
        QCOMPARE(world.session->review()->count().open, 4 - accepted);
        QCOMPARE(world.session->review()->count().conflict, 0);
        QCOMPARE(world.onDisk(), kernelWith(0)); // it is written once all is answered
        QCOMPARE(world.history().size(), before);
        QVERIFY(world.session->evaluation().has_value());
        QVERIFY(world.session->acceptRest().hasValue() && world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), kernelWith(4));
        QCOMPARE(world.history().size(), before + 1);
        QCOMPARE(world.history().back().iteration.author.kind, AuthorKind::Script);
    }

    void anAnswerThatWasTakenBackIsNoTextEither() {
        KilledWorld world;
        QVERIFY(world.accepts(2));
        QVERIFY(world.session->undo());
        world.dies(kernelWith(2)); // the draft is behind
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.accepted(), 1);
        QCOMPARE(world.session->review()->count().conflict, 0);
        QCOMPARE(world.onDisk(), kernelWith(0));
    }

    void anEditedHunkIsAnAnswer() {
        KilledWorld world;
        QVERIFY(world.accepts(1));
        QVERIFY(world.session->edit(2, {"mine\n"}).hasValue());
        world.dies(kernelWith(1, {{15, "mine\n"}}));
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.session->review()->hunk(2)->state, HunkState::Edited);
        QCOMPARE(world.session->review()->hunk(2)->standing, TextLines{"mine\n"});
        QCOMPARE(world.onDisk(), kernelWith(0));
    }

    // What the person typed is theirs, and alone becomes an iteration.
    void whatWasTypedBesideThemStays_data() {
        QTest::addColumn<int>("accepted");
        for (int accepted = 0; accepted <= 4; ++accepted)
            QTest::addRow("%d accepted", accepted) << accepted;
    }
    void whatWasTypedBesideThemStays() {
        QFETCH(const int, accepted);
        KilledWorld world;
        QVERIFY(world.accepts(accepted));
        const std::map<int, QByteArray> typed{{10, "by hand\n"}};
        world.dies(kernelWith(accepted, typed));
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.onDisk(), kernelWith(0, typed));
        QCOMPARE(world.session->review()->count().conflict, 0);
        QCOMPARE(world.session->review()->count().open, 4);
        QVERIFY(world.session->acceptRest().hasValue() && world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), kernelWith(4, typed));
    }

    // It dies again before the proposal is made once more.
    void answersOutliveTwoDeaths() {
        KilledWorld world;
        world.session->setBetsFirst(true);
        QVERIFY(world.accepts(3));
        QVERIFY(world.session->bet("person", {0.5, {}, {}, {}, {}}).hasValue());
        world.dies(kernelWith(3));
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        auto &events = world.recorder.events;
        while (events.back().first != QLatin1String("run-continued"))
            events.pop_back();
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.accepted(), 3);
        QVERIFY(world.session->hasBet());
        QCOMPARE(world.session->review()->proposal().id, QString("p1"));
    }

    void theBetStands() {
        KilledWorld world;
        world.session->setBetsFirst(true);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->isResultHidden());
        Prediction bet;
        bet.timeRatio = 0.5;
        QVERIFY(world.session->bet("person", bet).hasValue());
        QVERIFY(world.session->accept(1).hasValue());
        world.dies(kernelWith(1));
        QVERIFY(world.goOn());
        world.session->setBetsFirst(true);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->hasBet());
        QTRY_VERIFY(world.session->evidence() != nullptr && !world.session->isResultHidden());
        QCOMPARE(world.recorder.count("bet"), 2);
        QCOMPARE(predictionFromJson(world.recorder.last("bet")["prediction"]), bet);
        QCOMPARE(world.accepted(), 1);
    }

    // The bet was on the text of then.
    void aBetOnAnotherTextIsNotPlaced() {
        KilledWorld world;
        world.session->setBetsFirst(true);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->bet("person", {0.5, {}, {}, {}, {}}).hasValue());
        world.dies(kernelWith(0, {{10, "by hand\n"}}));
        QVERIFY(world.goOn());
        world.session->setBetsFirst(true);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(!world.session->hasBet() && world.session->isResultHidden());
    }

    void aResultThatWasShownStaysShown() {
        KilledWorld world;
        world.session->setBetsFirst(true);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        world.session->showResult("asked for");
        QVERIFY(world.goOn());
        world.session->setBetsFirst(true);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(!world.session->isResultHidden() && !world.session->hasBet());
    }
};

QObject *makeTestKilledReview() {
    return new TestKilledReview;
}

#include "tst_killed_review.moc"
