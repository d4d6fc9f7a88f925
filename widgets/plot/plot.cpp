// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot.h"

#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"
#include "widgets/plot/log_ticker.h"

#include <QBuffer>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QToolTip>

#include <cmath>
#include <utility>

namespace warpwright {
namespace {

constexpr double zoomStep = 1.25;

/// Lets a function draw on one of QCustomPlot's layers.
class Layerable : public QCPLayerable {
public:
    Layerable(Plot *plot, const char *layer, Plot::Drawing drawing)
        : QCPLayerable(plot, QString::fromLatin1(layer)), m_plot(plot), m_drawing(std::move(drawing)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(true); }
    void draw(QCPPainter *painter) override {
        painter->save();
        m_drawing(*painter, QRectF(m_plot->axisRect()->rect()));
        painter->restore();
    }

private:
    Plot *m_plot;
    Plot::Drawing m_drawing;
};

class WordTicker : public QCPAxisTicker {
public:
    explicit WordTicker(std::function<QString(double, double)> text) : m_text(std::move(text)) {}

protected:
    double getTickStep(const QCPRange &range) override {
        m_step = QCPAxisTicker::getTickStep(range);
        return m_step;
    }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return m_text(tick, m_step); }

private:
    std::function<QString(double, double)> m_text;
    double m_step = 1;
};

QString cannotWrite(const QString &path, const QString &why) {
    return QStringLiteral("Cannot write \"%1\": %2. Choose another folder.").arg(path, why);
}

QString writeFile(const QString &path, const QByteArray &bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return cannotWrite(path, file.errorString());
    return {};
}

constexpr double mostOut = 1.5; ///< of the whole
constexpr double mostIn = 1e6;  ///< of a timeline of seconds, a step of a microsecond

// Neither so far out that all marks are one spot, nor so far aside that none is left.
QCPRange limited(const QCPRange &range, const QCPRange &home, bool isLogarithmic) {
    if (home.size() <= 0 || (isLogarithmic && (home.lower <= 0 || range.lower <= 0)))
        return range;
    const auto to = [isLogarithmic](double value) {
        return isLogarithmic ? std::log(value) : value;
    };
    const auto from = [isLogarithmic](double value) {
        return isLogarithmic ? std::exp(value) : value;
    };
    const double whole = to(home.upper) - to(home.lower);
    const double width = to(range.upper) - to(range.lower);
    const double centre = (to(range.upper) + to(range.lower)) / 2;
    const double allowed = std::clamp(width, whole / mostIn, whole * mostOut);
    const double inside = std::clamp(centre, to(home.lower), to(home.upper));
    // What lies within is not moved by a rounding.
    if (std::abs(allowed - width) <= whole * 1e-9 && std::abs(inside - centre) <= whole * 1e-9)
        return range;
    return {from(inside - allowed / 2), from(inside + allowed / 2)};
}

} // namespace

Plot::Plot(const Look &look, QWidget *parent) : QCustomPlot(parent), m_look(look) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    // QCustomPlot keeps all; what it ignores is for whatever it lies in, as the wheel.
    setAttribute(Qt::WA_NoMousePropagation, false);
    setNoAntialiasingOnDrag(false);
    setAutoAddPlottableToLegend(false);
    // Hovering redraws its own layer only.
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    new Layerable(this, "overlay",
                  [this](QPainter &painter, const QRectF &area) { drawPointer(painter, area); });
    for (QCPAxis *axis : {xAxis2, yAxis2})
        axis->setVisible(false);
    const auto limit = [this](QCPAxis *axis, const QCPRange &home) {
        connect(axis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this,
                [this, axis, &home](const QCPRange &range) {
                    if (!m_zoomed)
                        return;
                    const bool isFromZero = m_startsAtZero && axis == xAxis && home.upper > 0;
                    const QCPRange near =
                        isFromZero ? QCPRange(range.lower, std::min(range.upper, home.upper * mostOut))
                                   : limited(range, home, axis->scaleType() == QCPAxis::stLogarithmic);
                    if (near != range)
                        axis->setRange(near);
                });
    };
    limit(xAxis, m_homeX);
    limit(yAxis, m_homeY);
    connect(xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, [this](const QCPRange &range) {
        if (m_startsAtZero && range.lower != 0 && range.upper > 0)
            xAxis->setRange(0, range.upper);
    });
    connect(this, &QCustomPlot::afterReplot, this, [this] { m_isOld = false; });
    connect(&look, &Look::changed, this, &Plot::restyle);
    restyle();
}

