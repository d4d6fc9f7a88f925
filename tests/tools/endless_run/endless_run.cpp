// SPDX-License-Identifier: GPL-3.0-or-later
// Writes events into a trajectory until it is killed: endless_run begin STATE | endless_run continue
// RUNFOLDER, with "later" behind it for one that is synced in the pool. A line on stdout for each that was
// acknowledged: its number, and the run's folder before the first.
#include "agent/record/trajectory_writer.h"

#include <QByteArray>

#include <cstdio>
#include <random>
#include <string_view>

using namespace warpwright;

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4)
        return 2;
    const QString folder = QString::fromLocal8Bit(argv[2]);
    Result<TrajectoryWriter> opened = std::string_view(argv[1]) == "begin"
                                          ? TrajectoryWriter::beginRun(folder)
                                          : TrajectoryWriter::continueRun(folder);
    if (!opened.hasValue()) {
        std::fprintf(stderr, "%s\n", qPrintable(opened.message()));
        return 1;
    }
    TrajectoryWriter writer = std::move(opened).value();
    if (argc == 4 && std::string_view(argv[3]) == "later")
        writer.syncLater([](const QString &message) { std::fprintf(stderr, "%s\n", qPrintable(message)); });
    std::printf("%s\n", qPrintable(writer.folder()));
    std::fflush(stdout);
    std::mt19937 random(std::random_device{}());
    for (;;) {
        const auto number = static_cast<int>(writer.lastNumber()) + 1;
        // Now and then a line of megabytes, so that kills fall into the middle of a write as well.
        const std::size_t size = random() % 8 == 0 ? 3000000 : random() % 2000;
        const Result<void> done =
            writer.append(QStringLiteral("message"),
                          {{"role", "agent"}, {"check", number * 7}, {"text", std::string(size, 'x')}});
        if (!done.hasValue()) {
            std::fprintf(stderr, "%s\n", qPrintable(done.message()));
            return 1;
        }
        std::printf("%d\n", number);
        std::fflush(stdout);
    }
}
