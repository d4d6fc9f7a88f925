// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/workbench/unkept_evaluations.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestUnkeptEvaluations : public QObject {
    Q_OBJECT

    static Evaluation measured() {
        Evaluation evaluation = emptyEvaluation(QStringLiteral("test"));
        evaluation.doubts = {QStringLiteral("A doubt of its own."),
                             doubtOfUnkept(QStringLiteral("The disk is full."))};
        return evaluation;
    }

private slots:
    void itIsStoredAsSoonAsThereIsRoom() {
        const Scratch scratch;
        const QString inTheWay = scratch.write("w/.warpwright", "a file");
        const QString state = scratch.path("w/.warpwright");
        UnkeptEvaluations unkept;
        unkept.setTriesAgainMs(50);
        QSignalSpy kept(&unkept, &UnkeptEvaluations::kept);
        const Evaluation evaluation = measured();
        unkept.add(state, 0, evaluation);
        unkept.add(state, 0, measured());
        QTest::qWait(300);
        QCOMPARE(kept.size(), 0);
        QVERIFY(QFile::remove(inTheWay));
        QTRY_COMPARE(kept.size(), 2);
        const Result<Evaluation> read = EvaluationStore(state).load(evaluation.id);
        QVERIFY2(read.hasValue(), qPrintable(read.message()));
        QCOMPARE(read.value().doubts, QStringList{"A doubt of its own."});
        QTest::qWait(200);
        QCOMPARE(kept.size(), 2); // once each
    }

    void aWorkspaceWithoutRoomHoldsNoOtherUp() {
        const Scratch scratch;
        const QString inTheWay = scratch.write("full/.warpwright", "a file");
        const QString full = scratch.path("full/.warpwright"), other = scratch.path("w/.warpwright");
        UnkeptEvaluations unkept;
        unkept.setTriesAgainMs(50);
        QSignalSpy kept(&unkept, &UnkeptEvaluations::kept);
        unkept.add(full, 0, measured());
        unkept.add(full, 0, measured());
        unkept.add(other, 0, measured());
        QTRY_COMPARE(kept.size(), 1);
        QCOMPARE(kept[0][0].toString(), other);
        QVERIFY(QFile::remove(inTheWay));
        QTRY_COMPARE(kept.size(), 3);
    }

    void itIsNotedInTheHistory() {
        const Scratch scratch;
        const QString state = scratch.path("w/.warpwright");
        const IterationStore store(state);
        const auto committed = store.commit({{"model_new.py", "a text"}}, 0, Author{});
        QVERIFY2(committed.hasValue(), qPrintable(committed.message()));
        UnkeptEvaluations unkept;
        unkept.setTriesAgainMs(50);
        QSignalSpy kept(&unkept, &UnkeptEvaluations::kept);
        const Evaluation evaluation = measured();
        unkept.add(state, committed.value().iteration.number, evaluation);
        QTRY_COMPARE(kept.size(), 1);
        const auto records = store.list();
        QVERIFY(records.hasValue());
        QCOMPARE(records.value().at(0).evaluations, QStringList{evaluation.id});
    }
};

QObject *makeTestUnkeptEvaluations() {
    return new TestUnkeptEvaluations;
}

#include "tst_unkept_evaluations.moc"
