// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/progress_line.h"

#include "toolchain/base/figures.h"

#include <unistd.h>

namespace warpwright {
namespace {

QString lastText(const StageProgress &progress) {
    return progress.lastSeconds ? QStringLiteral(" (last time %1)").arg(durationText(*progress.lastSeconds))
                                : QString();
}

} // namespace

QString progressText(const StageProgress &progress) {
    if (progress.wait)
        return QStringLiteral("wait for the device: ") + printable(stepText(progress));
    if (isOfJudgeBuild(progress))
        return printable(stepText(progress));
    QString text = progress.stage;
    if (progress.count > 0)
        text += QStringLiteral(" %1 of %2").arg(progress.index).arg(progress.count);
    return text + QStringLiteral(": ") + printable(progress.step);
}

ProgressLine::ProgressLine(const Terminal &terminal, QObject *parent)
    : QObject(parent), m_terminal(terminal) {
    m_tick.setInterval(100);
    connect(&m_tick, &QTimer::timeout, this, &ProgressLine::draw);
}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::show(const StageProgress &progress) {
    if (m_terminal.isTerminal) {
        m_progress = progress;
        m_since.start();
        m_tick.start();
        draw();
        return;
    }
    // What only counts on («writes a call of edit: 96 B») is a line once.
    const auto what = [](const StageProgress &of) {
        return of.wait || isOfJudgeBuild(of) ? of.step : of.step.section(QStringLiteral(": "), 0, 0);
    };
    const bool isOfBuild = isOfJudgeBuild(progress) && isOfJudgeBuild(m_progress);
    const bool isSameIndex = isOfBuild || progress.index == m_progress.index; // its time left says more
    if (progress.stage == m_progress.stage && what(progress) == what(m_progress) && isSameIndex)
        return;
    m_progress = progress;
    print(STDERR_FILENO, progressText(progress) + lastText(progress) + QLatin1Char('\n'));
}

void ProgressLine::stageEnded(const QString &stage, StageStatus status, double seconds) {
    clear();
    print(STDERR_FILENO,
          QStringLiteral("%1 %2, %3\n")
              .arg(stage, inked(m_terminal, inkOf(status), statusName(status)), durationText(seconds)));
}

void ProgressLine::clear() {
    m_tick.stop();
    if (m_isShown)
        print(STDERR_FILENO, QStringLiteral("\r\x1b[K"));
    m_isShown = false;
}

void ProgressLine::draw() {
    const double elapsed = m_progress.elapsedSeconds + static_cast<double>(m_since.elapsed()) / 1000;
    QString line = progressText(m_progress).simplified();
    const QString times = m_progress.wait
                              ? QString() // it says its own
                              : QStringLiteral(" · %1 s").arg(elapsed, 0, 'f', 1) + lastText(m_progress);
    const qsizetype room = m_terminal.columns - times.size() - 1;
    if (line.size() > room)
        line = line.left(std::max<qsizetype>(room - 1, 0)) + QStringLiteral("…");
    print(STDERR_FILENO, QStringLiteral("\r\x1b[K") + line + inked(m_terminal, Ink::Faint, times));
    m_isShown = true;
}

} // namespace warpwright
