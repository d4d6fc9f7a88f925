// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline.h"

#include <algorithm>

/// Calls of a device whose picture is known, in microseconds.
class MadeArm {
public:
    explicit MadeArm(const QString &name, double microseconds) {
        m_arm.name = name;
        m_arm.calls = {{microseconds * 1.1, 0, 0}, {microseconds, 0, 0}, {microseconds * 0.9, 0, 0}};
        m_arm.shown = 1;
        m_arm.untracedMicroseconds = {microseconds * 0.8, microseconds * 0.7, microseconds * 0.9};
    }

    /// A launch by the host, and what it launches.
    MadeArm &kernel(const QString &name, double launchUs, double launchLasts, double startUs, double lasts,
                    int stream = 7) {
        return launch(launchUs, launchLasts).runs(name, startUs, lasts, stream);
    }
    MadeArm &launch(double startUs, double lasts,
                    warpwright::TimelineEvent::Kind kind = warpwright::TimelineEvent::Kind::Launch) {
        ++m_correlation;
        warpwright::TimelineEvent &event =
            add(kind, kind == warpwright::TimelineEvent::Kind::Graph ? "cudaGraphLaunch" : "cudaLaunchKernel",
                startUs, lasts);
        event.correlation = m_correlation;
        event.thread = 12;
        return *this;
    }
    /// Of the launch before.
    MadeArm &runs(const QString &name, double startUs, double lasts, int stream = 7, bool isOfGraph = false) {
        warpwright::TimelineEvent &event = add(warpwright::TimelineEvent::Kind::Kernel, name, startUs, lasts);
        event.correlation = m_correlation;
        event.stream = stream;
        event.grid = {132, 1, 1};
        event.block = {256, 1, 1};
        event.registers = 32;
        event.sharedBytes = 2048;
        event.graph = isOfGraph ? m_correlation : 0;
        return *this;
    }
    MadeArm &sync(double startUs, double lasts) {
        add(warpwright::TimelineEvent::Kind::Sync, QStringLiteral("cudaDeviceSynchronize"), startUs, lasts);
        return *this;
    }
    warpwright::TimelineEvent &add(warpwright::TimelineEvent::Kind kind, const QString &name, double startUs,
                                   double lasts) {
        warpwright::TimelineEvent event;
        event.kind = kind;
        event.name = name;
        event.startUs = startUs;
        event.durationUs = lasts;
        m_arm.events.push_back(event);
        return m_arm.events.back();
    }

    [[nodiscard]] warpwright::TimelineArm arm() const {
        warpwright::TimelineArm made = m_arm;
        std::stable_sort(made.events.begin(), made.events.end(),
                         [](const auto &one, const auto &other) { return one.startUs < other.startUs; });
        return made;
    }

private:
    warpwright::TimelineArm m_arm;
    qint64 m_correlation = 0;
};

/// A candidate that replays a graph, an eager arm that launches three kernels, and one that has failed.
inline warpwright::Timeline madeTimeline() {
    using Kind = warpwright::TimelineEvent::Kind;
    warpwright::Timeline timeline;
    timeline.id = QStringLiteral("2026-11-28T23-00-00.000");
    timeline.at = QDateTime(QDate(2026, 11, 28), QTime(23, 0), Qt::UTC);
    timeline.program = QStringLiteral("wright 0.1.0");
    timeline.tool = QStringLiteral("torch 2.11.0's profiler");
    timeline.device = QStringLiteral("NVIDIA H200");
    timeline.computeCapability = QStringLiteral("9.0");
    timeline.multiprocessors = 132;
    timeline.iteration = 3;
    MadeArm candidate(QStringLiteral("candidate"), 70);
    candidate.launch(4, 6, Kind::Graph)
        .runs(QStringLiteral("void rowSums<4>(float const*, float*, int)"), 14, 20, 7, true)
        .runs(QStringLiteral("void scaleRows(float*, float const*)"), 35, 25, 7, true)
        .sync(11, 54);
    MadeArm eager(QStringLiteral("eager"), 150);
    eager.kernel(QStringLiteral("void at::native::mul(float*)"), 10, 8, 22, 30)
        .kernel(QStringLiteral("void at::native::relu(float*)"), 70, 8, 82, 25)
        .kernel(QStringLiteral("void at::native::relu(float*)"), 84, 8, 108, 25)
        .sync(94, 45);
    eager.add(Kind::Operator, QStringLiteral("aten::mul"), 5, 15).thread = 12;
    eager.add(Kind::Operator, QStringLiteral("aten::relu"), 66, 14).thread = 12;
    warpwright::TimelineArm compile;
    compile.name = QStringLiteral("compile");
    compile.problem = QStringLiteral("RuntimeError: no compiler");
    timeline.arms = {candidate.arm(), eager.arm(), compile};
    return timeline;
}
