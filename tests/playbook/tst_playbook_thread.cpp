// SPDX-License-Identifier: GPL-3.0-or-later
// The playbook with a large model: it computes in the pool, and its own thread, which is also a window's,
// goes on meanwhile.
#include "agent/playbook/playbook_agent.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"
#include "tests/toolchain/scratch.h"

#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>
#include <ctime>

using namespace warpwright;

namespace {

/// The goal is 16 ms. A debug build under sanitizers or beside other tests has this, and no more.
constexpr double mostMs = 100;

double cpuMs(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// 360 operators, a reduction behind every eighth.
QByteArray largeGraph() {
    const Shape shape = {256, 1024};
    QByteArray nodes = input("x", shape);
    QByteArray last = "x";
    for (int i = 0; i < 160; ++i) {
        const QByteArray number = QByteArray::number(i);
        const QByteArray a = "a" + number, b = "b" + number;
        nodes += node(a, "mul.Tensor", "%" + last + ", " + QByteArray::number(1 + i / 1000.0), shape);
        if (i % 4 == 3) {
            nodes += node("s" + number, "mean.dim", "%" + a + ", [1], true", {256, 1});
            nodes += node(b, "sub.Tensor", "%" + a + ", %s" + number, shape);
        } else {
            nodes += node(b, i % 2 == 0 ? "sin.default" : "tanh.default", "%" + a, shape);
        }
        last = b;
    }
    return graphText(nodes, last);
}

PlaybookSetup setupOf(const Scratch &scratch) {
    scratch.write("graph.json", largeGraph());
    scratch.write("playbook/read_reference.py", "cat " + scratch.path("graph.json").toUtf8() + "\n");
    PlaybookSetup made;
    made.interpreter = QStringLiteral("/bin/sh");
    made.resources = scratch.path();
    made.deviceRows = {withoutClusters()};
    return made;
}

AgentRequest requestOf(const CandidateTexts &texts) {
    AgentRequest request;
    request.device = QStringLiteral("cpu");
    request.proposal = QStringLiteral("p1");
    request.texts = texts;
    return request;
}

const CandidateTexts &start() {
    static const CandidateTexts texts = {
        {"model.py", "m\n"}, {"model_new.py", "n\n"}, {"kernels/example.cu", "e\n"}};
    return texts;
}

} // namespace

class TestPlaybookThread : public QObject {
    Q_OBJECT

private slots:
    void noTurnOfItsThreadIsLong() {
        const Scratch scratch;
        PlaybookAgent agent(setupOf(scratch));
        std::vector<Proposal> proposals;
        QStringList failed;
        connect(&agent, &Agent::proposed, this, [&](const Proposal &made) { proposals.push_back(made); });
        connect(&agent, &Agent::failed, this, [&](const QString &why) { failed << why; });
        connect(&agent, &Agent::done, this, [&](const QString &why) { failed << why; });
        double longest = 0;
        double last = cpuMs(CLOCK_THREAD_CPUTIME_ID);
        const double begin = cpuMs(CLOCK_PROCESS_CPUTIME_ID) - last;
        QTimer beat; // one an iteration of the event loop
        connect(&beat, &QTimer::timeout, this, [&] {
            const double now = cpuMs(CLOCK_THREAD_CPUTIME_ID);
            longest = std::max(longest, now - last);
            last = now;
        });
        beat.start(0);
        agent.propose(requestOf(start()));
        QTRY_VERIFY_WITH_TIMEOUT(!proposals.empty() || !failed.isEmpty(), 60000);
        QVERIFY2(failed.isEmpty(), qPrintable(failed.join(u'\n')));
        // And the proposal after an accepted one.
        AgentRequest next = requestOf(proposals[0].proposed);
        next.feedback = {{QStringLiteral("p1"), Feedback::Outcome::Applied, {}, {}, {}}};
        agent.propose(next);
        QTRY_VERIFY_WITH_TIMEOUT(proposals.size() > 1 || !failed.isEmpty(), 60000);
        beat.stop();
        const double elsewhere = cpuMs(CLOCK_PROCESS_CPUTIME_ID) - cpuMs(CLOCK_THREAD_CPUTIME_ID) - begin;
        qInfo("the longest turn took %.1f ms, the pool %.0f ms", longest, elsewhere);
        QVERIFY2(elsewhere > mostMs, "the model is too small to tell");
        QVERIFY2(longest < mostMs, qPrintable(QString::number(longest)));
    }

