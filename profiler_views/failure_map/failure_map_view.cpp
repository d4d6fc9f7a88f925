// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/failure_map/failure_map_view.h"

#include "toolchain/base/figures.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace warpwright {

FailureMapView::FailureMapView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Failure map"), parent),
      m_result(new QComboBox(content())),
      m_axes(new QComboBox(content())),
      m_name(new QLabel(content())),
      m_sentence(new QLabel(content())) {
    m_result->setObjectName(QStringLiteral("failureResult"));
    m_result->setAccessibleName(tr("Result"));
    m_axes->setObjectName(QStringLiteral("failureAxes"));
    m_axes->setAccessibleName(tr("Dimensions"));
    for (QComboBox *choice : {m_result, m_axes}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(12);
        choice->installEventFilter(this);
    }
    m_name->setObjectName(QStringLiteral("failurePattern"));
    m_sentence->setObjectName(QStringLiteral("failureSentence"));
    for (QLabel *label : {m_name, m_sentence}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *head = new QHBoxLayout;
    head->setSpacing(look.px(8));
    head->addWidget(m_result, 1);
    head->addWidget(m_axes, 1);
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(look.px(12), look.px(6), look.px(12), look.px(8));
    column->setSpacing(look.px(4));
    column->addLayout(head);
    column->addWidget(m_name);
    column->addWidget(m_sentence);
    column->addWidget(&plot(), 1);

    setModel(m_failure);
    Plot &chart = plot();
    makeCanvas();
    chart.setOutlinesStops();
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &) { draw(painter); });
    chart.setStops([this] { return stops(); }, [this](int tile) { return m_failure.toolTipOf(tile); });
    connect(&chart, &Plot::stopActivated, this, [this](int tile) {
        m_selected = tile;
        plot().replotLater();
        const FailureCell &cell = m_failure.picture().cells[static_cast<std::size_t>(tile)];
        if (cell.place >= 0)
            emit elementActivated(m_failure.failure().name,
                                  indexText(m_failure.failure().indexOf(cell.place)));
    });
    connect(&chart, &Plot::restyled, this, &FailureMapView::restyle);
    connect(m_result, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            fillAxes();
    });
    connect(m_axes, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            follow();
    });
    restyle();
    show({});
}

void FailureMapView::show(std::vector<FailureMap> maps) {
    m_maps = std::move(maps);
    m_which.clear();
    m_isFilling = true;
    m_result->clear();
    QString reason;
    for (std::size_t map = 0; map < m_maps.size(); ++map) {
        reason = m_maps[map].reason.isEmpty() ? reason : m_maps[map].reason;
        for (std::size_t output = 0; output < m_maps[map].outputs.size(); ++output) {
            m_which.push_back({map, output});
            const OutputFailure &one = m_maps[map].outputs[output];
            m_result->addItem(tr("%1, %2 %3, round %4")
                                  .arg(one.name, one.dtype, indexText(one.sizes))
                                  .arg(m_maps[map].round));
        }
    }
    m_isFilling = false;
    m_result->setVisible(m_which.size() > 1);
    if (m_which.empty()) {
        m_failure.setFailure({}, 0, 0);
        m_selected = -1;
        showEmpty(QStringLiteral("failure-map"),
                  reason.isEmpty() ? tr("Where the result is wrong appears here")
                                   : tr("Where the result is wrong is not known"),
                  reason.isEmpty() ? tr("after a check that says Wrong") : reason);
        return;
    }
    fillAxes();
}

const OutputFailure *FailureMapView::output() const {
    const int row = m_result->currentIndex();
    if (row < 0 || static_cast<std::size_t>(row) >= m_which.size())
        return nullptr;
    const Which &which = m_which[static_cast<std::size_t>(row)];
    return &m_maps[which.map].outputs[which.output];
}

