// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/iterations_panel.h"

#include "app/ide/history/iteration_delegate.h"
#include "app/ide/history/iteration_model.h"
#include "app/ide/kit/actions.h"
#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/pace_text.h"
#include "toolchain/history/iteration_words.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/fact_table.h"
#include "widgets/frame/pane.h"
#include "widgets/listing/long_list.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace warpwright {

IterationsPanel::IterationsPanel(const Look &look, const Actions &actions, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_model(new IterationModel(this)),
      m_filtered(new QSortFilterProxyModel(this)),
      m_filterRow(new QWidget(this)),
      m_filter(new QLineEdit(m_filterRow)),
      m_list(new LongList(this)),
      m_empty(new EmptyState(look, this)),
      m_head(new SectionHead(look, tr("Iteration"), this)),
      m_facts(new FactTable(look, this)),
      m_below(new QWidget(this)) {
    setObjectName(QStringLiteral("iterationsPanel"));
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setPlaceholderText(tr("Filter: note, author, verdict"));
    m_filter->setAccessibleName(tr("Filter the iterations"));
    m_list->setObjectName(QStringLiteral("iterationsList"));
    m_list->setAccessibleName(tr("Iterations"));
    m_list->setModel(m_filtered);
    m_list->setItemDelegate(new IterationDelegate(look, *m_model, this));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.bar"));
    m_list->viewport()->setAutoFillBackground(false);
    m_empty->say(QStringLiteral("history"), tr("Iterations appear here"),
                 tr("one for each check of changed text"));

    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(look.px(12), look.px(4), look.px(12), look.px(12));
    for (QAction *action :
         {actions.backToText, actions.branchHere, actions.compareWithParent, actions.compareSelected}) {
        auto *button = new ActionButton(look, ActionButton::Kind::Plain, m_below);
        button->setAction(action, false);
        if (action != actions.compareWithParent)
            button->setText(action->iconText()); // the short one
        button->setIconName(action->property("iconName").toString());
        button->setSmall(true);
        buttons->addWidget(button);
        // What cannot be done with the text that is edited now is not offered.
        const auto follow = [action, button] {
            button->setVisible(action->isEnabled());
        };
        connect(action, &QAction::changed, button, follow);
        follow();
    }
    buttons->addStretch(1);
    auto *below = new QVBoxLayout(m_below);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(look.px(4));
    below->addWidget(m_head);
    below->addWidget(m_facts);
    below->addLayout(buttons);
    auto *filterRow = new QHBoxLayout(m_filterRow);
    filterRow->setContentsMargins(look.px(10), look.px(8), look.px(10), look.px(8));
    filterRow->addWidget(m_filter);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filterRow);
    column->addWidget(m_list, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_below);

    connect(m_filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &now) {
                const IterationRecord *record = m_model->record(m_filtered->mapToSource(now));
                if (!m_isSetting && record != nullptr)
                    emit picked(record->iteration.number);
            });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &IterationsPanel::selectionChanged);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QWidget::customContextMenuRequested, this, [this](const QPoint &asked) {
        // The menu key asks in the middle of the list, and means the row of the keys.
        const QModelIndex under = m_list->indexAt(asked);
        const QModelIndex row =
            under.isValid() && under != m_list->currentIndex() ? m_list->currentIndex() : under;
        if (const IterationRecord *record = m_model->record(m_filtered->mapToSource(row)); record != nullptr)
            emit menuAsked(
                record->iteration.number,
                m_list->viewport()->mapToGlobal(under == row ? asked : m_list->visualRect(row).bottomLeft()));
    });
    const auto restyle = [this] {
        m_filter->setFont(m_look.font(TextRole::Small));
        QPalette palette = m_list->palette();
        palette.setColor(QPalette::Base, m_look.color("bg.bar"));
        m_list->setPalette(palette);
    };
    restyle();
    connect(&look, &Look::changed, this, restyle);
    setTree(makeIterationTree({}));
}

