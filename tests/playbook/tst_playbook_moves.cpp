// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"

#include <QTest>

using namespace warpwright;

class TestPlaybookMoves : public QObject {
    Q_OBJECT

    static Target cpu() { return {CpuTarget{2}, 20e9}; }
    static Target cuda() { return {.memoryBytesASecond = 4e12}; }

private slots:
    void theLargestExpectedGainComesFirst() {
        const Program program = programOf(recordedGraph("softmax-rows"));
        const auto moves = movesFrom(program, plainKnobs(program), cpu());
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
        const Program program = programOf(recordedGraph("softmax-rows"));
        auto knobSets = plainKnobs(program);
        QStringList made;
        for (int i = 0; i < 20; ++i) {
            const auto moves = movesFrom(program, knobSets, cpu());
            if (moves.empty())
                break;
            made << moves[0].move;
            knobSets = moves[0].knobSets;
        }
        QCOMPARE(made.size(), 3);
        QCOMPARE(made.removeDuplicates(), 0);
    }

    void aSumWithoutFunctionsHasNoVectorMath() {
        const Program program = programOf(recordedGraph("rmsnorm-residual"));
        for (const PlaybookMove &move : movesFrom(program, plainKnobs(program), cpu()))
            QVERIFY(move.move != QLatin1String("vector-math"));
    }

    void onAGpuTheVariantsComeLast() {
        const Program program = programOf(recordedGraph("softmax-rows"), withoutClusters());
        auto knobSets = plainKnobs(program);
        auto moves = movesFrom(program, knobSets, cuda());
        QCOMPARE(moves.size(), 2U);
        for (int i = 0; i < 2; ++i)
            knobSets = movesFrom(program, knobSets, cuda())[0].knobSets;
        QVERIFY(movesFrom(program, knobSets, cuda()).empty());
        moves = variantsFrom(program, knobSets, cuda());
        QVERIFY(moves.size() >= 2);
        for (const PlaybookMove &move : moves)
            QCOMPARE(move.move, QString("config"));
        QCOMPARE(moves[0].remembered(), QString("config 1"));
        QVERIFY(variantsFrom(program, knobSets, cpu()).empty());
    }
};

QObject *makeTestPlaybookMoves() {
    return new TestPlaybookMoves;
}
#include "tst_playbook_moves.moc"
