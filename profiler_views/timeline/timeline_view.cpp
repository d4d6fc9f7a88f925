// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/timeline/timeline_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/base/figures.h"
#include "toolchain/timeline/timeline_summary.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int headHeight = 26;
constexpr int hostLaneHeight = 20;
constexpr int workLaneHeight = 32; ///< with the names above the bars
constexpr int labelsWidth = 92;
constexpr std::size_t mostLanes = 64; ///< drawn; a picture of more is too tall for some devices

} // namespace

TimelineView::TimelineView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Timeline"), parent),
      m_scroll(new QScrollArea(content())),
      m_column(new QWidget),
      m_words(new QLabel(m_column)),
      m_more(new ActionButton(look, ActionButton::Kind::Flat, m_column)) {
    m_more->setObjectName(QStringLiteral("timelineMore"));
    m_more->setSmall(true);
    connect(m_more, &QAbstractButton::clicked, this, [this] {
        m_saysAll = !m_saysAll;
        sayWords();
        layOut();
    });
    m_words->setObjectName(QStringLiteral("timelineWords"));
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_column);
    m_column->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    plot().setParent(m_column);

    setModel(m_model);
    Plot &chart = plot();
    makeBars();
    chart.setStartsAtZero(false); // zooms into any part of the call
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawGround(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawSpans(painter, area);
        for (const Part &part : m_parts)
            drawPath(painter, area, part);
        drawWords(painter, area);
    });
    chart.setStops([this] { return stops(); }, [this](int id) { return toolTipOf(id); });
    connect(&chart, &Plot::restyled, this, &TimelineView::layOut);
    connect(&chart, &Plot::stopActivated, this, &TimelineView::activate);
    show(std::nullopt);
}

void TimelineView::setTraceAction(QAction *action) {
    m_action = action;
    if (isEmpty() && m_model.timeline().arms.empty())
        show(std::nullopt);
}

void TimelineView::show(const std::optional<Timeline> &timeline, std::optional<double> checkedMicroseconds) {
    m_model.setTimeline(timeline.value_or(Timeline()), checkedMicroseconds);
    makeParts();
    const double end = m_model.endUs();
    if (!timeline || end <= 0) {
        QStringList problems = m_model.timeline().problems;
        for (const TimelineArm &arm : m_model.timeline().arms)
            if (!arm.problem.isEmpty())
                problems << QStringLiteral("%1: %2").arg(arm.name, arm.problem);
        if (timeline)
            showEmpty(QStringLiteral("timeline"), QStringLiteral("No call was traced"),
                      problems.isEmpty() ? QStringLiteral("nothing was seen to run")
                                         : problems.join(QLatin1Char('\n')),
                      m_action);
        else
            showEmpty(QStringLiteral("timeline"), QStringLiteral("One call, step by step, appears here"),
                      QStringLiteral(
                          "once a call of the candidate and of torch was traced; counters are not needed"),
                      m_action);
        return;
    }
    const TimeScale times = timeScaleOf(end);
    plot().setTickText(
        plot().xAxis,
        [times](double tick, double step) {
            return tickText(tick / times.unitMicroseconds, step / times.unitMicroseconds);
        },
        5);
    plot().xAxis->setLabel(QStringLiteral("time from the start of the call, %1").arg(times.unit));
    sayWords();
    showContent(m_model.summary(), methodOf(m_model.timeline()));
    layOut();
    plot().setHome(QCPRange(0, end * 1.02), QCPRange(0, 1), Qt::Horizontal);
}

void TimelineView::sayWords() {
    m_words->setText(m_saysAll ? m_model.summary() : m_model.shortWords());
    m_words->setAccessibleName(m_model.summary());
    m_more->setText(m_saysAll ? QStringLiteral("Fewer words") : QStringLiteral("All in words"));
}

QString TimelineView::headline() const {
    for (std::size_t arm = 0; arm < m_model.timeline().arms.size(); ++arm)
        if (m_model.timeline().arms[arm].name == QLatin1String("candidate"))
            return m_model.titleOf(arm);
    return {};
}

void TimelineView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void TimelineView::staleChanged() {
    ChartView::staleChanged();
    layOut();
}

// ---- where everything is

void TimelineView::makeParts() {
    m_parts.clear();
    for (std::size_t arm = 0; arm < m_model.timeline().arms.size(); ++arm) {
        Part part;
        part.arm = arm;
        const auto &lanes = m_model.lanes();
        const auto isOfArm = [arm](const TimelineLane &lane) {
            return lane.arm == arm;
        };
        part.firstLane =
            static_cast<std::size_t>(std::find_if(lanes.begin(), lanes.end(), isOfArm) - lanes.begin());
        part.lanes = static_cast<std::size_t>(std::count_if(lanes.begin(), lanes.end(), isOfArm));
        const std::size_t room = mostLanes > part.firstLane ? mostLanes - part.firstLane : 0;
        part.lanes = std::min(part.lanes, room);
        m_parts.push_back(part);
    }
    placeLanes(); // a page that is in sight is drawn before it is laid out
}

void TimelineView::placeLanes() {
    m_laneTops.assign(m_model.lanes().size(), 0);
    double top = 0;
    for (Part &part : m_parts) {
        part.top = top;
        top += m_look.px(headHeight);
        part.lanesTop = top;
        for (std::size_t lane = part.firstLane; lane < part.firstLane + part.lanes; ++lane) {
            m_laneTops[lane] = top;
            top += laneHeight(lane);
        }
        part.end = top;
        top += m_look.px(gapBelowArm);
    }
    m_height = top;
}

