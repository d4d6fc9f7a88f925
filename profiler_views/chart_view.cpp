// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/chart_view.h"

#include "profiler_views/csv_text.h"
#include "widgets/frame/empty_state.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QPainter>
#include <QStackedLayout>

namespace warpwright {

ChartView::ChartView(const Look &look, const QString &name, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_name(name),
      m_pages(new QStackedLayout(this)),
      m_empty(new EmptyState(look, this)),
      m_content(new QWidget(this)),
      m_plot(new Plot(look, m_content)) {
    setAccessibleName(name);
    m_plot->setAccessibleName(name);
    m_pages->setContentsMargins(0, 0, 0, 0);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_content);
    setFocusProxy(m_plot);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

void ChartView::deletePlot() {
    delete m_plot;
    m_plot = nullptr;
}

void ChartView::makeBars() {
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->axisRect()->setMinimumMargins(QMargins());
    m_plot->setStartsAtZero(true);
    m_plot->setCrosshair(Qt::Vertical);
    m_plot->yAxis->setTicks(false);
    m_plot->yAxis->setTickLabels(false);
    m_plot->yAxis->grid()->setVisible(false);
}

void ChartView::makeCanvas() {
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->axisRect()->setMinimumMargins(QMargins());
    m_plot->axisRect()->setMargins(QMargins());
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
}

QSize ChartView::minimumSizeHint() const {
    return QSize(m_look.px(280), m_look.px(88));
}

bool ChartView::isEmpty() const {
    return m_pages->currentWidget() == m_empty;
}

void ChartView::showEmpty(const QString &iconName, const QString &what, const QString &how, QAction *action) {
    showEmpty(iconName, what, how, action != nullptr ? QList<QAction *>{action} : QList<QAction *>());
}

void ChartView::showEmpty(const QString &iconName, const QString &what, const QString &how,
                          const QList<QAction *> &actions) {
    m_plot->setBlank(true); // a change of colours replots it all the same
    m_empty->say(iconName, what, how, actions);
    m_summary = what + QStringLiteral(": ") + how;
    setAccessibleDescription(m_summary);
    m_pages->setCurrentWidget(m_empty);
}

void ChartView::showContent(const QString &summary, const QString &origin) {
    m_plot->setBlank(false);
    m_summary = summary;
    m_origin = origin;
    setAccessibleDescription(summary);
    m_plot->setAccessibleDescription(summary);
    m_pages->setCurrentWidget(m_content);
}

void ChartView::showWhyNotProfiled(const MeasuredFigures &figures, const QString &iconName,
                                   const QString &what) {
    const auto not_ = [&](const char *icon, const char *title, const QString &how) {
        showEmpty(QLatin1String(icon), QLatin1String(title), how);
    };
    const QString later = QStringLiteral("times are measured once verify passes");
    switch (figures.verdict) {
    case Verdict::Wrong:
        return not_("wrong", "Not profiled: the result is wrong", later);
    case Verdict::Rejected:
        return not_("rejected", "Not profiled: rejected", later);
    case Verdict::RunFailed:
        return not_("wrong", "Not profiled: it did not run", later);
    case Verdict::Impossible:
        return not_("impossible", "No times to believe", figures.reason);
    case Verdict::BuildFailed:
        return not_("build-failed", "Not profiled: it does not compile",
                    QStringLiteral("times are measured once it compiles and verify passes"));
    case Verdict::Cancelled:
        return not_("cancelled", "Not profiled: stopped", QStringLiteral("check again to measure"));
    case Verdict::TaskFailed:
        return not_("error", "Not profiled: the reference is unusable", figures.reason);
    case Verdict::Environment:
    case Verdict::Usage:
        return not_("error", "Not profiled", figures.reason);
    case Verdict::NotRun:
        if (figures.reason.contains(QLatin1String("no CUDA device")))
            return not_("gpu", "No CUDA device: not run", QStringLiteral("it compiles; running needs a GPU"));
        if (!figures.reason.isEmpty())
            return not_("not-run", "Not run", figures.reason);
        break;
    case Verdict::Pass:
        return not_("not-run", "Not profiled", QStringLiteral("only compile and verify were asked for"));
    case Verdict::Inconclusive:
    case Verdict::Unverifiable:
        return not_("inconclusive", "Not profiled", figures.reason);
    }
    showEmpty(iconName, what + QStringLiteral(" appears here"),
              QStringLiteral("after the first check that passes"));
}

void ChartView::setStale(bool isStale) {
    if (m_isStale == isStale)
        return;
    m_isStale = isStale;
    staleChanged();
    update();
}

void ChartView::staleChanged() {
    m_plot->replot();
}

QColor ChartView::inkOf(const char *token) const {
    return m_look.color(m_isStale ? "text.tertiary" : token);
}

void ChartView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.pane"));
}

QString ChartView::nothingToExport() const {
    return QStringLiteral("Cannot export \"%1\": nothing was measured yet. Check first.").arg(m_name);
}

Result<void> ChartView::exportPng(const QString &path) {
    const QString problem = isEmpty() ? nothingToExport() : m_plot->exportPng(path, m_origin);
    return problem.isEmpty() ? Result<void>::ok() : Result<void>::error(problem);
}

Result<void> ChartView::exportSvg(const QString &path) {
    const QString problem = isEmpty() ? nothingToExport() : m_plot->exportSvg(path, m_origin);
    return problem.isEmpty() ? Result<void>::ok() : Result<void>::error(problem);
}

Result<void> ChartView::exportCsv(const QString &path) {
    return isEmpty() ? Result<void>::error(nothingToExport()) : writeCsv(path, *m_model);
}

} // namespace warpwright
