// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/occupancy/occupancy_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSlider>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::array curves{OccupancyModel::Registers, OccupancyModel::Threads, OccupancyModel::SharedMemory};
// A slider's step in the unit of its curve.
constexpr std::array steps{1, 32, 1024};
constexpr std::array architectures{"sm_75",  "sm_80",  "sm_86",  "sm_87",  "sm_89",  "sm_90",
                                   "sm_100", "sm_101", "sm_103", "sm_110", "sm_120", "sm_121"};
constexpr int stopsPerCurve = 1000; // a stop's id: the curve times this, plus the sample

QString plain(QString architecture) {
    while (!architecture.isEmpty() && architecture.back().isLetter())
        architecture.chop(1);
    return architecture;
}

} // namespace

OccupancyView::OccupancyView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Occupancy"), parent),
      m_kernel(new QComboBox(content())),
      m_architecture(new QComboBox(content())),
      m_reset(new ActionButton(look, ActionButton::Kind::Plain, content())),
      m_verdict(new QLabel(content())),
      m_basis(new QLabel(content())),
      m_scroll(new QScrollArea(content())) {
    m_kernel->setObjectName(QStringLiteral("occupancyKernel"));
    m_kernel->setAccessibleName(tr("Kernel"));
    m_kernel->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernel->setMinimumContentsLength(8);
    m_architecture->setObjectName(QStringLiteral("occupancyArchitecture"));
    m_architecture->setAccessibleName(tr("Architecture"));
    m_architecture->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_architecture->setMinimumContentsLength(6);
    connect(m_architecture, &QComboBox::currentTextChanged, m_architecture, &QWidget::setToolTip);
    for (const char *name : architectures)
        m_architecture->addItem(QLatin1String(name));
    m_reset->setObjectName(QStringLiteral("occupancyReset"));
    m_reset->setSmall(true);
    m_reset->setText(tr("Reset"));
    m_reset->setIconName(QStringLiteral("undo"));
    connect(m_reset, &QAbstractButton::clicked, this, [this] { ask(true); });
    m_verdict->setObjectName(QStringLiteral("occupancyVerdict"));
    for (QLabel *label : {m_verdict, m_basis}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setWidgetResizable(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(look.px(8));
    head->addWidget(m_kernel, 1);
    head->addWidget(m_architecture);
    head->addWidget(m_reset);
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(look.px(12), look.px(6), look.px(12), look.px(6));
    column->setSpacing(look.px(4));
    column->addLayout(head);
    column->addWidget(m_scroll, 1);
    // In a low pane with large text the words alone may fill it: all but the choices scrolls.
    m_below = new QWidget;
    m_below->setAutoFillBackground(false);
    auto *below = new QVBoxLayout(m_below);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(look.px(4));
    below->addWidget(m_verdict);
    below->addWidget(m_basis);
    makeSliders(*below);
    below->addWidget(&plot());
    below->addStretch(1);
    m_scroll->setWidget(m_below);
    m_below->setAutoFillBackground(false); // a scroll area fills the ground of what it is given

    setModel(m_occupancy);
    Plot &chart = plot();
    makeCanvas();
    chart.setCrosshair(Qt::Vertical);
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &) { draw(painter); });
    chart.setStops(
        [this] {
            std::vector<PlotStop> stops;
            for (const OccupancyModel::Curve curve : curves) {
                const auto &samples = m_occupancy.samples(curve);
                const QRectF area = areaOf(curve);
                const double pitch = area.width() / std::max<double>(1, static_cast<double>(samples.size()));
                for (std::size_t i = 0; i < samples.size(); ++i) {
                    const QPointF at(xOf(curve, samples[i].x), yOf(curve, samples[i].occupancy.warps));
                    stops.push_back({QRectF(at.x() - pitch / 2, area.top(), pitch, area.height()), at,
                                     curve * stopsPerCurve + static_cast<int>(i)});
                }
            }
            return stops;
        },
        [this](int id) {
            const auto curve = static_cast<OccupancyModel::Curve>(id / stopsPerCurve);
            const OccupancyModel::Sample &sample =
                m_occupancy.samples(curve)[static_cast<std::size_t>(id % stopsPerCurve)];
            return QStringLiteral("%1: %2\n%3")
                .arg(OccupancyModel::curveName(curve), OccupancyModel::valueText(curve, sample.x),
                     OccupancyModel::sentence(sample.occupancy));
        });
    // A click on a curve asks about that number.
    connect(&chart, &Plot::stopActivated, this, [this](int id) {
        const auto curve = static_cast<OccupancyModel::Curve>(id / stopsPerCurve);
        m_sliders[curve].slider->setValue(
            m_occupancy.samples(curve)[static_cast<std::size_t>(id % stopsPerCurve)].x / steps[curve]);
    });
    connect(&chart, &Plot::restyled, this, &OccupancyView::restyle);
    connect(m_kernel, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling) {
            m_architecture->setCurrentText(plain(kernel()->architecture));
            ask(true);
        }
    });
    connect(m_kernel, &QComboBox::currentTextChanged, m_kernel, &QWidget::setToolTip);
    connect(m_kernel, &QComboBox::activated, this, [this] { m_isChosen = true; });
    connect(m_architecture, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            ask(false);
    });
    restyle();
    show({});
}

