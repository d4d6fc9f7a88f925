// SPDX-License-Identifier: GPL-3.0-or-later
// bench_past_run [ITERATIONS]: opens a run of so many iterations (10,000) in the real window, offscreen, with
// an index that is there, and says how long it takes until its first event is in sight, and what the longest
// event costs the window's thread (CPU time) while it opens, is scrolled, jumped through and played.
#include "agent/run_index.h"
#include "app/ide/event_meter.h"
#include "app/ide/main_window.h"
#include "app/ide/past_runs_page.h"
#include "app/ide/replay_desk.h"
#include "app/ide/run_event_list.h"
#include "tests/bench/long_run.h"
#include "toolchain/data_folders.h"
#include "widgets/house_style.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>

#include <cstdio>
#include <functional>

using namespace warpwright;

namespace {

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

} // namespace

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir folder;
    for (const char *name : {"WARPWRIGHT_DATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
        qputenv(name, folder.filePath(QString::fromLatin1(name)).toLocal8Bit());
    qputenv("WARPWRIGHT_RESOURCES", SOURCE_FOLDER "/resources");
    qputenv("WARPWRIGHT_HEADERS", "0");
    EventMeter application(argc, argv);
    loadFonts();
    Look look;
    QApplication::setStyle(new HouseStyle(look));
    const int iterations = argc > 1 ? std::max(200, QString::fromLocal8Bit(argv[1]).toInt()) : 10000;
    const QString workspace = folder.filePath(QStringLiteral("workspace"));
    QDir().mkpath(workspace + QStringLiteral("/kernels"));
    const QString base = QStringLiteral(SOURCE_FOLDER "/tests/data/workspaces/base/");
    for (const char *name : {"model.py", "model_new.py", "kernels/gate.cpp"})
        QFile::copy(base + QLatin1String(name), workspace + QLatin1Char('/') + QLatin1String(name));
    static_cast<void>(writeRun(workspace + QStringLiteral("/.warpwright"), iterations));
    if (!RunIndex::open(workspace + QStringLiteral("/.warpwright")).hasValue())
        return 2;
    MainWindow window(DataFolders::find(), QStringLiteral("bench"));
    window.resize(1600, 1000);
    window.show();
    window.openWorkspace(workspace);
    if (!waitFor([&] { return window.bench().workspace().has_value(); }, 30000))
        return 2;
    pause(2000);

    auto &page = *window.findChild<PastRunsPage *>();
    auto &events = *window.findChild<RunEventList *>();
    ReplayDesk &replay = window.replay();
    const auto say = [](const char *what, qint64 ms) {
        std::printf("%-44s %8lld ms\n", what, static_cast<long long>(ms));
        std::fflush(stdout);
    };
    QElapsedTimer clock;
    application.beginPhase(QStringLiteral("the list of runs"));
    clock.start();
    page.open(window.bench().workspace()->state);
    if (!waitFor([&] { return !page.shownRuns().empty(); }, 60000))
        return 1;
    say("list of runs", clock.elapsed());
    application.beginPhase(QStringLiteral("open"));
    clock.start();
    emit page.runPicked(page.shownRuns().front(), 1);
    if (!waitFor([&] { return replay.number() == 1; }, 60000))
        return 1;
    say("opened: the first event in sight", clock.elapsed());
    if (!waitFor([&] { return !replay.records().empty(); }, 60000))
        return 1;
    say("opened: the tree and the marks", clock.elapsed());
    pause(500);
    application.beginPhase(QStringLiteral("scroll"));
    clock.start();
    for (int i = 0; i < 200; ++i) {
        events.scrollTo(events.model()->index((i * 7919) % events.model()->rowCount(), 0));
        pause(10);
    }
    for (int i = 0; i < 100; ++i) {
        events.setCurrentEvent(1 + i * 3);
        pause(5);
    }
    application.beginPhase(QStringLiteral("play as fast as possible"));
    replay.setSpeed(0);
    clock.start();
    replay.setPlaying(true);
    pause(10000);
    const qint64 played = replay.number();
    replay.setPlaying(false);
    pause(200);
    std::printf("%-44s %8lld events\n", "played in 10 s", static_cast<long long>(played));
    application.beginPhase(QStringLiteral("jumps"));
    clock.start();
    replay.goTo(replay.last());
    if (!waitFor([&] { return replay.number() == replay.last(); }, 120000))
        return 1;
    say("to the last event, the first time", clock.elapsed());
    clock.start();
    for (int i = 1; i <= 20; ++i) {
        const qint64 there = 1 + (i * 7919 * 13) % replay.last();
        replay.goTo(there);
        if (!waitFor([&] { return replay.number() == there; }, 60000))
            return 1;
    }
    say("20 events anywhere, once passed", clock.elapsed());
    clock.start();
    for (int i = 0; i < 20; ++i) {
        const qint64 there = replay.number() - 1;
        replay.step(-1);
        if (!waitFor([&] { return replay.number() == there; }, 60000))
            return 1;
    }
    say("20 steps back", clock.elapsed());
    application.beginPhase(QStringLiteral("leave"));
    replay.leave();
    pause(500);
    application.beginPhase({});
    for (auto phase = application.phases().cbegin(); phase != application.phases().cend(); ++phase) {
        std::printf("%-28s %7lld events, longest %6.1f ms (%s), over 16 ms: %lld\n", qPrintable(phase.key()),
                    static_cast<long long>(phase->events), phase->ms, qPrintable(phase->event),
                    static_cast<long long>(phase->over16ms));
        for (const QString &one : phase->tooLong)
            std::printf("    %s\n", qPrintable(one));
    }
    return 0;
}
