// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/pages_bench.h"

#include "app/ide/kit/actions.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/main_window.h"

#include <QAction>
#include <QTimer>

#include <utility>

namespace warpwright {
namespace {

constexpr int settledMs = 1500; ///< what the pool works out has come to the page by then

} // namespace

PagesBench::PagesBench(EventMeter &meter, MainWindow &window, QString report, QObject *parent)
    : QObject(parent), m_meter(meter), m_window(window), m_report(std::move(report)) {}

void PagesBench::start() {
    open(0);
}

void PagesBench::open(qsizetype page) {
    const QList<QAction *> &actions = m_window.actions().showPages;
    if (page == actions.size())
        return ended();
    m_meter.beginPhase(m_before + actions[page]->property("page").toString());
    actions[page]->trigger();
    QTimer::singleShot(settledMs, this, [this, page] { open(page + 1); });
}

void PagesBench::ended() {
    m_meter.beginPhase({});
    if (m_report.isEmpty())
        emit finished();
    else
        read();
}

void PagesBench::read() {
    auto *controller = m_window.findChild<CounterController *>();
    const auto go = [this] {
        QTimer::singleShot(settledMs, this, [this] {
            m_before = QStringLiteral("report, ");
            open(0);
        });
    };
    connect(controller, &CounterController::failed, this,
            [this](const QString &title, const QString &text) { emit failed(title + ": " + text); });
    connect(controller, &CounterController::countersChanged, this, [controller, go] {
        if (controller->isReport())
            go();
    });
    m_meter.beginPhase(QStringLiteral("reading"));
    controller->openReport(std::exchange(m_report, QString()));
}

} // namespace warpwright