void OccupancyView::makeSliders(QVBoxLayout &below) {
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(m_look.px(8));
    grid->setVerticalSpacing(m_look.px(2));
    for (const OccupancyModel::Curve curve : curves) {
        Slider &one = m_sliders[curve];
        one.name = new QLabel(OccupancyModel::curveName(curve), content());
        one.slider = new QSlider(Qt::Horizontal, content());
        one.slider->setObjectName(QStringLiteral("occupancySlider%1").arg(static_cast<int>(curve)));
        one.slider->setAccessibleName(one.name->text());
        one.value = new QLabel(content());
        one.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(one.name, curve, 0);
        grid->addWidget(one.slider, curve, 1);
        grid->addWidget(one.value, curve, 2);
        connect(one.slider, &QSlider::valueChanged, this, [this] {
            if (m_isFilling)
                return;
            m_isChosen = true; // what is asked of it is not lost to another
            follow();
        });
    }
    grid->setColumnStretch(1, 1);
    below.addLayout(grid);
}

const OccupancyKernel *OccupancyView::kernel() const {
    const int row = m_kernel->currentIndex();
    return row < 0 || static_cast<std::size_t>(row) >= m_kernels.size()
               ? nullptr
               : &m_kernels[static_cast<std::size_t>(row)];
}

void OccupancyView::show(const std::vector<OccupancyKernel> &kernels) {
    if (!kernels.empty() && kernels == m_kernels && !isEmpty())
        return; // what was asked stays asked
    const QString before = kernel() == nullptr ? QString() : kernel()->name;
    m_kernels = kernels;
    m_isFilling = true;
    m_kernel->clear();
    for (const OccupancyKernel &one : m_kernels) {
        m_kernel->addItem(one.name);
        if (m_isChosen && one.name == before)
            m_kernel->setCurrentIndex(m_kernel->count() - 1);
    }
    m_isFilling = false;
    if (m_kernels.empty()) {
        m_isChosen = false;
        m_occupancy.setQuestion({});
        showEmpty(QStringLiteral("occupancy"), tr("How many warps each kernel lets run at once appears here"),
                  tr("from the compile report of .cu files, without a GPU"));
        return;
    }
    m_isFilling = true;
    const int own = m_architecture->findText(plain(kernel()->architecture));
    m_architecture->setCurrentIndex(own >= 0 ? own : m_architecture->findText(QStringLiteral("sm_90")));
    m_isFilling = false;
    ask(true);
}

// `isAnotherLaunch`: the sliders go back to what it asks for.
void OccupancyView::ask(bool isAnotherLaunch) {
    const OccupancyKernel *one = kernel();
    const std::optional<MultiprocessorLimits> limits = multiprocessorLimits(m_architecture->currentText());
    if (one == nullptr || !limits)
        return;
    m_isFilling = true;
    const std::array<int, OccupancyModel::CurveCount> most{limits->registersPerThread, 1024,
                                                           limits->sharedBytesPerBlock};
    for (const OccupancyModel::Curve curve : curves) {
        QSlider *slider = m_sliders[curve].slider;
        slider->setRange(curve == OccupancyModel::SharedMemory ? 0 : 1, most[curve] / steps[curve]);
        slider->setPageStep(std::max(1, slider->maximum() / 16));
        if (isAnotherLaunch)
            slider->setValue((OccupancyModel::valueOf(one->needs, curve) + steps[curve] - 1) / steps[curve]);
    }
    m_isFilling = false;
    follow();
}