double TimelineView::laneHeight(std::size_t lane) const {
    return m_look.px(m_model.lanes()[lane].hasNames() ? workLaneHeight : hostLaneHeight);
}

double TimelineView::laneTop(std::size_t lane) const {
    return plot().axisRect()->top() + m_laneTops[lane];
}

double TimelineView::barTop(std::size_t lane) const {
    return laneTop(lane) + laneHeight(lane) - m_look.px(barHeight) - m_look.px(6);
}

double TimelineView::toX(double microseconds) const {
    return plot().xAxis->coordToPixel(microseconds);
}

void TimelineView::layOut() {
    if (isEmpty())
        return;
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    const int margin = m_look.px(12);
    const int foot = m_look.px(5) + axis.height() + m_look.px(3) + axis.height() + m_look.px(6);
    placeLanes();
    m_words->setFont(m_look.font(TextRole::Small));
    QPalette palette = m_words->palette();
    palette.setColor(QPalette::WindowText, inkOf("text.secondary"));
    m_words->setPalette(palette);

    int width = this->width();
    const QSize more = m_more->sizeHint();
    const int below = more.height() + m_look.px(6);
    int words = m_words->heightForWidth(width - 2 * margin) + margin + below;
    const int chart = static_cast<int>(m_height) + m_look.px(6) + foot;
    const bool scrolls = chart + words > height();
    m_scroll->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls) { // the scroll bar takes its width from the chart, not over it
        width -= style()->pixelMetric(QStyle::PM_ScrollBarExtent);
        words = m_words->heightForWidth(width - 2 * margin) + margin + below;
    }
    m_scroll->setGeometry(0, 0, this->width(), height());
    m_column->resize(width, chart + words);
    // A page that is laid out before it is seen has its scroll bar when it is.
    QEvent request(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(m_scroll, &request);
    plot().setGeometry(0, 0, width, chart);
    m_words->setGeometry(margin, chart, width - 2 * margin, words - margin - below);
    m_more->setGeometry(m_look.px(4), m_words->geometry().bottom() + m_look.px(4), more.width(),
                        more.height());
    const int left = std::min(m_look.px(labelsWidth), width / 3);
    plot().axisRect()->setMargins(QMargins(left, m_look.px(6), margin, foot));
    plot().axisRect()->update(QCPLayoutElement::upLayout);
    plot().xAxis->ticker()->setTickCount(std::clamp((width - left) / m_look.px(80), 2, 8));
    plot().replotLater();
}

void TimelineView::findSpans(const QRectF &area) {
    m_drawn.clear();
    m_together = 0;
    if (isEmpty() || m_laneTops.size() != m_model.lanes().size())
        return;
    const QCPRange range = plot().xAxis->range();
    const double usPerPixel = range.size() / std::max(1.0, area.width());
    for (const Part &part : m_parts) {
        for (std::size_t place = part.firstLane; place < part.firstLane + part.lanes; ++place) {
            const TimelineLane &lane = m_model.lanes()[place];
            for (const TimelineSpan &span :
                 spansOf(m_model.timeline().arms[part.arm], lane, range.lower, range.upper, usPerPixel)) {
                const double left = std::clamp(toX(span.startUs), area.left(), area.right());
                const double right = std::clamp(toX(span.endUs), left, area.right());
                m_drawn.push_back(
                    {place, span,
                     QRectF(left, barTop(place), std::max(1.0, right - left), m_look.px(barHeight))});
                m_together += span.count > 1 ? span.count : 0;
            }
        }
    }
}

// ---- what can be pointed at

std::vector<PlotStop> TimelineView::stops() const {
    std::vector<PlotStop> stops;
    stops.reserve(m_drawn.size());
    const double least = m_look.px(3);
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        const QRectF &area = m_drawn[i].area;
        const double wider = std::max(0.0, least - area.width()) / 2;
        stops.push_back({area.adjusted(-wider, -m_look.px(3), wider, m_look.px(3)),
                         QPointF(area.center().x(), area.bottom()), static_cast<int>(i)});
    }
    for (std::size_t i = 0; i < m_gaps.size(); ++i)
        stops.push_back({m_gaps[i].area, QPointF(m_gaps[i].area.center().x(), m_gaps[i].area.bottom()),
                         static_cast<int>(m_drawn.size() + i)});
    return stops;
}

QString TimelineView::toolTipOf(int id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= m_drawn.size() + m_gaps.size())
        return {};
    if (static_cast<std::size_t>(id) >= m_drawn.size()) {
        const DrawnGap &gap = m_gaps[static_cast<std::size_t>(id) - m_drawn.size()];
        return m_model.gapText(gap.arm, gap.gap);
    }
    const Drawn &drawn = m_drawn[static_cast<std::size_t>(id)];
    return m_model.toolTipOf(m_model.lanes()[drawn.lane], drawn.span);
}

void TimelineView::activate(int id) {
    if (id < 0 || static_cast<std::size_t>(id) >= m_drawn.size())
        return;
    const Drawn &drawn = m_drawn[static_cast<std::size_t>(id)];
    const TimelineArm &arm = m_model.timeline().arms[m_model.lanes()[drawn.lane].arm];
    const TimelineEvent &event = arm.events[drawn.span.event];
    if (drawn.span.count == 1 && event.kind == TimelineEvent::Kind::Kernel)
        emit kernelActivated(event.name, arm.name);
    else if (drawn.span.count == 1 && event.kind == TimelineEvent::Kind::Region)
        emit kernelActivated(event.name.section(QStringLiteral(", region "), 0, 0), arm.name);
}

} // namespace warpwright
