// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/compared_files.h"

#include "app/ide/compare/compare_view.h"
#include "app/ide/kit/card.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QStackedWidget>

#include <algorithm>

namespace warpwright {
namespace {

QString tabText(const ComparedFile &file) {
    switch (file.kind) {
    case ComparedFile::Kind::Added:
        return ComparedFiles::tr("%1  new").arg(file.path);
    case ComparedFile::Kind::Removed:
        return ComparedFiles::tr("%1  gone").arg(file.path);
    case ComparedFile::Kind::Changed:
        return QStringLiteral("%1  +%2 −%3").arg(file.path).arg(file.added).arg(file.removed);
    default:
        return file.path;
    }
}

} // namespace

ComparedFiles::ComparedFiles(const Look &look, const QString &name, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_tabs(new TabStrip(look, this)),
      m_place(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_fold(new ActionButton(look, ActionButton::Kind::Flat, this)),
      m_previous(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_next(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_stack(new QStackedWidget(this)),
      m_view(new CompareView(look, m_stack)),
      m_empty(new EmptyState(look, m_stack)) {
    m_tabs->setObjectName(name + QStringLiteral("Tabs"));
    m_tabs->setAccessibleName(tr("Files that differ"));
    m_place->setObjectName(name + QStringLiteral("Place"));
    m_fold->setObjectName(name + QStringLiteral("Fold"));
    m_view->setObjectName(name + QStringLiteral("View"));
    m_empty->setObjectName(name + QStringLiteral("Empty"));
    for (ActionButton *button : {m_fold, m_previous, m_next})
        button->setSmall(true);
    m_previous->setAccessibleName(tr("Previous change"));
    m_previous->setIconName(QStringLiteral("prev"));
    m_next->setAccessibleName(tr("Next change"));
    m_next->setIconName(QStringLiteral("next"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);

    auto *files = new QHBoxLayout;
    files->setContentsMargins(look.px(4), 0, look.px(8), 0);
    files->setSpacing(look.px(8));
    files->addWidget(m_tabs, 1);
    files->addWidget(m_place);
    files->addWidget(m_fold);
    files->addWidget(m_previous);
    files->addWidget(m_next);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(files);
    column->addWidget(m_stack, 1);
    m_tabs->setMinimumHeight(look.px(32));

    connect(m_tabs, &QTabBar::currentChanged, this, &ComparedFiles::showFile);
    connect(m_view, &CompareView::hunkChanged, this, &ComparedFiles::showPlace);
    connect(m_view, &CompareView::foldedChanged, this, [this](bool isFolded) {
        m_fold->setText(isFolded ? tr("Show all lines") : tr("Fold what is alike"));
    });
    connect(m_fold, &QAbstractButton::clicked, this, [this] { m_view->setFolded(!m_view->isFolded()); });
    connect(m_previous, &QAbstractButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QAbstractButton::clicked, this, [this] { step(+1); });
    connect(&look, &Look::changed, this, [this] {
        m_tabs->setMinimumHeight(m_look.px(32));
        fitWidth();
    });
    setFocusProxy(m_view);
    m_stack->setCurrentWidget(m_empty);
    showPlace();
}

void ComparedFiles::setFiles(std::vector<ComparedFile> files) {
    m_files = std::move(files);
    m_file = -1;
    m_tabs->blockSignals(true);
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    for (const ComparedFile &file : m_files) {
        const int tab = m_tabs->addTab(tabText(file));
        m_tabs->setTabToolTip(tab, file.path);
    }
    m_tabs->blockSignals(false);
    if (m_files.empty())
        return;
    m_tabs->setCurrentIndex(0);
    showFile(0);
    m_view->setCurrentHunk(m_view->file().hunks.empty() ? -1 : 0);
}

void ComparedFiles::say(const QString &icon, const QString &what, const QString &how) {
    m_empty->say(icon, what, how);
    m_stack->setCurrentWidget(m_empty);
    showPlace();
}

void ComparedFiles::showFile(int index) {
    if (index < 0 || index >= count() || index == m_file)
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

void ComparedFiles::step(int direction) {
    const int hunks = static_cast<int>(m_view->file().hunks.size());
    const int wanted = m_view->currentHunk() + direction;
    if (wanted >= 0 && wanted < hunks) {
        m_view->setCurrentHunk(wanted);
        return;
    }
    const int file = m_file + direction;
    if (file < 0 || file >= count())
        return;
    m_tabs->setCurrentIndex(file);
    const int found = static_cast<int>(m_view->file().hunks.size());
    m_view->setCurrentHunk(direction > 0 ? std::min(0, found - 1) : found - 1);
}

void ComparedFiles::showPlace() {
    const bool hasView = m_stack->currentWidget() == m_view;
    const int hunks = static_cast<int>(m_view->file().hunks.size());
    const int hunk = m_view->currentHunk();
    m_place->setText(!hasView   ? QString()
                     : hunk < 0 ? countText(hunks, tr("change"))
                                : tr("change %1 of %2").arg(hunk + 1).arg(hunks));
    m_fold->setVisible(hasView);
    const bool hasPrevious = !m_files.empty() && (m_file > 0 || hunk > 0);
    const bool hasNext = !m_files.empty() && (m_file + 1 < count() || hunk + 1 < hunks);
    m_previous->setEnabled(hasPrevious);
    m_previous->setToolTip(hasPrevious       ? tr("Previous change (Alt+Up)")
                           : m_files.empty() ? tr("Nothing differs")
                                             : tr("No change comes before this one"));
    m_next->setEnabled(hasNext);
    m_next->setToolTip(hasNext           ? tr("Next change (Alt+Down)")
                       : m_files.empty() ? tr("Nothing differs")
                                         : tr("No change comes after this one"));
}

void ComparedFiles::fitWidth() {
    const bool isWide = width() >= m_look.px(1100);
    m_previous->setText(isWide ? tr("Previous") : QString());
    m_previous->setKey(isWide ? QStringLiteral("Alt+Up") : QString());
    m_next->setText(isWide ? tr("Next") : QString());
    m_next->setKey(isWide ? QStringLiteral("Alt+Down") : QString());
}

void ComparedFiles::resizeEvent(QResizeEvent *) {
    fitWidth();
}

} // namespace warpwright