void OccupancyView::follow() {
    const OccupancyKernel *one = kernel();
    const std::optional<MultiprocessorLimits> limits = multiprocessorLimits(m_architecture->currentText());
    if (one == nullptr || !limits)
        return;
    OccupancyQuestion question{one->name, *limits, one->needs, one->needs};
    for (const OccupancyModel::Curve curve : curves) {
        // A slider that stands where the launch is asks for exactly that, and not for its own step.
        const int own = OccupancyModel::valueOf(one->needs, curve);
        const int value = m_sliders[curve].slider->value();
        const int wanted = value == (own + steps[curve] - 1) / steps[curve] ? own : value * steps[curve];
        OccupancyModel::setValue(question.wanted, curve, wanted);
        m_sliders[curve].value->setText(OccupancyModel::valueText(curve, wanted));
    }
    m_occupancy.setQuestion(question);
    m_verdict->setText(m_occupancy.verdict());
    const bool isOther = question.now != question.wanted;
    m_reset->setEnabled(isOther);
    m_reset->setToolTip(isOther ? tr("Back to what the launch asks for")
                                : tr("All three are what the launch asks for"));
    QStringList basis{one->basis};
    if (m_architecture->currentText() != plain(one->architecture))
        basis << tr("registers as compiled for %1: for %2 they may be others")
                     .arg(one->architecture, m_architecture->currentText());
    basis << tr("theoretical: what the launch allows, not what was measured");
    basis.removeAll(QString());
    m_basis->setText(basis.join(QStringLiteral(" · ")));
    const QString words =
        QStringLiteral("%1 on %2: %3").arg(one->name, m_architecture->currentText(), m_verdict->text());
    showContent(words, words + QStringLiteral(". ") + m_basis->text());
    layOut();
}

void OccupancyView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void OccupancyView::staleChanged() {
    restyle();
    ChartView::staleChanged();
}

void OccupancyView::restyle() {
    for (QWidget *widget : std::initializer_list<QWidget *>{m_kernel, m_architecture})
        widget->setFont(m_look.font(TextRole::Small));
    const auto ink = [this](QLabel *label, const char *token, const QFont &font) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, m_look.color(token));
        label->setPalette(palette);
        label->setFont(font);
    };
    ink(m_verdict, isStale() ? "text.tertiary" : "text.primary",
        m_look.font(TextRole::Body, QFont::DemiBold));
    ink(m_basis, "text.tertiary", m_look.font(TextRole::Axis));
    for (const Slider &one : m_sliders) {
        if (one.name == nullptr)
            continue;
        ink(one.name, "text.secondary", m_look.font(TextRole::Small));
        ink(one.value, "text.primary", m_look.font(TextRole::Small, QFont::DemiBold));
        one.value->setMinimumWidth(
            QFontMetrics(one.value->font()).horizontalAdvance(QStringLiteral("888.8 KiB")));
    }
    layOut();
}

