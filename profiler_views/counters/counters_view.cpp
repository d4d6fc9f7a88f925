// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/counters/counters_view.h"

#include "profiler_views/counters/launches_model.h"
#include "profiler_views/counters/metrics_model.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace warpwright {
namespace {

// A launch of the same collection as baseline; that of another is its number among those that are offered.
constexpr int SameCollectionRole = Qt::UserRole + 1;
constexpr int mostSameCollection = 200;

QString seriesOf(const QString &arm) {
    if (arm.startsWith(QLatin1String("eager")))
        return QStringLiteral("series.eager");
    return arm.startsWith(QLatin1String("compile")) ? QStringLiteral("series.compile")
                                                    : QStringLiteral("series.candidate");
}

void shape(QComboBox *box, const char *name, const QString &accessibleName, int characters) {
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(accessibleName);
    box->setToolTip(accessibleName);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(characters);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

} // namespace

CountersView::CountersView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Counters"), parent),
      m_cards(look),
      m_head(new QWidget(content())),
      m_headGrid(new QGridLayout(m_head)),
      m_launches(new LaunchesModel(this)),
      m_found(new QSortFilterProxyModel(this)),
      m_metrics(new MetricsModel(this)),
      m_foundMetrics(new QSortFilterProxyModel(this)),
      m_launch(new QComboBox(m_head)),
      m_baseline(new QComboBox(m_head)),
      m_filter(new QLineEdit(m_head)),
      m_forms(new TabStrip(look, m_head)),
      m_origin(new QLabel(content())),
      m_pages(new QStackedWidget(content())),
      m_scroll(new QScrollArea(m_pages)),
      m_table(new QTableView(m_pages)) {
    m_found->setSourceModel(m_launches);
    m_foundMetrics->setSourceModel(m_metrics);
    for (QSortFilterProxyModel *found : {m_found, m_foundMetrics})
        found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    shape(m_launch, "launchPicker", tr("Launch"), 18);
    m_launch->setModel(m_found);
    shape(m_baseline, "baselinePicker", tr("Baseline"), 12);
    for (QComboBox *box : {m_launch, m_baseline}) { // its list is as wide as its words
        box->view()->setTextElideMode(Qt::ElideMiddle);
        box->view()->setMinimumWidth(look.px(420));
    }
    m_filter->setObjectName(QStringLiteral("counterFilter"));
    m_filter->setClearButtonEnabled(true);
    m_forms->setObjectName(QStringLiteral("counterForm"));
    m_forms->setAccessibleName(tr("Sections or all metrics"));
    m_forms->addTab(tr("Sections"));
    m_forms->addTab(tr("All metrics"));
    m_origin->setObjectName(QStringLiteral("counterOrigin"));
    m_origin->setTextFormat(Qt::PlainText);
    m_origin->setWordWrap(true);
    m_origin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a name may be one long word

    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setWidget(&plot());
    m_table->setModel(m_foundMetrics);
    m_table->setObjectName(QStringLiteral("allMetrics"));
    m_table->setAccessibleName(tr("All metrics"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_pages->addWidget(m_scroll);
    auto *metrics = new QWidget(m_pages); // its rows begin where the head's words do
    auto *indent = new QHBoxLayout(metrics);
    indent->setContentsMargins(look.px(8), 0, 0, 0);
    indent->addWidget(m_table);
    m_pages->addWidget(metrics);

    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look.px(4));
    column->addWidget(m_head);
    auto *origin = new QHBoxLayout;
    origin->setContentsMargins(look.px(12), 0, look.px(12), 0);
    origin->addWidget(m_origin);
    column->addLayout(origin);
    column->addWidget(m_pages, 1);

    setModel(m_rows);
    Plot &chart = plot();
    makeCanvas();
    chart.setOutlinesStops();
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &) {
        const KernelCounters *kernel = m_rows.launch().launch();
        if (kernel != nullptr)
            m_cards.draw(painter, isStale() ? m_look.color("text.tertiary")
                                            : m_look.theme().color(seriesOf(kernel->arm)));
    });
    chart.setStops([this] { return m_cards.stops(); },
                   [this](int row) { return m_rows.index(row, 0).data(Qt::ToolTipRole).toString(); });
    connect(&chart, &Plot::stopReached, this, [this](const QRectF &area) {
        m_scroll->ensureVisible(static_cast<int>(area.center().x()), static_cast<int>(area.center().y()), 0,
                                static_cast<int>(area.height() / 2) + m_look.px(8));
    });
    connect(&chart, &Plot::restyled, this, &CountersView::restyle);
    connect(m_launch, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            showLaunch();
    });
    connect(m_baseline, &QComboBox::currentIndexChanged, this, [this] {
        if (m_isFilling)
            return;
        m_baselineName = m_baseline->currentText();
        showLaunch();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &CountersView::filter);
    connect(m_forms, &QTabBar::currentChanged, this, [this](int form) {
        m_pages->setCurrentIndex(form);
        setModel(form == 1 ? static_cast<const QAbstractItemModel &>(*m_metrics) : m_rows); // for the CSV
        m_filter->clear();
        restyle();
    });
    restyle();
    show(nullptr, {});
}