void Plot::addDrawing(bool isAboveAxes, Drawing drawing) {
    new Layerable(this, isAboveAxes ? "legend" : "main",
                  [this, drawing = std::move(drawing)](QPainter &painter, const QRectF &area) {
                      if (!m_isBlank)
                          drawing(painter, area);
                  });
}

void Plot::setBlank(bool isBlank) {
    m_isBlank = isBlank;
    if (isBlank)
        setCurrentStop(-1);
}

void Plot::restyle() {
    setBackground(QBrush(m_look.color("bg.pane")));
    for (QCPAxis *axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(m_look.color("border.strong"), m_look.px(1)));
        axis->setTickPen(axis->basePen());
        axis->setTickLength(m_look.px(3), 0);
        axis->setSubTicks(false);
        axis->setTickLabelFont(m_look.font(TextRole::Axis));
        axis->setLabelFont(m_look.font(TextRole::Axis));
        axis->setTickLabelColor(m_look.color("text.tertiary"));
        axis->setLabelColor(m_look.color("text.tertiary"));
        axis->setTickLabelPadding(m_look.px(5));
        axis->setLabelPadding(m_look.px(3));
        axis->grid()->setPen(QPen(m_look.color("border.subtle"), m_look.px(1)));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(false);
    }
    emit restyled();
    replotLater();
}

void Plot::setHome(const QCPRange &x, const QCPRange &y, Qt::Orientations zoomed) {
    m_homeX = x;
    m_homeY = y;
    m_zoomed = zoomed;
    axisRect()->setRangeZoom(zoomed);
    axisRect()->setRangeDrag(zoomed);
    axisRect()->setRangeZoomFactor(1 / zoomStep);
    setInteractions(zoomed ? QCP::iRangeZoom | QCP::iRangeDrag : QCP::Interactions());
    m_currentStop = -1;
    resetZoom();
}

bool Plot::isZoomed() const {
    return xAxis->range() != m_homeX || yAxis->range() != m_homeY;
}

void Plot::resetZoom() {
    xAxis->setRange(m_homeX);
    yAxis->setRange(m_homeY);
    replotLater();
}

void Plot::zoom(double factor) {
    // The middle that is seen: of a logarithmic axis that of the exponents.
    const auto scale = [factor](QCPAxis *axis) {
        const QCPRange range = axis->range();
        const bool isLog = axis->scaleType() == QCPAxis::stLogarithmic && range.lower > 0;
        axis->scaleRange(1 / factor, isLog ? std::sqrt(range.lower * range.upper) : range.center());
    };
    if (m_zoomed.testFlag(Qt::Horizontal))
        scale(xAxis);
    if (m_zoomed.testFlag(Qt::Vertical))
        scale(yAxis);
    replotLater();
}

void Plot::setTickText(QCPAxis *axis, std::function<QString(double, double)> text, int count) {
    QSharedPointer<QCPAxisTicker> ticker(new WordTicker(std::move(text)));
    ticker->setTickCount(count);
    axis->setTicker(ticker);
}

void Plot::setTimeAxis(QCPAxis *axis, bool isLog, std::function<QString(double, double)> text, int count) {
    if (!isLog) {
        axis->setScaleType(QCPAxis::stLinear);
        return setTickText(axis, std::move(text), count);
    }
    axis->setScaleType(QCPAxis::stLogarithmic);
    // Each tick with the decimals that it needs itself.
    QSharedPointer<QCPAxisTicker> ticker(
        new LogTicker([text = std::move(text)](double tick) { return text(tick, tick); }));
    ticker->setTickCount(count);
    axis->setTicker(ticker);
}

void Plot::setWholeTicks(QCPAxis *axis) {
    QSharedPointer<QCPAxisTickerFixed> ticker(new QCPAxisTickerFixed);
    ticker->setTickStep(1);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    axis->setTicker(ticker);
}

