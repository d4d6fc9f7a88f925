// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/comparison/comparison_view.h"

#include "profiler_views/csv_text.h"
#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int rowHeight = 24;

// 24 px, hairlines, ink by the row's state; a group is a line of its own ground.
class ComparisonDelegate : public QStyledItemDelegate {
public:
    ComparisonDelegate(const Look &look, QObject *parent) : QStyledItemDelegate(parent), m_look(look) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        painter->save();
        const QRect rect = option.rect;
        const bool isGroup = !index.parent().isValid();
        if ((option.state & QStyle::State_Selected) != 0)
            painter->fillRect(rect, m_look.color("bg.selected"));
        else if (isGroup)
            painter->fillRect(rect, m_look.color("bg.bar"));
        else if ((option.state & QStyle::State_MouseOver) != 0)
            painter->fillRect(rect, m_look.color("bg.hover"));
        painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, m_look.color("border.subtle"));
        const QString token = index.data(ColorRole).toString();
        painter->setFont(m_look.font(TextRole::Small,
                                     index.data(EmphasisRole).toBool() ? QFont::DemiBold : QFont::Normal));
        painter->setPen(m_look.theme().color(token.isEmpty() ? QStringLiteral("text.primary") : token));
        QRect text = rect.adjusted(m_look.px(6), 0, -m_look.px(6), 0);
        if (isGroup) { // it spans all columns
            const QString counts = index.siblingAtColumn(ComparisonModel::Remark).data().toString();
            const QFontMetrics metrics(m_look.font(TextRole::Small));
            const int width = metrics.horizontalAdvance(counts);
            const QString title = painter->fontMetrics().elidedText(
                index.data().toString(), Qt::ElideMiddle, std::max(0, text.width() - width - m_look.px(16)));
            painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, title);
            text.setLeft(text.left() + painter->fontMetrics().horizontalAdvance(title) + m_look.px(12));
            painter->setFont(m_look.font(TextRole::Small));
            painter->setPen(m_look.color("text.tertiary"));
            painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, counts);
            painter->restore();
            return;
        }
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        const bool isRight = (alignment & Qt::AlignRight) != 0;
        painter->drawText(
            text, static_cast<int>(Qt::AlignVCenter | (isRight ? Qt::AlignRight : Qt::AlignLeft)),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
        return {m_look.px(80), m_look.px(rowHeight)};
    }

private:
    const Look &m_look;
};

// Of these it matters, too, that they were not collected.
bool isOfTheHead(const ComparisonRow &row) {
    return row.group == ComparisonRow::Group::Verdict || row.group == ComparisonRow::Group::Time;
}

} // namespace

ComparisonFilter::ComparisonFilter(QObject *parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
}

void ComparisonFilter::setWords(const QString &words) {
    m_words = words.trimmed();
    invalidateFilter();
}

void ComparisonFilter::setOnlyDifferences(bool isOnly) {
    m_isOnlyDifferences = isOnly;
    invalidateFilter();
}

bool ComparisonFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
    const auto *model = static_cast<const ComparisonModel *>(sourceModel());
    const ComparisonRow *one = model->rowAt(model->index(row, 0, parent));
    if (one == nullptr) // a group is there with the first of its rows
        return false;
    using State = ComparisonRow::State;
    const bool isWorthARow = one->isDifference() || one->state == State::NotComparable ||
                             (isOfTheHead(*one) && one->state == State::Missing);
    if (m_isOnlyDifferences && !isWorthARow)
        return false;
    const auto has = [this](const QString &text) {
        return text.contains(m_words, Qt::CaseInsensitive);
    };
    return m_words.isEmpty() || has(one->name) || has(one->kernel) || has(one->section) ||
           has(groupName(one->group)) || has(one->remark) || has(stateWord(one->state)) || has(one->source);
}

