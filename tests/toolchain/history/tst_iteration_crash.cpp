// SPDX-License-Identifier: GPL-3.0-or-later
// The history under kill -9 and on a full disk: what commit() has reported is there, and work goes on.
#include "tests/toolchain/scratch.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

using namespace warpwright;

namespace {

CandidateTexts textOfTurn(int turn) {
    return {{"model_new.py", "import x\n"},
            {"kernels/a.cu", "int turn = " + QByteArray::number(turn) + ";\n"}};
}

bool checkOnce(const QString &state, int turn) {
    const IterationStore store(state);
    const auto done = store.commit(textOfTurn(turn), store.current(), {});
    Evaluation evaluation = newEvaluation();
    evaluation.verdict = Verdict::Wrong;
    evaluation.message.what = "Wrong";
    return done.hasValue() && EvaluationStore(state).store(evaluation).hasValue() &&
           store.link(done.value().iteration.number, evaluation.id).hasValue();
}

} // namespace

class TestIterationCrash : public QObject {
    Q_OBJECT

private slots:
    void outlivesKill() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        qsizetype before = 0;
        for (int round = 0; round < 8; ++round) {
            QProcess process;
            process.start(QCoreApplication::applicationFilePath(), {"--check-for-ever", state});
            QVERIFY(process.waitForStarted() && process.waitForReadyRead(10000));
            QTest::qSleep(static_cast<int>(QRandomGenerator::global()->bounded(60)));
            process.kill();
            process.waitForFinished();
            // What it has said it has kept, a number a line, is there.
            const int reported = process.readAllStandardOutput().trimmed().split('\n').back().toInt();
            const auto records = store.list();
            QVERIFY2(records.hasValue(), qPrintable(records.message()));
            const auto size = static_cast<qsizetype>(records.value().size());
            QVERIFY2(size >= before + reported,
                     qPrintable(QString("%1 of %2 + %3").arg(size).arg(before).arg(reported)));
            before = size;
            qsizetype notRun = 0;
            for (const IterationRecord &record : records.value()) {
                QVERIFY2(record.problem.isEmpty(), qPrintable(record.problem));
                QVERIFY(store.texts(record.iteration.number).hasValue());
                notRun += record.latest ? 0 : 1;
            }
            QVERIFY(notRun <= round + 1); // at most the last one of each kill
            QVERIFY(store.current() == store.head() || store.current() == store.head() - 1);
        }
        QVERIFY(checkOnce(state, -1));
        QVERIFY(QDir(state).entryList({"history.git.broken-*"}).isEmpty());
    }

    void outlivesAFullDisk() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        const IterationStore store(state);
        QVERIFY(checkOnce(state, 1));
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{4, limit.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const auto done = store.commit(textOfTurn(2), 1, {});
        const auto again = IterationStore(scratch.path("other")).commit(textOfTurn(2), 0, {});
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, ignored);
        QVERIFY(!done.hasValue() && !again.hasValue());
        for (const QString &message : {done.message(), again.message()})
            QVERIFY2(message.startsWith("Cannot ") && message.contains("File too large") &&
                         message.contains("Free some space on the disk"),
                     qPrintable(message));
        QVERIFY(checkOnce(state, 2));
        QCOMPARE(store.list().value().size(), 2U);
        QVERIFY(store.list().value()[1].latest.has_value());
        QVERIFY(QDir(scratch.path("other")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
    }
};

int checkForEver(int argc, char **argv) {
    const QCoreApplication application(argc, argv);
    for (int turn = 1;
         checkOnce(QString::fromLocal8Bit(argv[2]), static_cast<int>(getpid() % 100000) * 10000 + turn);
         ++turn) {
        std::printf("%d\n", turn);
        std::fflush(stdout);
    }
    return 1;
}

QObject *makeTestIterationCrash() {
    return new TestIterationCrash;
}

#include "tst_iteration_crash.moc"