void CountersView::show(std::shared_ptr<const Counters> counters,
                        const std::vector<CounterBaseline> &baselines, QAction *collect) {
    const KernelCounters *before = chosen().launch();
    const QString arm = before == nullptr ? QString() : before->arm;
    const QString function = before == nullptr ? QString() : before->function;
    const int launch = before == nullptr ? 0 : before->launch;
    const auto kept = m_counters; // `before` lies in it
    m_counters = std::move(counters);
    m_offered = baselines;
    if (!isOfSameOrigin(kept.get())) { // what was asked of the other says nothing of this one
        m_baselineName.clear();
        m_scroll->verticalScrollBar()->setValue(0);
        m_table->scrollToTop();
    }
    m_isFilling = true;
    m_filter->clear();
    m_launches->setCounters(m_counters);
    int row = 0;
    if (m_counters)
        for (std::size_t i = 0; i < m_counters->kernels.size(); ++i) {
            const KernelCounters &one = m_counters->kernels[i];
            if (one.arm == arm && one.function == function && one.launch == launch)
                row = static_cast<int>(i);
        }
    m_launch->setCurrentIndex(m_launches->rowCount() > 0 ? row : -1);
    fillBaselines();
    m_isFilling = false;
    if (m_launches->rowCount() == 0) {
        m_rows.setLaunch({}, {});
        m_metrics->setLaunch({}, {});
        showEmpty(QStringLiteral("memory"), tr("What the hardware counted appears here"),
                  m_counters && !m_counters->problems.isEmpty()
                      ? m_counters->problems.join(QLatin1Char(' '))
                      : tr("traffic of the memories, stall reasons, occupancy: Nsight Compute collects them "
                           "on a GPU"),
                  collect);
        return;
    }
    showLaunch();
}

// Collected once more of the same workspace, or the same report.
bool CountersView::isOfSameOrigin(const Counters *before) const {
    if (before == nullptr || !m_counters)
        return before == nullptr && !m_counters;
    return before->workspace == m_counters->workspace &&
           (!before->workspace.isEmpty() || before->id == m_counters->id);
}

// What the controls above the cards leave alone scrolls the cards: the pointer need not be over them.
void CountersView::wheelEvent(QWheelEvent *event) {
    QScrollBar *bar =
        m_pages->currentIndex() == 1 ? m_table->verticalScrollBar() : m_scroll->verticalScrollBar();
    if (!isEmpty() && bar->maximum() > bar->minimum())
        QCoreApplication::sendEvent(bar, event);
    else
        ChartView::wheelEvent(event);
}

void CountersView::staleChanged() {
    m_cards.setStale(isStale());
    ChartView::staleChanged();
}

bool CountersView::showKernel(const QString &function) {
    if (!m_counters)
        return false;
    m_filter->clear();
    for (std::size_t i = 0; i < m_counters->kernels.size(); ++i)
        if (m_counters->kernels[i].function == function || m_counters->kernels[i].name == function) {
            m_launch->setCurrentIndex(static_cast<int>(i));
            return true;
        }
    return false;
}

void CountersView::fillBaselines() {
    m_baseline->clear();
    m_baseline->addItem(tr("no baseline"), -1);
    for (std::size_t i = 0; i < m_offered.size(); ++i)
        m_baseline->addItem(tr("against %1").arg(m_offered[i].name), static_cast<int>(i));
    const int launches = std::min(m_launches->rowCount(), mostSameCollection);
    for (int row = 0; launches > 1 && row < launches; ++row) {
        m_baseline->addItem(tr("against %1").arg(m_launches->index(row).data().toString()), -1);
        m_baseline->setItemData(m_baseline->count() - 1, row, SameCollectionRole);
    }
    const int found = m_baselineName.isEmpty() ? 0 : m_baseline->findText(m_baselineName);
    m_baseline->setCurrentIndex(std::max(0, found));
    m_baseline->setEnabled(m_baseline->count() > 1);
    m_baseline->setToolTip(m_baseline->isEnabled() ? tr("Baseline")
                                                   : tr("No other counters are here to compare with"));
}

CountedLaunch CountersView::chosen() const {
    const QModelIndex found = m_found->index(m_launch->currentIndex(), 0);
    if (!m_counters || !found.isValid())
        return {};
    return {m_counters, found.data(LaunchesModel::KernelRole).toInt(), {}};
}

CountedLaunch CountersView::baseline() const {
    const CountedLaunch now = chosen();
    if (now.launch() == nullptr)
        return {};
    const QVariant same = m_baseline->currentData(SameCollectionRole);
    if (same.isValid())
        return {m_counters, same.toInt(), {}};
    const int other = m_baseline->currentData().toInt();
    if (m_baseline->currentIndex() <= 0 || other < 0)
        return {};
    const CounterBaseline &offered = m_offered[static_cast<std::size_t>(other)];
    return {offered.counters, matchingLaunch(*offered.counters, *m_counters, now.kernel), offered.name};
}