// Beside each other where there is room, else below; the plot is as tall as that takes.
void OccupancyView::layOut() {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int width = std::max(m_look.px(160), this->width() - m_look.px(24) - bar);
    // A low pane shows less of the chart, and no half lines of words.
    for (QLabel *label : {m_verdict, m_basis}) {
        const QRect words = label->fontMetrics().boundingRect(
            QRect(0, 0, std::max(1, width - m_look.px(2)), 10000), Qt::TextWordWrap, label->text());
        label->setFixedHeight(std::max(words.height(), label->fontMetrics().height()));
    }
    const bool isNarrowHead = this->width() < m_look.px(360);
    for (const OccupancyModel::Curve curve : curves)
        if (QLabel *name = m_sliders[curve].name; name != nullptr)
            name->setText(isNarrowHead ? OccupancyModel::curveName(curve).section(QStringLiteral(" "), 0, 0)
                                       : OccupancyModel::curveName(curve));
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    const double left = axis.horizontalAdvance(QStringLiteral("100 %")) + m_look.px(8);
    const double head = axis.height() + m_look.px(8);
    const double foot = axis.height() + m_look.px(8);
    const int columns = width >= m_look.px(480) ? 3 : 1;
    const double cell = static_cast<double>(width) / columns;
    int above = 3 * m_look.px(4);
    for (const QLabel *label : {m_verdict, m_basis})
        above += label->minimumHeight();
    for (const Slider &one : m_sliders)
        if (one.slider != nullptr)
            above += std::max(one.slider->sizeHint().height(), one.name->sizeHint().height()) + m_look.px(2);
    const double height = columns == 3
                              ? std::clamp<double>(m_scroll->height() - above, m_look.px(150), m_look.px(360))
                              : m_look.px(150);
    for (const OccupancyModel::Curve curve : curves) {
        const double x = columns == 3 ? cell * static_cast<int>(curve) : 0;
        const double y = columns == 3 ? 0 : height * static_cast<int>(curve);
        m_areas[curve] = QRectF(x + left, y + head, cell - left - m_look.px(14), height - head - foot);
    }
    plot().setFixedSize(
        width,
        static_cast<int>(columns == 3 ? height : height * static_cast<int>(OccupancyModel::CurveCount)));
    plot().replotLater();
}

QRectF OccupancyView::areaOf(OccupancyModel::Curve curve) const {
    return m_areas[curve];
}

double OccupancyView::xOf(OccupancyModel::Curve curve, int value) const {
    const auto &samples = m_occupancy.samples(curve);
    const double most = samples.empty() ? 1 : samples.back().x;
    return m_areas[curve].left() + m_areas[curve].width() * std::clamp(value / most, 0.0, 1.0);
}

double OccupancyView::yOf(OccupancyModel::Curve curve, int warps) const {
    const double most = std::max(1, m_occupancy.question().limits.warps);
    return m_areas[curve].bottom() - m_areas[curve].height() * warps / most;
}

void OccupancyView::draw(QPainter &painter) {
    for (const OccupancyModel::Curve curve : curves)
        drawCurve(painter, curve, areaOf(curve));
}

void OccupancyView::drawCurve(QPainter &painter, OccupancyModel::Curve curve, const QRectF &area) {
    const auto &samples = m_occupancy.samples(curve);
    if (samples.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(m_look.font(TextRole::Axis));
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const double y = area.bottom() - area.height() * share;
        painter.setPen(QPen(m_look.color(share == 0 ? "border.strong" : "border.subtle"), m_look.px(1)));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (area.height() >= m_look.px(80) || share == 0 || share == 1)
            drawWord(painter, m_look, QPointF(area.left() - m_look.px(5), y),
                     Qt::AlignRight | Qt::AlignVCenter, percentText(share, 0), m_look.color("text.tertiary"),
                     false);
    }
    painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
    painter.drawLine(area.topLeft(), area.bottomLeft());
    const int last = samples.back().x;
    // So many that their words have room.
    const bool isNarrow = area.width() < m_look.px(190);
    const int kibibytes = (last > 128 * 1024 ? 64 : 32) * (isNarrow ? 2 : 1);
    const int step = curve == OccupancyModel::Registers ? 64
                     : curve == OccupancyModel::Threads ? (isNarrow ? 512 : 256)
                                                        : kibibytes * 1024;
    for (int x = 0; x <= last; x += step) {
        const double at = xOf(curve, x);
        painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
        painter.drawLine(QPointF(at, area.bottom()), QPointF(at, area.bottom() - m_look.px(3)));
        const QString word =
            curve == OccupancyModel::SharedMemory ? QStringLiteral("%1 KiB").arg(x / 1024) : numberText(x);
        drawWord(painter, m_look, QPointF(at, area.bottom() + m_look.px(4)),
                 Qt::AlignTop | (x == 0 ? Qt::AlignLeft : Qt::AlignHCenter), word,
                 m_look.color("text.tertiary"), false);
    }
    drawWord(painter, m_look, QPointF(area.left(), area.top() - m_look.px(5)), Qt::AlignBottom,
             OccupancyModel::curveName(curve), m_look.color("text.secondary"), false);

    // Steps: a number holds until the next one.
    QPolygonF line;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double y = yOf(curve, samples[i].occupancy.warps);
        if (i > 0 && samples[i].occupancy.warps != samples[i - 1].occupancy.warps)
            line << QPointF(xOf(curve, samples[i].x), yOf(curve, samples[i - 1].occupancy.warps));
        line << QPointF(xOf(curve, samples[i].x), y);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        QPen(m_look.color(isStale() ? "text.tertiary" : "series.candidate"), 1.5 * m_look.px(4) / 4.0));
    painter.drawPolyline(line);
    const OccupancyQuestion &question = m_occupancy.question();
    if (question.now != question.wanted)
        drawAt(painter, curve, area, false);
    drawAt(painter, curve, area, true);
    drawNumbers(painter, curve, area);
}