// Each pair of dimensions; first the one in which what is wrong has the most form.
void FailureMapView::fillAxes() {
    const OutputFailure *one = output();
    if (one == nullptr)
        return;
    m_isFilling = true;
    m_axes->clear();
    m_pairs.clear();
    const std::pair<std::size_t, std::size_t> shown = shownAxes(*one);
    if (shown.first == shown.second)
        m_pairs.push_back(shown);
    for (std::size_t row = 0; row < one->axes.size(); ++row) {
        for (std::size_t column = row + 1; column < one->axes.size(); ++column)
            m_pairs.emplace_back(row, column);
    }
    for (const auto &[row, column] : m_pairs)
        m_axes->addItem(tr("%1 by %2").arg(one->axisWord(row, 2), one->axisWord(column, 2)));
    m_axes->setCurrentIndex(
        static_cast<int>(std::find(m_pairs.begin(), m_pairs.end(), shown) - m_pairs.begin()));
    m_axes->setVisible(m_pairs.size() > 1);
    m_isFilling = false;
    follow();
}

void FailureMapView::follow() {
    const OutputFailure *one = output();
    const int pair = m_axes->currentIndex();
    if (one == nullptr || pair < 0)
        return;
    m_failure.setFailure(*one, m_pairs[static_cast<std::size_t>(pair)].first,
                         m_pairs[static_cast<std::size_t>(pair)].second);
    if (m_failure.picture().cells.empty()) {
        showEmpty(QStringLiteral("failure-map"), tr("Where the result is wrong was not kept"),
                  tr("this document has no picture of these dimensions"));
        return;
    }
    m_selected = m_failure.worstTile();
    plot().setStopsPerRow(m_failure.picture().columns);
    QStringList sentences;
    for (const FailurePattern &pattern : m_failure.patterns())
        sentences << pattern.sentence;
    m_name->setText(m_failure.patterns().empty() ? tr("No pattern") : m_failure.patterns().front().name);
    if (!m_name->text().isEmpty())
        m_name->setText(m_name->text().left(1).toUpper() + m_name->text().mid(1));
    m_sentence->setText(sentences.isEmpty() ? tr("No known pattern (an index set, a shift, one factor, one "
                                                 "addend) fits nearly all of the errors.")
                                            : sentences.join(QLatin1Char(' ')));
    const double share = static_cast<double>(one->wrong) / static_cast<double>(one->elements);
    const QString words =
        tr("%1: %2 of %3 elements are wrong. %4. %5")
            .arg(one->name, numberText(static_cast<double>(one->wrong)),
                 numberText(static_cast<double>(one->elements)), m_name->text(), m_sentence->text());
    showContent(words, tr("%1 (%2 wrong)").arg(words, percentText(share)));
    layOut();
    emit shownChanged();
}

std::optional<WrongElement> FailureMapView::selectedElement() const {
    const int row = m_result->currentIndex();
    if (row < 0 || m_selected < 0 || static_cast<std::size_t>(row) >= m_which.size() ||
        static_cast<std::size_t>(m_selected) >= m_failure.picture().cells.size())
        return std::nullopt;
    const FailureCell &cell = m_failure.picture().cells[static_cast<std::size_t>(m_selected)];
    if (cell.place < 0)
        return std::nullopt;
    return WrongElement{m_maps[m_which[static_cast<std::size_t>(row)].map].round, m_failure.failure().name,
                        m_failure.failure().indexOf(cell.place), cell.expected, cell.got};
}

void FailureMapView::selectElement(int round, const QString &name, const std::vector<qint64> &index) {
    for (std::size_t row = 0; row < m_which.size(); ++row) {
        const FailureMap &map = m_maps[m_which[row].map];
        if (map.round != round || map.outputs[m_which[row].output].name != name)
            continue;
        m_result->setCurrentIndex(static_cast<int>(row));
        if (const int tile = m_failure.tileOf(index); tile >= 0) {
            m_selected = tile;
            plot().replotLater();
        }
        return;
    }
}

QSize FailureMapView::sizeHint() const {
    return QSize(m_look.px(560), minimumSizeHint().height());
}