void CountersView::showLaunch() {
    const CountedLaunch launch = chosen();
    if (launch.launch() == nullptr) { // filtered away: what is shown stays
        m_origin->setText(tr("No launch matches the filter."));
        return;
    }
    const CountedLaunch before = baseline();
    m_rows.setLaunch(launch, before);
    m_metrics->setLaunch(launch, before);
    QStringList origin{m_rows.origin()};
    if (!before.origin.isEmpty() && before.launch() == nullptr)
        origin << tr("%1 has no such kernel.").arg(before.origin);
    if (m_counters->launchesLeftOut > 0)
        origin << tr("%1 left out.").arg(countText(m_counters->launchesLeftOut, tr("launch")));
    origin << m_counters->problems;
    for (QString &sentence : origin)
        if (!sentence.isEmpty() && !sentence.endsWith(QLatin1Char('.')))
            sentence += QLatin1Char('.');
    m_origin->setText(origin.join(QLatin1Char(' ')));
    m_launch->setToolTip(launch.launch()->name);
    showContent(m_rows.summary(), m_rows.origin());
    restyle();
}

void CountersView::filter(const QString &text) {
    if (m_forms->currentIndex() == 1) {
        m_foundMetrics->setFilterFixedString(text);
        return;
    }
    m_isFilling = true;
    m_found->setFilterFixedString(text);
    if (m_launch->currentIndex() < 0 && m_launch->count() > 0)
        m_launch->setCurrentIndex(0);
    m_isFilling = false;
    if (m_counters && !m_counters->kernels.empty())
        showLaunch();
}

// Beside each other where there is room; else a filter that has something to do, and the forms, stand in a
// second line.
void CountersView::placeHead() {
    constexpr int fewLaunches = 8;
    const bool filters =
        m_forms->currentIndex() == 1 || !m_filter->text().isEmpty() || m_launches->rowCount() > fewLaunches;
    const bool isWide = width() >= m_look.px(640);
    const bool isOneLine = isWide || (!filters && width() >= m_look.px(480));
    m_filter->setVisible(isWide || filters);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_launch, m_baseline, m_filter, m_forms})
        m_headGrid->removeWidget(widget);
    m_headGrid->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(12), 0);
    m_headGrid->setSpacing(m_look.px(8));
    if (isWide) {
        m_headGrid->addWidget(m_launch, 0, 0);
        m_headGrid->addWidget(m_baseline, 0, 1);
        m_headGrid->addWidget(m_filter, 0, 2);
        m_headGrid->addWidget(m_forms, 0, 3, Qt::AlignRight);
    } else if (isOneLine) {
        m_headGrid->addWidget(m_launch, 0, 0);
        m_headGrid->addWidget(m_baseline, 0, 1);
        m_headGrid->addWidget(m_forms, 0, 3, Qt::AlignRight);
    } else {
        m_headGrid->addWidget(m_launch, 0, 0, 1, 2);
        m_headGrid->addWidget(m_baseline, 0, 2);
        m_headGrid->addWidget(m_filter, 1, 0, 1, 2);
        m_headGrid->addWidget(m_forms, 1, 2, Qt::AlignRight);
    }
    m_headGrid->setColumnStretch(0, isOneLine ? 3 : 1);
    m_headGrid->setColumnStretch(1, isOneLine ? 2 : 0);
    m_headGrid->setColumnStretch(2, isWide ? 1 : 0);
    m_forms->setMinimumWidth(m_forms->sizeHint().width());
}

void CountersView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    placeHead();
    layOut();
}

void CountersView::layOut() {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int width = std::max(m_look.px(200), this->width() - bar);
    const double height = m_cards.layOut(m_rows.rows(), width);
    plot().resize(width, std::max(m_look.px(60), static_cast<int>(height)));
    plot().replotLater();
}

void CountersView::restyle() {
    for (QWidget *widget : std::initializer_list<QWidget *>{m_launch, m_baseline, m_filter, m_table})
        widget->setFont(m_look.font(TextRole::Small));
    m_origin->setFont(m_look.font(TextRole::Axis));
    QPalette palette = m_origin->palette();
    palette.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_origin->setPalette(palette);
    m_filter->setPlaceholderText(m_forms->currentIndex() == 1 ? tr("Filter metrics") : tr("Filter launches"));
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_filter->setMinimumWidth(m_filter->fontMetrics().horizontalAdvance(m_filter->placeholderText()) +
                              m_look.px(28));
    m_table->verticalHeader()->setDefaultSectionSize(m_look.px(24));
    QHeaderView *heads = m_table->horizontalHeader();
    heads->setFixedHeight(m_look.px(26));
    heads->setSectionResizeMode(MetricsModel::Metric, QHeaderView::Stretch);
    m_table->setColumnHidden(MetricsModel::Unit, true);
    for (int column = MetricsModel::Value; column < MetricsModel::ColumnCount; ++column)
        heads->resizeSection(column, m_look.px(column == MetricsModel::Change ? 80 : 120));
    const bool hasBaseline = m_rows.baseline().launch() != nullptr;
    m_table->setColumnHidden(MetricsModel::Baseline, !hasBaseline);
    m_table->setColumnHidden(MetricsModel::Change, !hasBaseline);
    placeHead();
    layOut();
}

} // namespace warpwright