// The launch as it is: a filled point; as it is asked about: a ring. A line leads down to the number.
void OccupancyView::drawAt(QPainter &painter, OccupancyModel::Curve curve, const QRectF &area, bool isNow) {
    const OccupancyQuestion &question = m_occupancy.question();
    const BlockNeeds &needs = isNow ? question.now : question.wanted;
    const Occupancy occupancy = isNow ? m_occupancy.now() : m_occupancy.wanted();
    const QPointF at(xOf(curve, OccupancyModel::valueOf(needs, curve)), yOf(curve, occupancy.warps));
    QPen pen(inkOf(isNow ? "text.primary" : "accent.focus"), m_look.px(1), Qt::CustomDashLine);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.drawLine(at, QPointF(at.x(), area.bottom()));
    if (isNow) {
        drawMark(painter, PlotMark::Circle, at, m_look.px(9), inkOf("series.candidate"),
                 m_look.color("bg.pane"), m_look.px(1));
    } else {
        painter.setPen(QPen(m_look.color("accent.focus"), m_look.px(2)));
        painter.setBrush(m_look.color("bg.pane"));
        painter.drawEllipse(at, m_look.px(6), m_look.px(6));
        painter.setBrush(Qt::NoBrush);
    }
}

// Beside their points, within the area; where both would meet the asked one moves down or up.
void OccupancyView::drawNumbers(QPainter &painter, OccupancyModel::Curve curve, const QRectF &area) {
    const OccupancyQuestion &question = m_occupancy.question();
    painter.setFont(m_look.font(TextRole::Axis, QFont::DemiBold));
    const double line = painter.fontMetrics().height();
    const auto placeOf = [&](bool isNow, const QString &word) {
        const BlockNeeds &needs = isNow ? question.now : question.wanted;
        const Occupancy occupancy = isNow ? m_occupancy.now() : m_occupancy.wanted();
        const QPointF at(xOf(curve, OccupancyModel::valueOf(needs, curve)), yOf(curve, occupancy.warps));
        const double width = painter.fontMetrics().horizontalAdvance(word);
        const bool isRight = at.x() + m_look.px(9) + width > area.right();
        const double left = isRight ? at.x() - m_look.px(9) - width : at.x() + m_look.px(9);
        const double top =
            std::clamp(at.y() + m_look.px(4), area.top() + m_look.px(4),
                       std::max(area.top() + m_look.px(4), area.bottom() - line - m_look.px(4)));
        return QRectF(std::max(left, area.left() + m_look.px(2)), top, width, line);
    };
    const auto write = [&](const QRectF &place, const QString &word) {
        drawWord(painter, m_look, QPointF(place.left(), place.center().y()), Qt::AlignVCenter, word,
                 inkOf("text.primary"), true);
    };
    const int now = OccupancyModel::valueOf(question.now, curve);
    const int wanted = OccupancyModel::valueOf(question.wanted, curve);
    if (question.now == question.wanted || now == wanted) {
        const QString word = OccupancyModel::valueText(curve, now);
        return write(placeOf(true, word), word);
    }
    const QString before = OccupancyModel::valueText(curve, now);
    const QString asked = OccupancyModel::valueText(curve, wanted) + QStringLiteral(" asked");
    const QRectF first = placeOf(true, before);
    QRectF second = placeOf(false, asked);
    if (second.adjusted(-m_look.px(3), 0, m_look.px(3), 0).intersects(first)) {
        const bool hasRoomBelow = first.bottom() + line <= area.bottom();
        second.moveTop(hasRoomBelow ? first.bottom() : first.top() - line);
    }
    write(first, before);
    write(second, asked);
}

} // namespace warpwright
