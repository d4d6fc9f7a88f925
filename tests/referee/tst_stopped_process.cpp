// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/stopped_process.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace warpwright {

namespace {

/// Written by the child, read here.
using Counter = std::atomic<uint64_t>;

struct Unmapped {
    void operator()(Counter *counter) const { munmap(counter, sizeof *counter); }
};

std::unique_ptr<Counter, Unmapped> sharedCounter() {
    void *page = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return std::unique_ptr<Counter, Unmapped>(new (page) Counter(0));
}

/// A process that does nothing but what `work` does; killed and waited for at the end.
class Child {
public:
    explicit Child(const std::function<void()> &work) : pid(fork()) {
        if (pid != 0)
            return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work();
        _exit(0);
    }
    ~Child() {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    const pid_t pid;
};

[[noreturn]] void countForEver(Counter &counter) {
    while (true)
        ++counter;
}

} // namespace

/// All threads of a process, seen to stand still.
class StoppedProcessTest : public QObject {
    Q_OBJECT

private slots:
    void nothingRunsOnceItIsSeen() {
        const auto counter = sharedCounter();
        const Child child([&] {
            for (int i = 0; i < 6; ++i)
                std::thread([] { pause(); }).detach();
            for (int i = 0; i < 3; ++i)
                std::thread([&] { countForEver(*counter); }).detach();
            // Threads that come and go: a list of them is old when it has been read.
            while (true)
                std::thread([&] { ++*counter; }).join();
        });
        QTRY_VERIFY(counter->load() > 1000);
        for (int turn = 0; turn < 20; ++turn) {
            const std::optional<Stop> stop = stopAll(child.pid, 20.0);
            const uint64_t then = counter->load();
            QVERIFY(stop && stop->threads >= 10 && stop->seenAt >= stop->askedAt);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            QCOMPARE(counter->load(), then);
            kill(child.pid, SIGCONT);
            QTRY_VERIFY(counter->load() > then);
        }
    }

    void stoppedTwiceIsStopped() {
        const Child child([] { pause(); });
        QVERIFY(stopAll(child.pid, 20.0));
        QVERIFY(stopAll(child.pid, 20.0));
    }

    void whoIsGoneIsNoError() {
        const Child child([] {});
        QTRY_COMPARE(waitid(P_PID, static_cast<id_t>(child.pid), nullptr, WEXITED | WNOHANG | WNOWAIT), 0);
        QVERIFY(!stopAll(0x3fffffff, 20.0));
        (void)stopAll(child.pid, 20.0); // dead and not yet waited for: there is an answer
    }
};

QObject *stoppedProcessTest() {
    return new StoppedProcessTest;
}

} // namespace warpwright

#include "tst_stopped_process.moc"