int Plot::stopAt(const QPointF &position) const {
    if (!m_stops)
        return -1;
    const std::vector<PlotStop> stops = m_stops();
    int best = -1;
    double bestDistance = 0;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        if (!stops[i].area.contains(position))
            continue;
        const double distance = QLineF(stops[i].anchor, position).length();
        if (best < 0 || distance < bestDistance) {
            best = static_cast<int>(i);
            bestDistance = distance;
        }
    }
    return best;
}

void Plot::setStops(std::function<std::vector<PlotStop>()> stops, std::function<QString(int)> toolTip) {
    m_stops = std::move(stops);
    m_toolTip = std::move(toolTip);
}

void Plot::setCurrentStop(int index) {
    const std::vector<PlotStop> stops = m_stops && index >= 0 ? m_stops() : std::vector<PlotStop>();
    if (index >= static_cast<int>(stops.size()))
        index = -1;
    const bool isNew = m_currentStop != index;
    m_currentStop = index;
    if (index < 0) {
        QToolTip::hideText();
    } else {
        const PlotStop &stop = stops[static_cast<std::size_t>(index)];
        const QString text = m_toolTip ? m_toolTip(stop.id) : QString();
        const QPoint offset(m_look.px(8), m_look.px(8));
        QToolTip::showText(mapToGlobal(stop.anchor.toPoint() + offset), toolTipText(text), this);
        if (isNew)
            setAccessibleDescription(text);
    }
    if (isNew)
        layer(QStringLiteral("overlay"))->replot();
}

// By keys: into view first, for the tooltip opens where the stop is then.
void Plot::stepTo(int index) {
    const std::vector<PlotStop> stops = m_stops();
    emit stopReached(stops[static_cast<std::size_t>(index)].area);
    setCurrentStop(index);
}

void Plot::activate(int index) {
    const std::vector<PlotStop> stops = m_stops ? m_stops() : std::vector<PlotStop>();
    if (index >= 0 && index < static_cast<int>(stops.size()))
        emit stopActivated(stops[static_cast<std::size_t>(index)].id);
}

void Plot::drawPointer(QPainter &painter, const QRectF &area) {
    if (m_showsFocus) {
        const double width = m_look.px(2);
        painter.setPen(QPen(m_look.color("accent.focus"), width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(viewport()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
    }
    if (m_currentStop < 0 || !m_stops)
        return;
    const std::vector<PlotStop> stops = m_stops();
    if (m_currentStop >= static_cast<int>(stops.size()))
        return;
    const PlotStop &current = stops[static_cast<std::size_t>(m_currentStop)];
    const QPointF at = current.anchor;
    if (m_outlinesStops) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_look.color("accent.focus"), m_look.px(1)));
        painter.setBrush(Qt::NoBrush);
        const double reach = m_look.px(3);
        painter.drawRoundedRect(current.area.adjusted(-reach, 0, reach, 0), reach, reach);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_look.color("text.tertiary"), m_look.px(1)));
    if (m_crosshair.testFlag(Qt::Vertical) && at.x() >= area.left() && at.x() <= area.right())
        painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    if (m_crosshair.testFlag(Qt::Horizontal) && at.y() >= area.top() && at.y() <= area.bottom())
        painter.drawLine(QPointF(area.left(), at.y()), QPointF(area.right(), at.y()));
}

void Plot::replotLater() {
    m_isOld = true;
    update();
}

void Plot::paintEvent(QPaintEvent *event) {
    // A replot that waits for the event loop is made now: what is painted is never older than what was set.
    if (m_isOld || mReplotQueued)
        replot(rpQueuedRefresh);
    QCustomPlot::paintEvent(event);
}

// QCustomPlot's own draws at once: a chart that is shown is laid out several times before it is painted.
void Plot::resizeEvent(QResizeEvent *event) {
    Q_UNUSED(event)
    setViewport(rect());
    updateLayout();
    replotLater();
}

void Plot::mouseMoveEvent(QMouseEvent *event) {
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton)
        setCurrentStop(stopAt(event->position()));
}

void Plot::mouseReleaseEvent(QMouseEvent *event) {
    const bool isClick = !mMouseHasMoved && event->button() == Qt::LeftButton;
    QCustomPlot::mouseReleaseEvent(event);
    if (!isClick)
        return;
    if (const int stop = stopAt(event->position()); stop >= 0) {
        setCurrentStop(stop);
        activate(stop);
    }
}

