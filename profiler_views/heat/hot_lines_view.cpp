// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/heat/hot_lines_view.h"

#include "profiler_views/heat/heat_text.h"
#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"
#include "widgets/look/heat_scale.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

constexpr int rowHeight = 24;
constexpr int mostDrawn = 40;
constexpr int pictureWidth = 900;

/// The share as a cell of heat.
class ShareDelegate : public QStyledItemDelegate {
public:
    ShareDelegate(const Look &look, const HotLinesView &view, QTableView *parent)
        : QStyledItemDelegate(parent), m_look(look), m_view(view) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        QStyledItemDelegate::paint(painter, option, QModelIndex()); // ground and selection
        painter->save();
        painter->setFont(m_look.font(TextRole::Log));
        drawHeatCell(*painter, m_look, option.rect.adjusted(0, 1, 0, -1), index.data(ValueRole).toDouble(),
                     m_view.isPast());
        painter->restore();
    }

private:
    const Look &m_look;
    const HotLinesView &m_view;
};

} // namespace

HotLinesView::HotLinesView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Hottest lines"), parent),
      m_found(new QSortFilterProxyModel(this)),
      m_kernels(new QComboBox(content())),
      m_filter(new QLineEdit(content())),
      m_origin(new QLabel(content())),
      m_table(new QTableView(content())) {
    m_found->setSourceModel(&m_lines);
    m_found->setSortRole(ValueRole);
    m_found->setFilterKeyColumn(-1);
    m_found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_kernels->setObjectName(QStringLiteral("heatKernelPicker"));
    m_kernels->setAccessibleName(tr("Kernel"));
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(16);
    m_kernels->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_filter->setObjectName(QStringLiteral("heatFilter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setPlaceholderText(tr("Filter lines"));
    m_filter->setAccessibleName(tr("Filter lines"));
    m_origin->setObjectName(QStringLiteral("heatOrigin"));
    m_origin->setTextFormat(Qt::PlainText);
    m_origin->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("hotLines"));
    m_table->setAccessibleName(tr("Hottest lines"));
    m_table->setModel(m_found);
    m_table->setItemDelegateForColumn(HotLinesModel::Share, new ShareDelegate(look, *this, m_table));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HotLinesModel::Share, Qt::DescendingOrder);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(12), look.px(6), look.px(12), 0);
    head->setSpacing(look.px(8));
    head->addWidget(m_kernels, 2);
    head->addWidget(m_filter, 1);
    auto *origin = new QHBoxLayout;
    origin->setContentsMargins(look.px(12), 0, look.px(12), 0);
    origin->addWidget(m_origin);
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look.px(4));
    column->addLayout(head);
    column->addLayout(origin);
    column->addWidget(m_table, 1);

    setModel(m_lines);
    plot().hide(); // for export: the table is what a person works with
    Plot &chart = plot();
    makeCanvas();
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &) { draw(painter); });
    connect(&chart, &Plot::restyled, this, &HotLinesView::restyle);
    connect(m_kernels, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            describe();
    });
    connect(m_filter, &QLineEdit::textChanged, m_found, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_table, &QTableView::clicked, this, &HotLinesView::activate);
    connect(m_table, &QTableView::activated, this, &HotLinesView::activate);
    restyle();
    show(nullptr, false);
}

void HotLinesView::show(SharedHeat heat, bool isPast) {
    m_heat = std::move(heat);
    m_isPast = isPast;
    fillKernels();
    describe();
}

int HotLinesView::kernel() const {
    return m_kernels->currentIndex() - 1; // all of them come first
}

void HotLinesView::fillKernels() {
    const QString before = m_kernels->currentData().toString();
    m_isFilling = true;
    m_kernels->clear();
    m_kernels->addItem(tr("all kernels"), QString());
    if (m_heat)
        for (const KernelHeat &one : m_heat->kernels)
            m_kernels->addItem(QStringLiteral("%1   %2").arg(one.name, percentText(one.share)), one.name);
    m_kernels->setCurrentIndex(std::max(0, m_kernels->findData(before)));
    m_kernels->setEnabled(m_kernels->count() > 2);
    m_kernels->setToolTip(m_kernels->isEnabled() ? QString() : tr("There is no second kernel"));
    m_isFilling = false;
}