ComparisonView::ComparisonView(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_model(new ComparisonModel(this)),
      m_filtered(new ComparisonFilter(this)),
      m_words(new QLineEdit(this)),
      m_onlyDifferences(new QCheckBox(tr("Only differences"), this)),
      m_counts(new QLabel(this)),
      m_copy(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_notices(new QLabel(this)),
      m_tree(new QTreeView(this)),
      m_missing(new QLabel(this)),
      m_missingScroll(new QScrollArea(this)) {
    setObjectName(QStringLiteral("comparisonView"));
    m_filtered->setSourceModel(m_model);
    m_words->setObjectName(QStringLiteral("comparisonFilter"));
    m_words->setPlaceholderText(tr("Filter: name, kernel, differs, ncu"));
    m_words->setAccessibleName(tr("Filter the differences"));
    m_words->setClearButtonEnabled(true);
    m_onlyDifferences->setObjectName(QStringLiteral("onlyDifferences"));
    m_onlyDifferences->setChecked(true);
    m_onlyDifferences->setToolTip(
        tr("Hides what is the same, where no difference was measured, and what was not collected save of "
           "verdict and times"));
    m_counts->setObjectName(QStringLiteral("comparisonCounts"));
    m_counts->setWordWrap(true); // in a narrow window it takes two lines
    m_copy->setObjectName(QStringLiteral("comparisonCopy"));
    m_copy->setSmall(true);
    m_copy->setText(tr("Copy as CSV"));
    m_copy->setToolTip(tr("The rows that are shown, with unrounded values and where they come from"));
    for (QLabel *label : {m_counts, m_notices, m_missing})
        label->setTextFormat(Qt::PlainText);
    m_notices->setObjectName(QStringLiteral("comparisonNotices"));
    m_missing->setObjectName(QStringLiteral("comparisonMissing"));
    for (QLabel *label : {m_notices, m_missing}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContentsMargins(look.px(12), look.px(4), look.px(12), look.px(4));
    }
    m_tree->setObjectName(QStringLiteral("comparisonTree"));
    m_tree->setAccessibleName(tr("Differences"));
    m_tree->setModel(m_filtered);
    m_tree->setItemDelegate(new ComparisonDelegate(look, m_tree));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setMouseTracking(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->header()->setSectionsClickable(false);
    m_tree->header()->setStretchLastSection(true);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(12), look.px(6), look.px(12), look.px(6));
    head->setSpacing(look.px(12));
    head->addWidget(m_words);
    head->addWidget(m_onlyDifferences);
    head->addWidget(m_counts, 1);
    head->addWidget(m_copy);
    m_words->setToolTip(m_words->placeholderText());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_notices);
    column->addWidget(m_tree, 1);
    // What is missing may be long: it never takes the room of what differs.
    m_missingScroll->setObjectName(QStringLiteral("comparisonMissingScroll"));
    m_missingScroll->setAccessibleName(tr("What could not be compared"));
    m_missingScroll->setFrameShape(QFrame::NoFrame);
    m_missingScroll->setWidgetResizable(true);
    m_missingScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_missingScroll->setFocusPolicy(Qt::NoFocus);
    m_missingScroll->viewport()->setAutoFillBackground(false);
    m_missingScroll->setWidget(m_missing);
    m_missing->setAutoFillBackground(false);
    column->addWidget(m_missingScroll);

    connect(m_words, &QLineEdit::textChanged, this, [this](const QString &words) {
        m_filtered->setWords(words);
        openGroups();
        sayCounts();
    });
    connect(m_onlyDifferences, &QCheckBox::toggled, this, [this](bool isOnly) {
        m_filtered->setOnlyDifferences(isOnly);
        openGroups();
        sayCounts();
    });
    connect(m_copy, &QAbstractButton::clicked, this, [this] {
        const QByteArray text = csv();
        QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
        m_counts->setText(
            tr("%1 copied").arg(countText(static_cast<qsizetype>(shownRows().size()), tr("row"))));
        emit copied(text);
    });
    auto *copyKey = new QShortcut(QKeySequence::Copy, m_tree);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &ComparisonView::copyRow);
    connect(&look, &Look::changed, this, &ComparisonView::restyle);
    setFocusProxy(m_tree);
    restyle();
    show(nullptr);
}

void ComparisonView::show(const SharedComparison &comparison) {
    const SharedComparison before = m_model->comparison();
    const bool isSame = before && comparison && before->left.choice == comparison->left.choice &&
                        before->right.choice == comparison->right.choice;
    const int place = isSame ? m_tree->verticalScrollBar()->value() : 0;
    m_model->setComparison(comparison);
    const QStringList none;
    const QStringList &notices = comparison ? comparison->notices : none;
    QStringList missing;
    if (comparison)
        for (const MissingPart &part : comparison->missing)
            missing << missingText(part);
    m_notices->setText(notices.join(QLatin1Char('\n')));
    m_notices->setVisible(!notices.isEmpty());
    m_missing->setText(missing.join(QLatin1Char('\n')));
    m_missingScroll->setVisible(!missing.isEmpty());
    fit();
    openGroups();
    sayCounts();
    if (isSame)
        m_tree->verticalScrollBar()->setValue(place);
}

void ComparisonView::say(const QString &words) {
    show(nullptr);
    m_counts->setText(words);
}

QString ComparisonView::missingText(const MissingPart &part) {
    switch (part.act) {
    case MissingPart::Act::Check:
        return tr("%1: show it, then «Check»").arg(part.what);
    case MissingPart::Act::Counters:
        return tr("%1: show it, then «Collect counters», on a GPU").arg(part.what);
    case MissingPart::Act::Baselines:
        return tr("%1: «Collect counters of eager and compiled kernels, too», on a GPU").arg(part.what);
    case MissingPart::Act::Sass:
        return tr("%1: it is read from the compiler while nothing is measured").arg(part.what);
    case MissingPart::Act::None:
        break;
    }
    return part.what;
}