void Plot::mouseDoubleClickEvent(QMouseEvent *event) {
    QCustomPlot::mouseDoubleClickEvent(event);
    resetZoom();
}

void Plot::leaveEvent(QEvent *event) {
    QCustomPlot::leaveEvent(event);
    setCurrentStop(-1);
}

void Plot::keyPressEvent(QKeyEvent *event) {
    const int count = m_stops ? static_cast<int>(m_stops().size()) : 0;
    const bool isUpOrDown = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    const int step = isUpOrDown && m_currentStop >= 0 ? m_stopsPerRow : 1;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        if (count > 0 && (step == 1 || m_currentStop + step < count))
            stepTo(std::min(m_currentStop + step, count - 1));
        return;
    case Qt::Key_Left:
    case Qt::Key_Up:
        if (count > 0 && (step == 1 || m_currentStop >= step))
            stepTo(m_currentStop < 0 ? count - 1 : std::max(m_currentStop - step, 0));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        activate(m_currentStop);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(zoomStep);
        return;
    case Qt::Key_Minus:
        zoom(1 / zoomStep);
        return;
    case Qt::Key_0:
    case Qt::Key_Home:
        resetZoom();
        return;
    case Qt::Key_Escape:
        if (m_currentStop >= 0) {
            setCurrentStop(-1);
            return;
        }
        break;
    default:
        break;
    }
    QCustomPlot::keyPressEvent(event);
}

// Where nothing zooms, the wheel scrolls what the plot lies in.
void Plot::wheelEvent(QWheelEvent *event) {
    if (m_zoomed)
        QCustomPlot::wheelEvent(event);
    else
        event->ignore();
}

void Plot::focusInEvent(QFocusEvent *event) {
    QCustomPlot::focusInEvent(event);
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                   event->reason() == Qt::ShortcutFocusReason;
    layer(QStringLiteral("overlay"))->replot();
}

void Plot::focusOutEvent(QFocusEvent *event) {
    QCustomPlot::focusOutEvent(event);
    m_showsFocus = false;
    setCurrentStop(-1);
    layer(QStringLiteral("overlay"))->replot();
}

void Plot::paintFor(QPaintDevice *device, const QSize &size, const QString &caption) {
    const int stop = std::exchange(m_currentStop, -1);
    const bool showsFocus = std::exchange(m_showsFocus, false);
    QCPPainter painter(device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.fillRect(QRect(QPoint(0, 0), size), m_look.color("bg.pane"));
    toPainter(&painter, width(), height());
    painter.setFont(m_look.font(TextRole::Axis));
    painter.setPen(m_look.color("text.tertiary"));
    painter.drawText(QRect(m_look.px(12), height(), size.width() - m_look.px(24), size.height() - height()),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, caption);
    painter.end();
    m_currentStop = stop;
    m_showsFocus = showsFocus;
    replot();
}

/// The plot's own size, and a band below it for the caption.
static QSize sizeWithCaption(const Plot &plot, const QString &caption) {
    if (caption.isEmpty())
        return plot.size();
    const int margin = plot.look().px(12);
    const QRect text =
        QFontMetrics(plot.look().font(TextRole::Axis))
            .boundingRect(QRect(0, 0, plot.width() - 2 * margin, 1000), Qt::TextWordWrap, caption);
    return QSize(plot.width(), plot.height() + text.height() + margin);
}

QString Plot::exportPng(const QString &path, const QString &caption) {
    const QSize size = sizeWithCaption(*this, caption);
    QImage image(2 * size, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    paintFor(&image, size, caption);
    QBuffer buffer;
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return cannotWrite(path, QStringLiteral("the picture could not be encoded"));
    return writeFile(path, buffer.data());
}

QString Plot::exportSvg(const QString &path, const QString &caption) {
    const QSize size = sizeWithCaption(*this, caption);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(logicalDpiX());
    generator.setTitle(accessibleName());
    generator.setDescription(caption);
    paintFor(&generator, size, caption);
    QByteArray text = buffer.data();
    // Our family is known to us alone: name what it was made from, and what every viewer has.
    text.replace("font-family=\"Warpwright Sans\"",
                 "font-family=\"Warpwright Sans, Inter, Helvetica, Arial, sans-serif\"");
    return writeFile(path, text);
}

} // namespace warpwright
