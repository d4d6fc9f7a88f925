// SPDX-License-Identifier: GPL-3.0-or-later
// bench_assembly [SAMPLE] [TURNS]: how long after its compile SASS and PTX of an edited kernel stand in the
// page «Assembly». Each turn changes the code of one kernel, so that no cache knows it. Needs nvcc and
// nvdisasm, no GPU; started by hand on a machine that does nothing else.
#include "app/ide/kit/actions.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/code_listing_view.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/samples.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTextStream>

#include <algorithm>

using namespace warpwright;

namespace {

QTextStream &say() {
    static QTextStream stream(stdout);
    return stream;
}

/// A line of code that changes what the compiler makes, at the end of a kernel's file.
QByteArray anotherKernel(int turn) {
    return "\nextern \"C\" __global__ void turn" + QByteArray::number(turn) +
           "(float *y) { y[threadIdx.x] += " +
           QByteArray::number(QDateTime::currentMSecsSinceEpoch() % 1000000) + ".0f; }\n";
}

Toolchain toolsHere(const DataFolders &folders) {
    ToolchainProbe::Request request;
    request.folders = folders;
    ToolchainProbe probe(request);
    QEventLoop loop;
    Toolchain tools;
    QObject::connect(&probe, &ToolchainProbe::finished, &loop, [&](const Toolchain &found) {
        tools = found;
        loop.quit();
    });
    probe.start();
    loop.exec();
    return tools;
}

Result<Inspection> inspect(const InspectionRequest &request, double &seconds) {
    Inspector inspector;
    QEventLoop loop;
    auto answer = Result<Inspection>::error(QStringLiteral("nothing came"));
    QObject::connect(&inspector, &Inspector::finished, &loop,
                     [&](const std::shared_ptr<const Inspection> &inspection) {
                         answer = Result<Inspection>::ok(*inspection);
                         loop.quit();
                     });
    QObject::connect(&inspector, &Inspector::failed, &loop, [&](const QString &message) {
        answer = Result<Inspection>::error(message);
        loop.quit();
    });
    QElapsedTimer clock;
    clock.start();
    inspector.start(request);
    loop.exec();
    seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    return answer;
}

} // namespace

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const QString wanted = arguments.value(1, QStringLiteral("softmax-rows"));
    const int turns = std::max(1, arguments.value(2, QStringLiteral("7")).toInt());

    const DataFolders folders = DataFolders::find();
    const QTemporaryDir data;
    QString folder;
    for (const Sample &sample : listSamples(folders.resources).value())
        if (sample.name == wanted)
            folder = openSampleCopy(sample, data.path()).value();
    const QStringList kernels = QDir(folder + QStringLiteral("/kernels")).entryList({QStringLiteral("*.cu")});
    if (folder.isEmpty() || kernels.isEmpty()) {
        say() << "No sample \"" << wanted << "\" with a CUDA kernel.\n";
        return 2;
    }
    const QString file = folder + QStringLiteral("/kernels/") + kernels.first();

    const Look look;
    const Actions actions;
    Workbench bench(folders, QStringLiteral("bench"));
    AssemblyPage page(look, bench, actions);
    page.resize(614, 400);
    static_cast<QWidget &>(page).show();

    InspectionRequest request;
    request.path = folder;
    request.folders = folders;
    request.wantsPtx = true;
    request.toolchain = toolsHere(folders); // a window knows them, too
    std::vector<double> after;
    say() << "turn  compile s  disassemble ms  show ms  after the compile ms (all but compiling)\n";
    for (int turn = 0; turn <= turns; ++turn) {
        const QByteArray text = readTextFile(file).value();
        if (const auto written = writeFileAtomically(file, text + anotherKernel(turn)); !written.hasValue()) {
            say() << written.message() << '\n';
            return 2;
        }
        double seconds = 0;
        const Result<Inspection> inspection = inspect(request, seconds);
        if (!inspection.hasValue() || inspection.value().kernels.empty()) {
            say() << (inspection.hasValue() ? inspection.value().log : inspection.message()) << '\n';
            return 2;
        }
        QElapsedTimer clock;
        clock.start();
        page.show(std::make_shared<const Inspection>(inspection.value()));
        QApplication::processEvents();
        (void)page.grab(); // what the eye would see
        const double shown = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        const double rest = (seconds - inspection.value().compileSeconds) * 1e3 + shown;
        say() << QStringLiteral("%1  %2  %3  %4  %5%6\n")
                     .arg(turn, 4)
                     .arg(inspection.value().compileSeconds, 9, 'f', 3)
                     .arg(inspection.value().disassemblySeconds * 1e3, 14, 'f', 0)
                     .arg(shown, 7, 'f', 1)
                     .arg(rest, 20, 'f', 0)
                     .arg(turn == 0 ? "  (the first is not counted)" : "");
        say().flush();
        if (turn > 0)
            after.push_back(rest);
    }
    std::sort(after.begin(), after.end());
    say() << QStringLiteral("%1, %2 turns: median %3 ms, from %4 to %5 ms after the compile\n")
                 .arg(wanted)
                 .arg(after.size())
                 .arg(after[after.size() / 2], 0, 'f', 0)
                 .arg(after.front(), 0, 'f', 0)
                 .arg(after.back(), 0, 'f', 0);
    return 0;
}
