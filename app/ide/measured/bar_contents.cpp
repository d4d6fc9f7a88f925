// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/bar_contents.h"

#include "app/ide/kit/actions.h"
#include "app/ide/measured/overview_rows.h"
#include "toolchain/base/figures.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace warpwright {
namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("MeasuredBar", text);
}

MeasuredBar::Content running(const BarNeeds &needs) {
    return {QStringLiteral("running"),
            "accent.text",
            QStringLiteral("%1 · %2").arg(needs.controller.title(), needs.controller.step()),
            {},
            {{needs.actions.stopCounters, tr("Stop")}}};
}

MeasuredBar::Content older(int edits) {
    MeasuredBar::Content content;
    content.iconName = QStringLiteral("stale");
    content.words = tr("Of the text before %1").arg(countText(edits, tr("edit")));
    return content;
}

} // namespace

MeasuredBar::Content countersBar(const BarNeeds &needs) {
    const CounterController &controller = needs.controller;
    if (!controller.counters())
        return {};
    if (controller.doing() == CounterController::Doing::Collecting ||
        controller.doing() == CounterController::Doing::Reading)
        return running(needs);
    MeasuredBar::Content content;
    if (controller.isReport()) {
        content.iconName = QStringLiteral("file");
        content.words = tr("Report %1, of no text here").arg(QFileInfo(controller.reportPath()).fileName());
        content.more = controller.reportPath();
        if (controller.isKeeping()) {
            content.words = tr("Report %1 is being kept").arg(QFileInfo(controller.reportPath()).fileName());
            return content;
        }
        if (controller.whyNotAttach().isEmpty())
            content.buttons.push_back({needs.actions.attachReport, tr("Keep here")});
        content.buttons.push_back({needs.actions.openReport, tr("Open another…")});
        content.buttons.push_back({needs.actions.closeReport, tr("Close")});
        return content;
    }
    if (needs.edits > 0) {
        content = older(needs.edits);
    } else {
        const Counters &counters = *controller.counters();
        const bool isImported = !counters.importedFrom.isEmpty();
        const QString at = counters.at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        content.iconName = isImported ? QStringLiteral("file") : QStringLiteral("clock");
        content.words = isImported ? tr("Imported %1 from %2").arg(at, counters.importedFrom)
                                   : tr("Collected %1").arg(at);
    }
    if (controller.hasOtherSource())
        content.buttons.push_back({needs.actions.switchCounters, controller.counters()->importedFrom.isEmpty()
                                                                     ? tr("Show the imported")
                                                                     : tr("Show ours")});
    if (needs.isPast)
        return content;
    if (!needs.canCollect) {
        content.buttons.push_back({needs.actions.openReport, tr("Open a report…")});
        return content;
    }
    content.buttons.push_back({needs.actions.collectCounters, tr("Collect again")});
    if (controller.counters()->set != QLatin1String("full"))
        content.buttons.push_back({needs.actions.collectAllCounters, tr("All counters")});
    return content;
}

MeasuredBar::Content timelineBar(const BarNeeds &needs) {
    const CounterController &controller = needs.controller;
    if (!controller.timeline())
        return {};
    if (controller.doing() == CounterController::Doing::Tracing)
        return running(needs);
    MeasuredBar::Content content;
    if (needs.edits > 0) {
        content = older(needs.edits);
    } else {
        content.iconName = QStringLiteral("clock");
        content.words =
            tr("Traced %1")
                .arg(controller.timeline()->at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")));
    }
    if (!needs.isPast)
        content.buttons.push_back({needs.actions.traceTimeline, tr("Trace again")});
    return content;
}

MeasuredBar::Content whyBar(const BarNeeds &needs, const Findings &findings) {
    MeasuredBar::Content content;
    if (needs.isOfOlderText)
        content = older(needs.edits);
    const QString looked = lookedText(findings);
    if (content.words.isEmpty()) {
        content.iconName = QStringLiteral("info");
        content.words = looked.at(0).toUpper() + looked.mid(1);
    } else {
        content.words += QStringLiteral(" · ") + looked;
    }
    content.more = content.words;
    const QStringList wanted = lookMore(findings);
    for (QAction *action : {needs.actions.check, needs.actions.collectCounters, needs.actions.traceTimeline})
        if (wanted.contains(action->objectName()))
            content.buttons.push_back({action, {}});
    return content;
}

MeasuredBar::Content occupancyBar(const BarNeeds &needs) {
    return needs.isOfOlderText ? older(needs.edits) : MeasuredBar::Content();
}

} // namespace warpwright