// What it shows is never squeezed: whoever has no room for it scrolls.
QSize FailureMapView::minimumSizeHint() const {
    if (isEmpty())
        return ChartView::minimumSizeHint();
    const int width = std::max(m_look.px(256), this->width() - m_look.px(24));
    int height = m_look.px(14) + plot().minimumHeight();
    for (const QLabel *label : {m_name, m_sentence})
        height += label->heightForWidth(width) + m_look.px(4);
    if (m_which.size() > 1 || m_pairs.size() > 1)
        height += m_result->sizeHint().height() + m_look.px(4);
    return QSize(m_look.px(280), height);
}

// The map stands in the middle of a long page: the wheel scrolls that, over the choice made last, too.
bool FailureMapView::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Wheel && (watched == m_result || watched == m_axes)) {
        event->ignore(); // so it goes on to what lies below
        return true;
    }
    return ChartView::eventFilter(watched, event);
}

void FailureMapView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void FailureMapView::restyle() {
    for (QComboBox *choice : {m_result, m_axes})
        choice->setFont(m_look.font(TextRole::Small));
    const auto ink = [this](QLabel *label, const char *token, const QFont &font) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, m_look.color(token));
        label->setPalette(palette);
        label->setFont(font);
    };
    ink(m_name, "text.primary", m_look.font(TextRole::Body, QFont::DemiBold));
    ink(m_sentence, "text.secondary", m_look.font(TextRole::Small));
    layOut();
}

// The legend stands beside the tiles where there is room, else below them.
void FailureMapView::layOut() {
    const FailurePicture &picture = m_failure.picture();
    if (picture.cells.empty())
        return;
    const QFontMetricsF axis(m_look.font(TextRole::Axis));
    const QFontMetricsF small(m_look.font(TextRole::Small));
    const double width = plot().width();
    const bool isWide = width >= m_look.px(430);
    const double line = small.height() + m_look.px(4);
    const double legendWidth = isWide ? m_look.px(190) : width;
    const double legendHeight = line * (FailureMapModel::LevelCount + 3) + line * 4 + m_look.px(8);
    const bool isOneRow = picture.rowAxis == picture.columnAxis;
    const double rowsSize = static_cast<double>(m_failure.failure().axes[picture.rowAxis].size);
    const double left = isOneRow ? 0 : axis.horizontalAdvance(numberText(rowsSize)) + m_look.px(8);
    const double top = axis.height() + m_look.px(6);
    const double foot = 2 * axis.height() + m_look.px(10);
    const double least = isOneRow ? m_look.px(40) : m_look.px(150);
    plot().setMinimumHeight(static_cast<int>(isWide ? std::max(least + top + foot, legendHeight)
                                                    : least + top + foot + legendHeight));
    const double bottom = isWide ? plot().height() : plot().height() - legendHeight;
    m_area = QRectF(left, top, std::max(40.0, width - left - (isWide ? legendWidth + m_look.px(16) : 4.0)),
                    std::max(20.0, isOneRow ? std::min<double>(m_look.px(40), bottom - top - foot)
                                            : bottom - top - foot));
    m_legend = isWide ? QRectF(width - legendWidth, 0, legendWidth, plot().height())
                      : QRectF(0, bottom, width, legendHeight);
    updateGeometry();
    plot().replotLater();
}

QRectF FailureMapView::tileRect(int tile) const {
    const FailurePicture &picture = m_failure.picture();
    const double width = m_area.width() / picture.columns;
    const double height = m_area.height() / picture.rows;
    const double left = std::floor(m_area.left() + width * (tile % picture.columns));
    const double top = std::floor(m_area.top() + height * (tile / picture.columns));
    return {QPointF(left, top), QPointF(std::floor(m_area.left() + width * (tile % picture.columns + 1)),
                                        std::floor(m_area.top() + height * (tile / picture.columns + 1)))};
}

std::vector<PlotStop> FailureMapView::stops() const {
    std::vector<PlotStop> stops;
    for (int tile = 0; tile < static_cast<int>(m_failure.picture().cells.size()); ++tile) {
        const QRectF rect = tileRect(tile);
        stops.push_back({rect, QPointF(rect.center().x(), rect.bottom()), tile});
    }
    return stops;
}

} // namespace warpwright
