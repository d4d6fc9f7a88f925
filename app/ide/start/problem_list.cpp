// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/problem_list.h"

#include "app/ide/kit/card.h"
#include "app/ide/start/start_rows.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/look/house_style.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace warpwright {
namespace {

enum Role { PathRole = Qt::UserRole + 1, NumberRole, HeadRole };

// A level's head, or a problem: its number right-aligned, its title, its file's name in tertiary.
class ProblemDelegate : public QStyledItemDelegate {
public:
    ProblemDelegate(const Look &look, QObject *parent) : QStyledItemDelegate(parent), m_look(look) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override {
        return {m_look.px(200), m_look.px(index.data(HeadRole).toBool() ? 32 : 28)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        painter->save();
        const QRect rect = option.rect;
        const int edge = m_look.px(14);
        const QString text = index.data(Qt::DisplayRole).toString();
        if (index.data(HeadRole).toBool()) {
            painter->fillRect(rect, m_look.color("bg.bar"));
            painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, m_look.color("border.subtle"));
            painter->setFont(m_look.font(TextRole::Small, QFont::DemiBold));
            painter->setPen(m_look.color("text.secondary"));
            painter->drawText(rect.adjusted(edge, 0, -edge, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
            painter->restore();
            return;
        }
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        if (isSelected) {
            painter->fillRect(rect, m_look.color("bg.selected"));
            painter->fillRect(rect.left(), rect.top(), m_look.px(3), rect.height(),
                              m_look.color("accent.focus"));
        } else if ((option.state & QStyle::State_MouseOver) != 0) {
            painter->fillRect(rect, m_look.color("bg.hover"));
        }
        const int numberWidth = m_look.px(36);
        painter->setFont(m_look.font(TextRole::Body));
        painter->setPen(m_look.color("text.tertiary"));
        if (const int number = index.data(NumberRole).toInt(); number > 0)
            painter->drawText(
                QRect(rect.left() + edge, rect.top(), numberWidth - m_look.px(10), rect.height()),
                Qt::AlignVCenter | Qt::AlignRight, QString::number(number));
        painter->setPen(m_look.color("text.primary"));
        const QRect place = rect.adjusted(edge + numberWidth, 0, -edge, 0);
        const QFontMetrics metrics = painter->fontMetrics();
        const QString title = metrics.elidedText(text, Qt::ElideRight, place.width());
        painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft, title);
        painter->setFont(m_look.font(TextRole::Small));
        painter->setPen(m_look.color("text.tertiary"));
        const QString file = QFileInfo(index.data(PathRole).toString()).fileName();
        if (metrics.horizontalAdvance(title) + m_look.px(24) +
                painter->fontMetrics().horizontalAdvance(file) <
            place.width())
            painter->drawText(place, Qt::AlignVCenter | Qt::AlignRight, file);
        if ((option.state & QStyle::State_HasFocus) != 0 &&
            (option.state & QStyle::State_KeyboardFocusChange) != 0)
            drawBox(painter, rect, 0, {}, m_look.color("accent.focus"), 2);
        painter->restore();
    }

private:
    const Look &m_look;
};

bool matches(const KernelBenchProblem &problem, const QStringList &words) {
    const QString text = ProblemList::tr("level %1 %2 %3 %4")
                             .arg(problem.level)
                             .arg(problem.number)
                             .arg(problem.title, QFileInfo(problem.path).fileName());
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

ProblemList::ProblemList(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_title(new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold)),
      m_count(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_filter(new QLineEdit(this)),
      m_stack(new QStackedWidget(this)),
      m_list(new QListView(m_stack)),
      m_model(new QStandardItemModel(this)),
      m_empty(new EmptyState(look, m_stack)),
      m_problem(new Words(look, TextRole::Body, "text.primary", m_stack)) {
    setObjectName(QStringLiteral("problemList"));
    m_filter->setObjectName(QStringLiteral("problemFilter"));
    m_filter->setPlaceholderText(tr("Filter: level, number, words of the title"));
    m_filter->setAccessibleName(tr("Filter the problems"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setTextMargins(look.px(4), 0, look.px(4), 0);
    m_filter->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("problems"));
    m_list->setAccessibleName(tr("Problems"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ProblemDelegate(look, this));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->installEventFilter(this);
    m_problem->setProse();
    m_problem->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_problem->setMargin(look.px(16));
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_problem);

    auto *folder = new ActionButton(look, ActionButton::Kind::Plain, this);
    folder->setObjectName(QStringLiteral("problemFolder"));
    folder->setText(tr("Another folder…"));
    folder->setIconName(QStringLiteral("folder"));
    auto *close = new ActionButton(look, ActionButton::Kind::Plain, this);
    close->setText(tr("Close"));
    close->setKey(QStringLiteral("Esc"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(16), look.px(12), look.px(12), look.px(8));
    head->setSpacing(look.px(10));
    head->addWidget(m_title);
    head->addWidget(m_count, 1);
    head->addWidget(folder);
    head->addWidget(close);
    auto *filter = new QHBoxLayout;
    filter->setContentsMargins(look.px(16), 0, look.px(12), look.px(10));
    filter->addWidget(m_filter);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(filter);
    column->addWidget(m_stack, 1);
    setFocusProxy(m_filter);

    connect(m_filter, &QLineEdit::textChanged, this, &ProblemList::fill);
    connect(m_filter, &QLineEdit::returnPressed, this, &ProblemList::pickCurrent);
    connect(m_list, &QAbstractItemView::doubleClicked, this, &ProblemList::pickCurrent);
    connect(folder, &QAbstractButton::clicked, this, &ProblemList::folderAsked);
    connect(close, &QAbstractButton::clicked, this, &ProblemList::closed);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &ProblemList::closed);
    connect(&look, &Look::changed, this, [this] {
        m_list->doItemsLayout();
        update();
    });
    m_title->setText(tr("KernelBench problems"));
    m_empty->say(QStringLiteral("folder"), tr("Problems appear here"), tr("pick a folder of them"));
    m_stack->setCurrentWidget(m_empty);
}

void ProblemList::open(const QString &folder) {
    m_folder = {};
    m_shownCount = 0;
    m_title->setText(QFileInfo(folder).fileName());
    m_title->setToolTip(folder);
    m_count->setText(tr("reading"));
    m_model->clear();
    m_empty->say(QStringLiteral("running"), tr("Reading the folder"), homePath(folder));
    m_stack->setCurrentWidget(m_empty);
    const int job = m_jobs.next();
    inPool(
        this, [folder] { return listKernelBench(folder); },
        [this, job, folder](const Result<KernelBenchFolder> &listed) {
            if (m_jobs.isStale(job))
                return;
            adopt(listed, folder);
            emit this->listed();
        });
}

void ProblemList::adopt(const Result<KernelBenchFolder> &folder, const QString &asked) {
    if (!folder.hasValue()) {
        m_count->setText({});
        m_problem->setText(folder.message());
        m_problem->setAccessibleName(tr("Cannot list \"%1\"").arg(asked));
        m_stack->setCurrentWidget(m_problem);
        return;
    }
    m_folder = folder.value();
    m_filter->clear();
    fill();
}

void ProblemList::fill() {
    m_model->clear();
    const QStringList words = m_filter->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int level = -1;
    m_shownCount = 0;
    int first = -1;
    for (const KernelBenchProblem &problem : m_folder.problems) {
        if (!matches(problem, words))
            continue;
        if (problem.level != level) {
            level = problem.level;
            auto *head = new QStandardItem(level > 0 ? tr("Level %1").arg(level) : tr("In no level"));
            head->setData(true, HeadRole);
            head->setFlags(Qt::ItemIsEnabled);
            m_model->appendRow(head);
        }
        auto *item = new QStandardItem(problem.title);
        item->setData(problem.path, PathRole);
        item->setData(problem.number, NumberRole);
        item->setToolTip(problem.path);
        m_model->appendRow(item);
        if (first < 0)
            first = m_model->rowCount() - 1;
        ++m_shownCount;
    }
    sayCount();
    if (m_shownCount == 0 && !m_folder.folder.isEmpty()) {
        m_empty->say(QStringLiteral("search"), tr("No problem fits «%1»").arg(m_filter->text()),
                     tr("shorten the filter"));
        m_stack->setCurrentWidget(m_empty);
    } else if (m_shownCount > 0) {
        m_stack->setCurrentWidget(m_list);
        m_list->setCurrentIndex(m_model->index(first, 0)); // so that Enter picks it at once
    }
}

void ProblemList::sayCount() {
    const auto all = static_cast<int>(m_folder.problems.size());
    QString text = m_shownCount == all ? countText(all, tr("problem"))
                                       : tr("%1 of %2").arg(m_shownCount).arg(countText(all, tr("problem")));
    m_count->setToolTip({});
    if (!m_folder.skipped.isEmpty()) {
        text += tr(", %1 left out").arg(countText(m_folder.skipped.size(), tr("file")));
        m_count->setToolTip(tr("Without Model, get_inputs and get_init_inputs:\n%1")
                                .arg(m_folder.skipped.mid(0, 20).join(QLatin1Char('\n'))));
    }
    m_count->setText(text);
}

void ProblemList::pickCurrent() {
    const QString path = m_list->currentIndex().data(PathRole).toString();
    if (m_stack->currentWidget() == m_list && !path.isEmpty())
        emit problemPicked(path);
}

bool ProblemList::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (watched == m_list && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        pickCurrent();
        return true;
    }
    // The list is moved through from the field, without leaving it.
    const bool moves =
        key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp;
    if (watched == m_filter && moves && m_stack->currentWidget() == m_list) {
        const int step = key == Qt::Key_Down       ? 1
                         : key == Qt::Key_Up       ? -1
                         : key == Qt::Key_PageDown ? 10
                                                   : -10;
        const int last = m_model->rowCount() - 1;
        int row = std::clamp(m_list->currentIndex().row() + step, 0, last);
        if (m_model->index(row, 0).data(HeadRole).toBool())
            row = std::clamp(row + (step > 0 || row == 0 ? 1 : -1), 0, last);
        m_list->setCurrentIndex(m_model->index(row, 0));
        return true;
    }
    return false;
}

void ProblemList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
