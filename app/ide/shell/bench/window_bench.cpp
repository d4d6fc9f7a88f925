// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/window_bench.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/bench/pages_bench.h"
#include "app/ide/shell/bench/stream_bench.h"
#include "app/ide/shell/bench/typing_cost.h"
#include "app/ide/shell/main_window.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/workspace.h"
#include "widgets/editor/code_editor.h"

#include <QKeyEvent>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace warpwright {
namespace {

constexpr int keysTyped = 300;

/// `share`: 0.99. Of the sorted values the smallest that so many are not above.
double percentile(const std::vector<float> &sorted, double share) {
    if (sorted.empty())
        return 0;
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return static_cast<double>(sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1]);
}

/// Milliseconds.
Json spreadOf(std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return {{"p50", percentile(values, 0.5)},
            {"p99", percentile(values, 0.99)},
            {"p999", percentile(values, 0.999)},
            {"worst", percentile(values, 1)}};
}

} // namespace

WindowBench::WindowBench(QString what, QString workspace, EventMeter &meter, MainWindow &window,
                         QObject *parent)
    : QObject(parent),
      m_what(std::move(what)),
      m_workspace(std::move(workspace)),
      m_meter(meter),
      m_window(window) {}

void WindowBench::start() {
    connect(&m_window, &MainWindow::settled, this, &WindowBench::opened, Qt::SingleShotConnection);
    m_window.show();
    if (m_what == QLatin1String("stream")) { // nothing is measured yet, and the copy is ours
        const Result<Workspace> workspace = Workspace::open(m_workspace, m_window.bench().folders());
        if (!workspace.hasValue())
            return fail(workspace.message());
        const std::vector<SourceFile> &sources = workspace.value().sources;
        const auto found = std::find_if(sources.begin(), sources.end(), [](const SourceFile &source) {
            return source.name.startsWith(QLatin1String("kernels/"));
        });
        if (found == sources.end())
            return fail(tr("There is no kernel to make longer."));
        const QString kernel = m_workspace + QLatin1Char('/') + found->name;
        const Result<QByteArray> text = readTextFile(kernel);
        if (!text.hasValue())
            return fail(text.message());
        if (const Result<void> written = writeFileAtomically(kernel, StreamBench::longText(text.value()));
            !written.hasValue())
            return fail(written.message());
    }
    m_window.openWorkspace(m_workspace);
}

void WindowBench::opened() {
    if (!m_window.bench().workspace()) {
        emit finished(2, "{}");
        return;
    }
    if (m_what == QLatin1String("start")) {
        // Once more through the event loop: what is painted can be typed into.
        QTimer::singleShot(0, this, [this] {
            timespec now{};
            clock_gettime(CLOCK_MONOTONIC, &now);
            const double ms = static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
            const double begun = qEnvironmentVariable("WARPWRIGHT_BENCH_BEGUN_MS").toDouble();
            emit finished(0, QByteArray::fromStdString(Json{{"startMilliseconds", ms - begun}}.dump()));
        });
        return;
    }
    if (m_what == QLatin1String("stream"))
        return stream();
    if (m_what == QLatin1String("pages"))
        return openPages();
    connect(&m_window.bench(), &Workbench::checked, this, [this] {
        QTimer::singleShot(1000, this, [this] { // what the verdict brings counts as well
            m_meter.beginPhase({});
            QTimer::singleShot(0, this, &WindowBench::type); // loading a file does not
        });
    });
    QTimer::singleShot(500, this, [this] {
        m_meter.beginPhase(QStringLiteral("check"));
        m_window.actions().check->trigger();
    });
}

void WindowBench::stream() {
    auto *bench = new StreamBench(m_meter, m_window, this);
    connect(bench, &StreamBench::finished, this, &WindowBench::report);
    connect(bench, &StreamBench::failed, this, &WindowBench::fail);
    bench->start();
}

void WindowBench::openPages() {
    auto *bench = new PagesBench(m_meter, m_window, qEnvironmentVariable("WARPWRIGHT_BENCH_REPORT"), this);
    connect(bench, &PagesBench::finished, this, &WindowBench::report);
    connect(bench, &PagesBench::failed, this, &WindowBench::fail);
    QTimer::singleShot(1000, bench, &PagesBench::start);
}

void WindowBench::fail(const QString &why) {
    QTextStream(stderr) << why << '\n';
    emit finished(2, "{}");
}

void WindowBench::type() {
    CodeEditor *editor = m_window.findChild<CandidatePanel *>()->currentEditor();
    editor->setContent(longKernelFile(5000));
    editor->goTo(2500, 1);
    QTimer::singleShot(500, this, [this, editor] {
        m_meter.beginPhase(QStringLiteral("typing"));
        auto *timer = new QTimer(this);
        timer->setInterval(10);
        connect(timer, &QTimer::timeout, this, [this, timer, editor, typed = 0]() mutable {
            if (++typed > keysTyped) {
                timer->stop();
                QTimer::singleShot(1500, this, &WindowBench::report); // drafts and counts follow the keys
                return;
            }
            const bool isEnd = typed % 40 == 0;
            const int key = isEnd ? Qt::Key_Return : Qt::Key_A + typed % 26;
            const QString text = isEnd ? QStringLiteral("\r") : QString(QChar('a' + typed % 26));
            QCoreApplication::postEvent(editor, new QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier, text));
        });
        timer->start();
    });
}

void WindowBench::report() {
    m_meter.beginPhase({});
    Json json = Json::object();
    for (auto phase = m_meter.phases().cbegin(); phase != m_meter.phases().cend(); ++phase)
        json[phase.key().toStdString()] =
            Json{{"worstMilliseconds", phase.value().ms},
                 {"worstEvent", phase.value().event.toStdString()},
                 {"events", phase.value().events},
                 {"cpuMilliseconds", spreadOf(phase.value().all)},
                 {"wallMilliseconds", spreadOf(phase.value().wall)},
                 {"over16Milliseconds", phase.value().over16ms},
                 {"tooLong", phase.value().tooLong.join(QStringLiteral(", ")).toStdString()}};
    emit finished(0, QByteArray::fromStdString(json.dump()));
}

} // namespace warpwright