void IterationsPanel::setTree(SharedTree tree) {
    const bool isEmpty = tree->records.empty();
    const std::optional<std::pair<int, int>> pair = selectedPair();
    m_isSetting = true;
    m_model->setTree(std::move(tree));
    m_isSetting = false;
    m_list->setVisible(!isEmpty);
    m_filterRow->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    setShown(m_shown);
    if (!pair || (m_shown != pair->first && m_shown != pair->second))
        return;
    for (const int number : {pair->first, pair->second}) // two that are to be compared
        m_list->selectionModel()->select(m_filtered->mapFromSource(m_model->indexOf(number)),
                                         QItemSelectionModel::Select);
}

void IterationsPanel::setProposal(const std::optional<ProposalView> &proposal) {
    std::optional<IterationModel::Ghost> ghost;
    if (proposal && proposal->stepBase == 0 && proposal->base > 0)
        ghost =
            IterationModel::Ghost{proposal->base, tr("Proposal %1").arg(proposal->number), proposal->words};
    m_isSetting = true;
    m_model->setGhost(ghost);
    m_isSetting = false;
}

void IterationsPanel::setChecked(int number, bool byRun) {
    if (m_model->setChecked(number, byRun))
        describeShown();
}

const IterationRecord *IterationsPanel::recordOf(int number) const {
    return m_model->byNumber(number);
}

std::optional<std::pair<int, int>> IterationsPanel::selectedPair() const {
    const QModelIndexList selected = m_list->selectionModel()->selectedIndexes();
    if (selected.size() != 2)
        return std::nullopt;
    const IterationRecord *one = m_model->record(m_filtered->mapToSource(selected.first()));
    const IterationRecord *other = m_model->record(m_filtered->mapToSource(selected.last()));
    if (one == nullptr || other == nullptr)
        return std::nullopt;
    return std::minmax({one->iteration.number, other->iteration.number});
}

void IterationsPanel::setShown(int number) {
    m_isSetting = true;
    m_shown = number;
    const QModelIndex index = m_filtered->mapFromSource(m_model->indexOf(number));
    if (m_list->currentIndex() != index) // else two that are selected stay it
        m_list->setCurrentIndex(index);
    if (index.isValid())
        m_list->scrollTo(index);
    m_isSetting = false;
    describeShown();
}

void IterationsPanel::describeShown() {
    const IterationRecord *record = m_model->byNumber(m_shown);
    m_below->setVisible(record != nullptr);
    if (record == nullptr)
        return;
    const Iteration &iteration = record->iteration;
    m_head->setTitle(tr("Iteration %1").arg(iteration.number));
    const bool isAwaited = m_model->isAwaited(*record);
    m_head->setRemark(isAwaited ? tr("Running") : headlineOf(*record), true);
    std::vector<FactTable::Fact> facts;
    facts.push_back({tr("made by"), authorText(iteration.author)});
    facts.push_back({tr("change"), noteOf(*record)});
    if (iteration.parent > 0) {
        const IterationRecord *parent = m_model->byNumber(iteration.parent);
        facts.push_back(
            {tr("parent"), parent != nullptr
                               ? QStringLiteral("%1, %2").arg(iteration.parent).arg(headlineOf(*parent))
                               : QString::number(iteration.parent)});
    }
    if (record->latest) {
        const EvaluationSummary &summary = *record->latest;
        facts.push_back(
            {tr("evaluated"), summary.startedAt.toLocalTime().toString(QStringLiteral("d MMM, HH:mm:ss"))});
        if (summary.candidate) {
            const ArmTiming &time = *summary.candidate;
            facts.push_back(
                {tr("time"),
                 timeScaleOf(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds)
                     .withSpread(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds)});
        }
        if (const QString pace = paceWithEager(summary); !pace.isEmpty() && summary.eager)
            facts.push_back(
                {tr("speed-up"), m_model->best() == iteration.number ? tr("%1; the best").arg(pace) : pace});
        if (!summary.device.isEmpty())
            facts.push_back({tr("device"), summary.device});
    } else {
        facts.push_back({tr("evaluated"), !record->problem.isEmpty() ? record->problem
                                          : isAwaited                ? m_model->checkWords()
                                                                     : tr("not checked")});
    }
    facts.push_back({tr("text"), iteration.textHash.left(8), true});
    m_facts->setFacts(std::move(facts));
}

void IterationsPanel::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