void ComparisonView::openGroups() {
    // Without remarks their column would be half of the table, and what differs would be cut beside it.
    const std::vector<const ComparisonRow *> rows = shownRows();
    const bool hasRemarks = std::any_of(
        rows.begin(), rows.end(), [](const ComparisonRow *row) { return !row->remarkWords().isEmpty(); });
    m_tree->setColumnHidden(ComparisonModel::Remark, !hasRemarks);
    m_tree->header()->setStretchLastSection(hasRemarks);
    for (int row = 0; row < m_filtered->rowCount(); ++row) {
        const QModelIndex group = m_filtered->index(row, 0);
        const QModelIndex source = m_filtered->mapToSource(group);
        const ComparisonRow *first = m_model->rowAt(m_model->index(0, 0, source));
        const bool isOpen = m_filtered->hasWords() || m_model->differences(source) > 0 ||
                            (first != nullptr && isOfTheHead(*first));
        m_tree->setFirstColumnSpanned(row, {}, true);
        m_tree->setExpanded(group, isOpen);
    }
}

void ComparisonView::sayCounts() {
    QStringList parts;
    if (const SharedComparison &comparison = m_model->comparison()) {
        using State = ComparisonRow::State;
        parts << tr("%1 differ").arg(comparison->differences());
        for (const State state : {State::NotComparable, State::Missing, State::Noise, State::Same})
            if (const int count = comparison->count(state); count > 0)
                parts << (state == State::Noise
                              ? tr("%1 in %2").arg(stateWord(state), numberText(count))
                              : QStringLiteral("%1 %2").arg(numberText(count), stateWord(state)));
    }
    m_counts->setText(parts.join(QStringLiteral(" · ")));
}

std::vector<const ComparisonRow *> ComparisonView::shownRows() const {
    std::vector<const ComparisonRow *> rows;
    for (int group = 0; group < m_filtered->rowCount(); ++group) {
        const QModelIndex parent = m_filtered->index(group, 0);
        for (int row = 0; row < m_filtered->rowCount(parent); ++row)
            if (const ComparisonRow *one =
                    m_model->rowAt(m_filtered->mapToSource(m_filtered->index(row, 0, parent))))
                rows.push_back(one);
    }
    return rows;
}

QByteArray ComparisonView::csv() const {
    return csvText(ComparisonTable(shownRows()));
}

void ComparisonView::copyRow() {
    const ComparisonRow *row = m_model->rowAt(m_filtered->mapToSource(m_tree->currentIndex()));
    if (row != nullptr)
        QGuiApplication::clipboard()->setText(row->toolTip());
}

void ComparisonView::restyle() {
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_words, m_onlyDifferences, m_counts, m_tree, m_notices, m_missing})
        widget->setFont(m_look.font(TextRole::Small));
    const auto ink = [this](QLabel *label, const char *token) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, m_look.color(token));
        label->setPalette(palette);
    };
    ink(m_counts, "text.secondary");
    ink(m_notices, "verdict.inconclusive");
    ink(m_missing, "text.tertiary");
    QHeaderView *heads = m_tree->header();
    heads->setFixedHeight(m_look.px(26));
    m_tree->setIndentation(m_look.px(18));
    const int words = m_words->fontMetrics().horizontalAdvance(m_words->placeholderText());
    m_words->setMinimumWidth(words + m_look.px(28));
    m_words->setMaximumWidth(std::max(m_words->minimumWidth(), m_look.px(300)));
    fit();
}

// The names take what the figures leave; both are narrower before the table scrolls.
void ComparisonView::fit() {
    QHeaderView *heads = m_tree->header();
    const int room = m_tree->viewport()->width();
    const int figure = std::clamp(room * 19 / 100, m_look.px(110), m_look.px(170));
    const int difference = std::clamp(room * 24 / 100, m_look.px(110), m_look.px(340)); // words at times
    for (const int column : {ComparisonModel::Left, ComparisonModel::Right})
        heads->resizeSection(column, figure);
    heads->resizeSection(ComparisonModel::Difference, difference);
    heads->resizeSection(ComparisonModel::Name,
                         std::clamp(room - 2 * figure - difference, m_look.px(160), m_look.px(380)));
    const int line = m_missing->fontMetrics().lineSpacing();
    const int wanted = m_missing->heightForWidth(std::max(1, width()));
    const int shown = std::clamp(wanted, line, std::max(2 * line, std::min(6 * line, height() / 4)));
    m_missingScroll->setFixedHeight(shown);
    // What is below its edge is scrolled to by keys as well.
    m_missingScroll->setFocusPolicy(wanted > shown ? Qt::StrongFocus : Qt::NoFocus);
}

void ComparisonView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fit();
}

} // namespace warpwright
