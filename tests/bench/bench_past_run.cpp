// SPDX-License-Identifier: GPL-3.0-or-later
// bench_past_run [ITERATIONS]: opens a run of so many iterations (10,000) in the real window, offscreen, with
// an index that is there, and says how long it takes until its first event is in sight and until tree and
// marks are, and what the events of the window's thread cost (CPU time: median, 99 of 100, the longest) while
// it opens, is scrolled, filtered, jumped through and played.
#include "agent/record/run_index.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/main_window.h"
#include "tests/bench/long_run.h"
#include "tests/toolchain/places.h"
#include "toolchain/base/data_folders.h"
#include "widgets/look/house_style.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>
#include <QThread>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

using namespace warpwright;

namespace {

constexpr int openings = 5;
/// The history of as many as the run has would take hours to write.
constexpr int historyIterations = 200;

bool waitFor(const std::function<bool()> &isThere, int limitMs) {
    QElapsedTimer clock;
    clock.start();
    while (!isThere() && clock.elapsed() < limitMs) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QThread::usleep(200);
    }
    return isThere();
}

void pause(int ms) {
    static_cast<void>(waitFor([] { return false; }, ms));
}

void say(const char *what, std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    std::printf("%-44s median %8.1f ms, longest %8.1f ms\n", what, ms[ms.size() / 2], ms.back());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir folder;
    for (const char *name : {"WARPWRIGHT_DATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
        qputenv(name, folder.filePath(QString::fromLatin1(name)).toLocal8Bit());
    qputenv("WARPWRIGHT_RESOURCES", sourceFolder("/resources").toUtf8());
    qputenv("WARPWRIGHT_HEADERS", "0");
    EventMeter application(argc, argv);
    loadFonts();
    Look look;
    QApplication::setStyle(new HouseStyle(look));
    const int iterations = argc > 1 ? std::max(200, QString::fromLocal8Bit(argv[1]).toInt()) : 10000;
    const QString workspace = folder.filePath(QStringLiteral("workspace"));
    QDir().mkpath(workspace + QStringLiteral("/kernels"));
    const QString base = sourceFolder("/tests/data/workspaces/base/");
    for (const char *name : {"model.py", "model_new.py", "kernels/gate.cpp"})
        QFile::copy(base + QLatin1String(name), workspace + QLatin1Char('/') + QLatin1String(name));
    QElapsedTimer making;
    making.start();
    const QString state = workspace + QStringLiteral("/.warpwright");
    static_cast<void>(writeRun(state, iterations));
    if (!writeHistory(state, std::min(iterations, historyIterations)))
        return 2;
    if (!RunIndex::open(state).hasValue())
        return 2;
    std::printf("%-44s %8lld ms\n", "run, history and index made", static_cast<long long>(making.elapsed()));
    MainWindow window(DataFolders::find(), QStringLiteral("bench"));
    window.resize(1600, 1000);
    window.show();
    window.openWorkspace(workspace);
    if (!waitFor([&] { return window.bench().workspace().has_value(); }, 120000))
        return 2;
    pause(2000);

    auto &page = *window.findChild<PastRunsPage *>();
    auto &events = *window.findChild<RunEventList *>();
    auto &tree = *window.findChild<QListView *>(QStringLiteral("iterationsList"));
    auto &filter = *window.findChild<IterationsPanel *>()->findChild<QLineEdit *>();
    ReplayController &replay = window.replay();
    QElapsedTimer clock;
    const auto goes = [&](const std::function<void()> &where, qint64 there) {
        clock.restart();
        where();
        if (!waitFor([&] { return replay.number() == there; }, 120000))
            qFatal("event %lld was not reached", static_cast<long long>(there));
        return static_cast<double>(clock.nsecsElapsed()) / 1e6;
    };

    std::vector<double> lists;
    std::vector<double> firsts;
    std::vector<double> trees;
    for (int turn = 0; turn < openings; ++turn) {
        application.beginPhase(QStringLiteral("1 the list of runs"));
        clock.restart();
        page.open(window.bench().workspace()->state);
        if (!waitFor([&] { return !page.shownRuns().empty(); }, 60000))
            return 1;
        lists.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        application.beginPhase(QStringLiteral("2 opening"));
        firsts.push_back(goes([&] { emit page.runPicked(page.shownRuns().front(), 1); }, 1));
        if (!waitFor([&] { return !replay.records().empty(); }, 60000))
            return 1;
        trees.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        pause(300);
        if (turn + 1 < openings) {
            application.beginPhase(QStringLiteral("8 leaving"));
            replay.leave();
            pause(300);
        }
    }
    say("the list of runs", lists);
    say("opened: the first event in sight", firsts);
    say("opened: the tree and the marks as well", trees);

    application.beginPhase(QStringLiteral("3 scrolling the events"));
    for (int i = 0; i < 200; ++i) {
        events.scrollTo(events.model()->index((i * 7919) % events.model()->rowCount(), 0));
        pause(10);
    }
    for (int i = 0; i < 200; ++i) {
        QWheelEvent turn(QPointF(50, 50), events.viewport()->mapToGlobal(QPointF(50, 50)), {}, {0, -120},
                         Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(events.viewport(), &turn);
        pause(5);
    }
    application.beginPhase(QStringLiteral("4 scrolling and filtering the tree"));
    for (int i = 0; i < 200; ++i) {
        tree.scrollTo(tree.model()->index((i * 7919) % tree.model()->rowCount(), 0));
        pause(5);
    }
    for (const QString &words : {QStringLiteral("u"), QStringLiteral("unroll step 99"), QString()}) {
        filter.setText(words);
        pause(100);
    }
    application.beginPhase(QStringLiteral("5 playing as fast as possible"));
    replay.setSpeed(0);
    replay.setPlaying(true);
    pause(10000);
    const qint64 played = replay.number();
    replay.setPlaying(false);
    pause(200);
    std::printf("%-44s %8lld events\n", "played in 10 s", static_cast<long long>(played));
    application.beginPhase(QStringLiteral("6 jumping"));
    say("to the last event, the first time", {goes([&] { replay.goTo(replay.last()); }, replay.last())});
    std::vector<double> jumps;
    for (int i = 1; i <= 50; ++i) {
        const qint64 there = 1 + (i * 7919 * 13) % replay.last();
        jumps.push_back(goes([&] { replay.goTo(there); }, there));
    }
    say("50 events anywhere, once passed", jumps);
    application.beginPhase(QStringLiteral("7 stepping back"));
    std::vector<double> steps;
    for (int i = 0; i < 100; ++i)
        steps.push_back(goes([&] { replay.step(-1); }, replay.number() - 1));
    say("100 steps back", steps);
    application.beginPhase(QStringLiteral("8 leaving"));
    replay.leave();
    pause(500);
    application.beginPhase({});
    QStringList names = application.phases().keys();
    names.sort();
    std::printf("\n%-36s %7s %8s %8s %8s %9s\n", "events of the window's thread, CPU ms", "events", "median",
                "99 %", "longest", "over 16");
    for (const QString &name : names) {
        const EventMeter::Worst phase = application.phases()[name];
        std::vector<float> all = phase.all;
        std::sort(all.begin(), all.end());
        std::printf("%-37s %7lld %8.3f %8.2f %8.2f %9lld   %s\n", qPrintable(name),
                    static_cast<long long>(phase.events), static_cast<double>(all[all.size() / 2]),
                    static_cast<double>(all[all.size() * 99 / 100]), phase.ms,
                    static_cast<long long>(phase.over16ms), qPrintable(phase.event));
        for (const QString &one : phase.tooLong)
            std::printf("    %s\n", qPrintable(one));
    }
    return 0;
}
