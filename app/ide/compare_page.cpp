// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare_page.h"

#include "agent/iteration_comparison.h"
#include "app/ide/card.h"
#include "app/ide/compare_head.h"
#include "app/ide/compare_view.h"
#include "toolchain/figures.h"
#include "widgets/action_button.h"
#include "widgets/empty_state.h"
#include "widgets/look.h"
#include "widgets/tab_strip.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>

namespace warpwright {
namespace {

void bindKey(QWidget *page, const QKeySequence &key, const std::function<void()> &act) {
    auto *shortcut = new QShortcut(key, page);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(shortcut, &QShortcut::activated, page, act);
}

QString tabText(const ComparedFile &file) {
    switch (file.kind) {
    case ComparedFile::Kind::Added:
        return ComparePage::tr("%1  new").arg(file.path);
    case ComparedFile::Kind::Removed:
        return ComparePage::tr("%1  gone").arg(file.path);
    case ComparedFile::Kind::Changed:
        return QStringLiteral("%1  +%2 −%3").arg(file.path).arg(file.added).arg(file.removed);
    default:
        return file.path;
    }
}

} // namespace

ComparePage::ComparePage(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_left(new CompareHead(look, this)),
      m_right(new CompareHead(look, this)),
      m_metrics(new MetricStrip(look, this)),
      m_tabs(new TabStrip(look, this)),
      m_place(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_fold(new ActionButton(look, ActionButton::Kind::Flat, this)),
      m_previous(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_next(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_stack(new QStackedWidget(this)),
      m_view(new CompareView(look, m_stack)),
      m_empty(new EmptyState(look, m_stack)) {
    setObjectName(QStringLiteral("comparePage"));
    m_left->setObjectName(QStringLiteral("compareLeft"));
    m_right->setObjectName(QStringLiteral("compareRight"));
    m_tabs->setAccessibleName(tr("Files that differ"));
    m_place->setObjectName(QStringLiteral("comparePlace"));
    m_fold->setObjectName(QStringLiteral("compareFold"));
    m_fold->setSmall(true);
    for (ActionButton *button : {m_previous, m_next})
        button->setSmall(true);
    m_previous->setAccessibleName(tr("Previous change"));
    m_previous->setToolTip(tr("Previous change (Alt+Up)"));
    m_previous->setIconName(QStringLiteral("prev"));
    m_next->setAccessibleName(tr("Next change"));
    m_next->setToolTip(tr("Next change (Alt+Down)"));
    m_next->setIconName(QStringLiteral("next"));
    auto *close = new ActionButton(look, ActionButton::Kind::Plain, this);
    close->setObjectName(QStringLiteral("compareClose"));
    close->setSmall(true);
    close->setText(tr("Close"));
    close->setKey(QStringLiteral("Esc"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);

    auto *heads = new QHBoxLayout;
    heads->setContentsMargins(0, 0, 0, 1);
    heads->setSpacing(1);
    heads->addWidget(m_left, 1);
    heads->addWidget(m_right, 1);
    auto *files = new QHBoxLayout;
    files->setContentsMargins(look.px(4), 0, look.px(8), 0);
    files->setSpacing(look.px(8));
    files->addWidget(m_tabs, 1);
    files->addWidget(m_place);
    files->addWidget(m_fold);
    files->addWidget(m_previous);
    files->addWidget(m_next);
    files->addWidget(close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(heads);
    column->addWidget(m_metrics);
    column->addLayout(files);
    column->addWidget(m_stack, 1);
    m_tabs->setMinimumHeight(look.px(32));

    connect(m_tabs, &QTabBar::currentChanged, this, &ComparePage::showFile);
    connect(m_view, &CompareView::hunkChanged, this, &ComparePage::showPlace);
    connect(m_view, &CompareView::foldedChanged, this, [this](bool isFolded) {
        m_fold->setText(isFolded ? tr("Show all lines") : tr("Fold what is alike"));
    });
    connect(m_fold, &QAbstractButton::clicked, this, [this] { m_view->setFolded(!m_view->isFolded()); });
    connect(m_previous, &QAbstractButton::clicked, this, &ComparePage::previousChange);
    connect(m_next, &QAbstractButton::clicked, this, &ComparePage::nextChange);
    connect(close, &QAbstractButton::clicked, this, &ComparePage::closed);
    bindKey(this, QKeySequence(Qt::ALT | Qt::Key_Down), [this] { nextChange(); });
    bindKey(this, QKeySequence(Qt::ALT | Qt::Key_Up), [this] { previousChange(); });
    bindKey(this, QKeySequence(Qt::Key_Escape), [this] { emit closed(); });
    connect(&look, &Look::changed, this, [this] {
        m_tabs->setMinimumHeight(m_look.px(32));
        fitWidth();
        update();
    });
    setFocusProxy(m_view);
    m_empty->say(QStringLiteral("compare"), tr("Nothing to compare yet"), tr("pick two iterations"));
    m_stack->setCurrentWidget(m_empty);
    showPlace();
}

void ComparePage::compare(const ComparedSide &left, const ComparedSide &right) {
    auto metrics = comparedMetrics(left, right);
    m_left->show(left, metrics[0].left, metrics[1].left);
    m_right->show(right, metrics[0].right, metrics[1].right);
    if (std::optional<ComparedMetric> ratio = ratioMetric(left, right))
        metrics.insert(metrics.begin() + 1, *std::move(ratio));
    m_metrics->show(std::move(metrics));
    adopt({});
    m_empty->say(QStringLiteral("running"), tr("Comparing the texts"), QString());
    const int job = m_jobs.next();
    inPool(
        this, [before = left.texts, after = right.texts] { return compareTexts(before, after); },
        [this, job](const TextComparison &comparison) {
            if (m_jobs.isStale(job))
                return;
            adopt(comparison);
            emit ready();
        });
}

void ComparePage::adopt(const TextComparison &comparison) {
    m_files = comparison.differing();
    m_file = -1;
    m_tabs->blockSignals(true);
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    for (const ComparedFile &file : m_files) {
        const int tab = m_tabs->addTab(tabText(file));
        m_tabs->setTabToolTip(tab, file.path);
    }
    m_tabs->blockSignals(false);
    if (m_files.empty()) {
        m_empty->say(QStringLiteral("pass"), tr("The texts are the same"), tr("not one line differs"));
        m_stack->setCurrentWidget(m_empty);
        showPlace();
    } else {
        m_tabs->setCurrentIndex(0);
        showFile(0);
        m_view->setCurrentHunk(m_view->file().hunks.empty() ? -1 : 0);
    }
}

void ComparePage::showFile(int index) {
    if (index < 0 || index >= static_cast<int>(m_files.size()) || index == m_file)
        return;
    m_file = index;
    const ComparedFile &file = m_files[static_cast<std::size_t>(index)];
    if (file.kind == ComparedFile::Kind::Binary) {
        m_empty->say(QStringLiteral("file"), tr("%1 differs").arg(file.path),
                     tr("it holds bytes that are no text, or is too long to show line by line"));
    } else if (file.kind == ComparedFile::Kind::LineEnds) {
        m_empty->say(QStringLiteral("file"), tr("Only the ends of lines differ in %1").arg(file.path),
                     tr("CR LF on one side, or an end missing after the last line"));
    }
    const bool hasRows = !file.rows.empty() && file.kind != ComparedFile::Kind::LineEnds;
    m_view->setFile(hasRows ? file : ComparedFile{});
    m_stack->setCurrentWidget(hasRows ? static_cast<QWidget *>(m_view) : m_empty);
    showPlace();
}

void ComparePage::nextChange() {
    step(+1);
}

void ComparePage::previousChange() {
    step(-1);
}

void ComparePage::step(int direction) {
    const int hunks = static_cast<int>(m_view->file().hunks.size());
    const int wanted = m_view->currentHunk() + direction;
    if (wanted >= 0 && wanted < hunks) {
        m_view->setCurrentHunk(wanted);
        return;
    }
    const int file = m_file + direction;
    if (file < 0 || file >= static_cast<int>(m_files.size()))
        return;
    m_tabs->setCurrentIndex(file);
    const int count = static_cast<int>(m_view->file().hunks.size());
    m_view->setCurrentHunk(direction > 0 ? std::min(0, count - 1) : count - 1);
}

void ComparePage::showPlace() {
    const bool hasView = m_stack->currentWidget() == m_view;
    const int hunks = static_cast<int>(m_view->file().hunks.size());
    const int hunk = m_view->currentHunk();
    m_place->setText(!hasView   ? QString()
                     : hunk < 0 ? countText(hunks, tr("change"))
                                : tr("change %1 of %2").arg(hunk + 1).arg(hunks));
    m_fold->setVisible(hasView);
    m_previous->setEnabled(!m_files.empty() && (m_file > 0 || hunk > 0));
    m_next->setEnabled(!m_files.empty() &&
                       (m_file + 1 < static_cast<int>(m_files.size()) || hunk + 1 < hunks));
}

void ComparePage::fitWidth() {
    // The heads end where the texts below them do.
    m_left->setFixedWidth((width() - m_look.px(8)) / 2);
    const bool isWide = width() >= m_look.px(1100);
    m_previous->setText(isWide ? tr("Previous") : QString());
    m_previous->setKey(isWide ? QStringLiteral("Alt+Up") : QString());
    m_next->setText(isWide ? tr("Next") : QString());
    m_next->setKey(isWide ? QStringLiteral("Alt+Down") : QString());
}

void ComparePage::resizeEvent(QResizeEvent *) {
    fitWidth();
}

void ComparePage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    // The gaps between the heads are their edges.
    const int bottom = m_left->geometry().bottom() + 1;
    painter.fillRect(m_left->geometry().right() + 1, 0, 1, bottom, m_look.color("border.normal"));
    painter.fillRect(0, bottom, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