    void aStopWhileItThinksIsAtOnce() {
        const Scratch scratch;
        PlaybookAgent agent(setupOf(scratch));
        QSignalSpy failed(&agent, &Agent::failed), proposed(&agent, &Agent::proposed);
        QSignalSpy said(&agent, &Agent::message), programs(&agent, &Agent::planChanged);
        bool isFailedAtOnce = false;
        connect(&agent, &Agent::toolEnded, &agent, [&] {
            QTimer::singleShot(0, &agent, [&] {
                agent.cancel();
                isFailedAtOnce = failed.count() == 1;
            });
        });
        agent.propose(requestOf(start()));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
        QVERIFY(isFailedAtOnce);
        QVERIFY(QThreadPool::globalInstance()->waitForDone(60000));
        QTest::qWait(20); // results that the pool has posted
        QCOMPARE(failed.count(), 1);
        QCOMPARE(proposed.count() + said.count() + programs.count(), 0);
        // And it can be asked again, as if it had not been asked before.
        disconnect(&agent, &Agent::toolEnded, &agent, nullptr);
        agent.propose(requestOf(start()));
        QTRY_COMPARE_WITH_TIMEOUT(proposed.count(), 1, 60000);
        PlaybookAgent fresh(setupOf(scratch));
        QSignalSpy first(&fresh, &Agent::proposed);
        fresh.propose(requestOf(start()));
        QTRY_COMPARE_WITH_TIMEOUT(first.count(), 1, 60000);
        QCOMPARE(proposed[0][0].value<Proposal>().title, first[0][0].value<Proposal>().title);
        QCOMPARE(proposed[0][0].value<Proposal>().proposed, first[0][0].value<Proposal>().proposed);
    }

    void aStopWhileTheGraphIsReadIsOne() {
        const Scratch scratch;
        PlaybookAgent agent(setupOf(scratch));
        QSignalSpy failed(&agent, &Agent::failed), proposed(&agent, &Agent::proposed);
        // Wherever the stop falls: while the process runs, while its answer is read, or while it is planned.
        for (int ms = 0; ms < 120; ms += 20) {
            agent.propose(requestOf(start()));
            QTest::qWait(ms);
            if (proposed.isEmpty())
                agent.cancel();
            QTest::qWait(1);
            QCOMPARE(failed.count() + proposed.count(), 1);
            failed.clear();
            proposed.clear();
        }
        QVERIFY(QThreadPool::globalInstance()->waitForDone(60000));
        QTest::qWait(20);
        QCOMPARE(failed.count() + proposed.count(), 0);
    }

    void whatIsSaidComesBeforeTheProposal() {
        const Scratch scratch;
        PlaybookAgent agent(setupOf(scratch));
        QStringList order;
        connect(&agent, &Agent::toolBegan, this, [&] { order << "begins to read"; });
        connect(&agent, &Agent::toolEnded, this, [&] { order << "has read"; });
        connect(&agent, &Agent::message, this,
                [&](const AgentMessage &one) { order << one.id.mid(QStringLiteral("p1-").size()); });
        connect(&agent, &Agent::planChanged, this, [&] { order << "has a plan"; });
        connect(&agent, &Agent::proposed, this, [&] { order << "proposes"; });
        agent.propose(requestOf(start()));
        QTRY_VERIFY_WITH_TIMEOUT(order.contains("proposes"), 60000);
        QCOMPARE(order, (QStringList{"begins to read", "has read", "plan", "has a plan", "proposes"}));
    }
};

QObject *makeTestPlaybookThread() {
    return new TestPlaybookThread;
}
#include "tst_playbook_thread.moc"