void HotLinesView::describe() {
    m_lines.setHeat(m_heat, kernel());
    if (!m_heat || m_heat->isEmpty()) {
        showEmpty(QStringLiteral("heat"), tr("Where in the source the time goes appears here"),
                  m_heat && !m_heat->problems.isEmpty()
                      ? m_heat->problems.join(QLatin1Char(' '))
                      : tr("once Nsight Compute has sampled the kernels on a GPU"));
        return;
    }
    const double charged = kernel() < 0 ? m_heat->charged / m_heat->samples
                                        : m_heat->kernels[static_cast<std::size_t>(kernel())].charged;
    QStringList words;
    if (m_isPast)
        words << tr("Heat %1: the text that is shown is another one now.").arg(heatSubject(*m_heat));
    words << tr("%1 of warps on %2; %3 of them in lines of the text.")
                 .arg(countText(static_cast<qsizetype>(m_lines.samples()), tr("sample")), m_heat->device,
                      percentText(charged))
          << m_heat->problems;
    const QString origin = words.join(QLatin1Char(' '));
    m_origin->setText(origin);
    QString summary = tr("No line of the text has a sample.");
    if (m_lines.rowCount() > 0) {
        const HeatLine &first = m_lines.line(0);
        summary = tr("The hottest of %1 is %2:%3 with %4 of the sampled time: %5")
                      .arg(countText(m_lines.rowCount(), tr("line")), first.file)
                      .arg(first.line)
                      .arg(percentText(first.share), first.text);
    }
    showContent(summary, origin);
    plot().resize(m_look.px(pictureWidth),
                  m_look.px(rowHeight) * std::clamp(m_lines.rowCount(), 1, mostDrawn));
    m_table->viewport()->update();
}

void HotLinesView::activate(const QModelIndex &shown) {
    if (shown.isValid())
        emit lineActivated(shown.data(FileRole).toString(), shown.data(LineRole).toInt());
}

void HotLinesView::draw(QPainter &painter) {
    const int height = m_look.px(rowHeight);
    const int cell = m_look.px(heatCellWidth);
    const int place = m_look.px(190);
    const int reason = m_look.px(260);
    for (int row = 0; row < std::min(m_lines.rowCount(), mostDrawn); ++row) {
        const HeatLine &line = m_lines.line(row);
        const int top = row * height;
        painter.setFont(m_look.font(TextRole::Log));
        drawHeatCell(painter, m_look, QRect(0, top, cell, height - 1), line.share, m_isPast);
        const auto write = [&](int left, int width, int column, const char *ink) {
            painter.setPen(inkOf(ink));
            const QString text = m_lines.index(row, column).data().toString();
            painter.drawText(QRect(left, top, width, height), Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, width));
        };
        const int left = cell + m_look.px(8);
        write(left, place, HotLinesModel::Place, "text.secondary");
        const int source = m_look.px(pictureWidth) - left - place - reason - m_look.px(16);
        write(left + place, source, HotLinesModel::Source, "text.primary");
        painter.setFont(m_look.font(TextRole::Small));
        write(left + place + source + m_look.px(8), reason, HotLinesModel::Reason, "text.secondary");
    }
}

void HotLinesView::staleChanged() {
    ChartView::staleChanged();
    m_table->viewport()->update();
}

void HotLinesView::restyle() {
    for (QWidget *widget : std::initializer_list<QWidget *>{m_kernels, m_filter, m_table})
        widget->setFont(m_look.font(TextRole::Small));
    m_origin->setFont(m_look.font(TextRole::Axis));
    QPalette palette = m_origin->palette();
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_origin->setPalette(palette);
    m_table->verticalHeader()->setDefaultSectionSize(m_look.px(rowHeight));
    QHeaderView *heads = m_table->horizontalHeader();
    heads->setFixedHeight(m_look.px(26));
    fitColumns();
}

// The source has what the share, the line and the reason leave, and never too little to be read; the counts
// behind them are scrolled to.
void HotLinesView::fitColumns() {
    constexpr std::array widths{66, 130, 200, 210, 76, 76, 64, 68, 68};
    static_assert(widths.size() == HotLinesModel::ColumnCount);
    QHeaderView *heads = m_table->horizontalHeader();
    int others = 0;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        heads->resizeSection(static_cast<int>(column), m_look.px(widths[column]));
        if (column == HotLinesModel::Share || column == HotLinesModel::Place ||
            column == HotLinesModel::Reason)
            others += m_look.px(widths[column]);
    }
    heads->resizeSection(HotLinesModel::Source,
                         std::max(m_look.px(widths[HotLinesModel::Source]), width() - others));
}

void HotLinesView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    fitColumns();
}

} // namespace warpwright
