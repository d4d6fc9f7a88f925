// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/process/child_process.h"
#include "toolchain/process/processes_below.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <unistd.h>

using namespace warpwright;

class TestProcessesBelow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { adoptOrphans(); }

    void findsChildrenAndTheirChildren() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("pid"));
        ChildProcess process;
        ProcessRequest request;
        request.program = fakeTool();
        request.arguments = {"--spawn-child", file, "--hang"};
        process.start(request);
        const qint64 grandchild = pidFrom(file);
        const auto below = processesBelow();
        const auto has = [&below](qint64 pid, qint64 parent) {
            return std::any_of(below.begin(), below.end(), [=](const ProcessFact &fact) {
                return fact.pid == pid && fact.parent == parent && fact.name == QLatin1String("fake_tool");
            });
        };
        QVERIFY(has(process.processId(), getpid()));
        QVERIFY(has(grandchild, process.processId()));
        QCOMPARE(processesBelow(process.processId()).size(), std::size_t(1));
    }

    void endsEvenWhatLeftTheGroupAndIgnoresTheFirstSignal() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("pid"));
        ChildProcess process;
        QSignalSpy ended(&process, &ChildProcess::finished);
        ProcessRequest request;
        request.program = fakeTool();
        request.arguments = {"--ignore-term", "--spawn-daemon", file};
        process.start(request);
        QTRY_COMPARE(ended.count(), 1);
        const qint64 daemon = pidFrom(file);
        QVERIFY(isAlive(daemon)); // in a session of its own, and now ours: we adopt orphans

        ProcessCleanup cleanup;
        QSignalSpy finished(&cleanup, &ProcessCleanup::finished);
        cleanup.start(200, 5000);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 20000);
        QVERIFY(finished[0][0].value<std::vector<ProcessFact>>().empty());
        QVERIFY(!isAlive(daemon));
    }

    void endsAtOnceWhenNothingIsThere() {
        ProcessCleanup cleanup;
        QSignalSpy finished(&cleanup, &ProcessCleanup::finished);
        cleanup.start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 1500);
    }

    void namesWhatIsLeftWithItsState() {
        QCOMPARE(describe({4711, 1, QStringLiteral("python"), QLatin1Char('D')}),
                 QStringLiteral(
                     "python (pid 4711, state D: waiting inside the kernel, where no signal reaches it)"));
    }
};

QObject *makeTestProcessesBelow() {
    return new TestProcessesBelow;
}

#include "tst_processes_below.moc"
