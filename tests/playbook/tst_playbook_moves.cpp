// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"

#include <QTest>

using namespace warpwright;

class TestPlaybookMoves : public QObject {
    Q_OBJECT

    static PlaybookDevice cpu() { return {false, 2, 20e9}; }
    static PlaybookDevice cuda() { return {true, 2, 4e12}; }

private slots:
    void theMostPromisingComesFirst() {
        const KernelPlan plan = planOf(recordedGraph("softmax-rows"));
        const auto moves = movesFrom(plan, plainTunings(plan), cpu());
        QCOMPARE(moves.size(), 3U);
        QCOMPARE(moves[0].move, QString("vector-math"));
        for (std::size_t i = 1; i < moves.size(); ++i)
            QVERIFY(*moves[i - 1].prediction.timeRatio <= *moves[i].prediction.timeRatio);
        for (const PlaybookMove &move : moves) {
            QVERIFY(!move.reason.isEmpty());
            QVERIFY(*move.prediction.timeRatio < 1);
        }
    }

    void aMoveThatWasMadeIsNoMoveAnyMore() {
        const KernelPlan plan = planOf(recordedGraph("softmax-rows"));
        auto tunings = plainTunings(plan);
        QStringList made;
        for (int i = 0; i < 20; ++i) {
            const auto moves = movesFrom(plan, tunings, cpu());
            if (moves.empty())
                break;
            made << moves[0].move;
            tunings = moves[0].tunings;
        }
        QCOMPARE(made.size(), 3);
        QCOMPARE(made.removeDuplicates(), 0);
    }

    void aSumWithoutFunctionsHasNoVectorMath() {
        const KernelPlan plan = planOf(recordedGraph("rmsnorm-residual"));
        for (const PlaybookMove &move : movesFrom(plan, plainTunings(plan), cpu()))
            QVERIFY(move.move != QLatin1String("vector-math"));
    }

    void onAGpuTheVariantsComeLast() {
        const KernelPlan plan = planOf(recordedGraph("softmax-rows"));
        auto tunings = plainTunings(plan);
        auto moves = movesFrom(plan, tunings, cuda());
        QCOMPARE(moves.size(), 2U);
        for (int i = 0; i < 2; ++i)
            tunings = movesFrom(plan, tunings, cuda())[0].tunings;
        QVERIFY(movesFrom(plan, tunings, cuda()).empty());
        moves = variantsFrom(plan, tunings, cuda());
        QVERIFY(moves.size() >= 2);
        for (const PlaybookMove &move : moves)
            QCOMPARE(move.move, QString("config"));
        QCOMPARE(moves[0].remembered(), QString("config 1"));
        QVERIFY(variantsFrom(plan, tunings, cpu()).empty());
    }
};

QObject *makeTestPlaybookMoves() {
    return new TestPlaybookMoves;
}
#include "tst_playbook_moves.moc"
