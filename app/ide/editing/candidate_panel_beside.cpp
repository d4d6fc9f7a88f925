// SPDX-License-Identifier: GPL-3.0-or-later
// How one gets from file to file in candidate_panel.h: tabs, the list of all, order of use, a file beside,
// and what of them has changed.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/changed_lines.h"
#include "app/ide/files/beside_view.h"
#include "app/ide/files/file_names.h"
#include "app/ide/files/file_walk.h"
#include "app/ide/files/folder_watch.h"
#include "app/ide/review/past_review_views.h"
#include "toolchain/text/source_text.h"
#include "toolchain/workspace/head_texts.h"
#include "widgets/editor/auto_close.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/find_bar.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/ask_bar.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>

namespace warpwright {

void CandidatePanel::buildFiles() {
    m_split = new QSplitter(Qt::Horizontal, this);
    m_split->setObjectName(QStringLiteral("candidateSplit"));
    m_split->setChildrenCollapsible(false);
    m_split->setHandleWidth(m_look.px(4));
    m_split->addWidget(m_stack);
    m_walk = new FileWalk(this);
    m_folders = new FolderWatch(m_bench.folders(), this);
    connect(m_folders, &FolderWatch::filesCame, this, &CandidatePanel::takeNewFiles);
    m_allFiles = new ActionButton(m_look, ActionButton::Kind::Flat, this);
    m_allFiles->setObjectName(QStringLiteral("allFiles"));
    m_allFiles->setIconName(QStringLiteral("chevron-down"));
    m_allFiles->setSmall(true);
    m_allFiles->setToolTip(tr("All files"));
    m_allFiles->setAccessibleName(m_allFiles->toolTip());
    m_allFiles->hide();
    addToHead(m_allFiles);
    setTitleYields();
    tabs()->setOthersYield();
    tabs()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_allFiles, &QAbstractButton::clicked, this,
            [this] { fillFileMenu(m_allFiles->mapToGlobal(QPoint(0, m_allFiles->height()))); });
    // Its own room would be asked for while the tabs are being laid out.
    connect(
        tabs(), &TabStrip::crowdedChanged, m_allFiles,
        [this] { m_allFiles->setVisible(tabs()->isCrowded() || m_allFiles->hasFocus()); },
        Qt::QueuedConnection);
    connect(tabs(), &QWidget::customContextMenuRequested, this, [this](const QPoint &place) {
        // The menu key asks in the middle of the bar, and means the tab that is open.
        const bool isByKey =
            tabs()->hasFocus() && place == QRect(tabs()->width() / 2, 0, 1, tabs()->height()).center();
        const int tab = isByKey ? tabs()->currentIndex() : tabs()->tabAt(place);
        if (tab >= 0)
            emit tabMenuAsked(tabs()->tabToolTip(tab),
                              tabs()->mapToGlobal(isByKey ? tabs()->tabRect(tab).bottomLeft() : place));
    });
}

QStringList CandidatePanel::tabFiles() const {
    QStringList files;
    for (int tab = 0; tab < tabs()->count(); ++tab)
        files << tabs()->tabToolTip(tab);
    return files;
}

void CandidatePanel::fillFileMenu(const QPoint &globalPosition) {
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("allFilesMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &file : tabFiles()) {
        const Open open = m_bench.shown().isEarlier || !m_bench.workspace()
                              ? Open()
                              : m_open.value(m_bench.workspace()->folder + QLatin1Char('/') + file);
        const bool isDirty = open.file != nullptr && open.file->isDirty();
        QAction *row = menu->addAction(isDirty ? tr("%1, not saved").arg(file) : file);
        row->setCheckable(true);
        row->setChecked(file == currentFile());
        connect(row, &QAction::triggered, this, [this, file] {
            showFile(file);
            focusHere();
        });
    }
    menu->popup(globalPosition);
}

void CandidatePanel::stepFile(int by) {
    const QString file = m_walk->step(by);
    if (file.isEmpty() || !showFile(file))
        return;
    m_stack->currentWidget()->setFocus();
}

void CandidatePanel::followFiles() {
    const QStringList files = tabFiles();
    m_walk->setFiles(files);
    m_walk->use(currentFile());
    if (m_beside == nullptr)
        return;
    if (files.isEmpty()) {
        closeBeside();
        return;
    }
    QString file = m_beside->file();
    // A file that was renamed has its editor still.
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open)
        if (m_beside->source() == open->editor && !m_bench.shown().isEarlier)
            file = relative(open.key());
    m_beside->setFiles(files, shortNames(files));
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open)
        m_beside->setDirty(relative(open.key()), open->file->isDirty());
    showBeside(files.contains(file) ? file : currentFile());
}

void CandidatePanel::showBeside(const QString &file) {
    m_find->setEditor(currentEditor()); // hits of the text before are none of the next
    if (!m_bench.shown().isEarlier) {
        CodeEditor *live = editorOf(file);
        if (live == nullptr) // it could not be read
            live = m_open.value(m_bench.workspace()->folder + QLatin1Char('/') + file).editor;
        if (live != nullptr)
            m_beside->share(file, *live);
        return;
    }
    const ShownReview *review = shownReview();
    const CandidateTexts &texts = review != nullptr ? review->texts : m_bench.shown().texts;
    const auto found = texts.find(file);
    m_beside->showText(
        file, found == texts.end() ? QString() : decodeSourceText(found->second).text,
        tr("An earlier text, read-only. Branch from it to go on from it, or go back to your text."));
}

void CandidatePanel::openBeside(const QString &file) {
    const QStringList files = tabFiles();
    const QString wanted = file.isEmpty() ? currentFile() : file;
    if (!files.contains(wanted))
        return;
    const bool isNew = m_beside == nullptr;
    if (isNew) {
        m_beside = new BesideView(m_look, m_split);
        m_split->addWidget(m_beside);
        m_split->setSizes({m_split->width() / 2, m_split->width() / 2});
        connect(m_beside, &BesideView::closeAsked, this, &CandidatePanel::closeBeside);
        connect(m_beside, &BesideView::fileChosen, this, &CandidatePanel::showBeside);
        connect(m_beside->editor(), &CodeEditor::zoomRequested, this, &CandidatePanel::zoomAsked);
        connect(m_beside->editor(), &CodeEditor::placeChanged, this, [this](int line, int column) {
            if (m_beside != nullptr && m_beside->editor()->hasFocus())
                emit placeChanged(m_beside->file(), line, column);
        });
        m_beside->editor()->decorator<AutoClose>().setEnabled(m_closesBrackets);
        m_beside->setFiles(files, shortNames(files));
        for (auto open = m_open.cbegin(); open != m_open.cend(); ++open)
            m_beside->setDirty(relative(open.key()), open->file->isDirty());
    }
    showBeside(wanted);
    if (!isNew)
        return;
    m_beside->show();
    emit besideChanged();
}

void CandidatePanel::closeBeside() {
    if (m_beside == nullptr)
        return;
    const bool hadFocus = m_beside->isAncestorOf(QApplication::focusWidget());
    m_find->setEditor(currentEditor());
    // It may be its own button that asks.
    BesideView *gone = std::exchange(m_beside, nullptr);
    gone->editor()->showDocumentOf(nullptr);
    gone->hide();
    gone->setParent(nullptr);
    gone->deleteLater();
    if (hadFocus)
        focusHere();
    emit besideChanged();
}

void CandidatePanel::goToOther() {
    if (m_beside == nullptr)
        return;
    (m_beside->editor()->hasFocus() ? m_stack->currentWidget() : m_beside->editor())->setFocus();
}

CodeEditor *CandidatePanel::focusedEditor() const {
    return m_beside != nullptr && m_beside->editor()->hasFocus() ? m_beside->editor() : currentEditor();
}

void CandidatePanel::setChangesSinceHead(bool sinceHead) {
    m_sinceHead = sinceHead;
    readHead();
}

void CandidatePanel::readHead() {
    if (!m_bench.workspace())
        return;
    QStringList files;
    for (const QString &path : std::as_const(m_paths))
        files << relative(path);
    inPool(
        this, [folder = m_bench.workspace()->folder, files] { return textsAtHead(folder, files); },
        [this, job = m_headJob.next()](const Result<HeadTexts> &head) {
            if (m_headJob.isStale(job))
                return;
            emit headKnown(head.hasValue() ? QString() : head.message());
            for (auto open = m_open.cbegin(); open != m_open.cend(); ++open) {
                const auto found = head.hasValue() ? head.value().texts.constFind(relative(open.key()))
                                                   : QHash<QString, QByteArray>::const_iterator();
                if (!m_sinceHead || !head.hasValue())
                    open->changed->compareWithBase();
                else
                    open->changed->compareWithHead(
                        found == head.value().texts.constEnd() ? QString() : decodeSourceText(*found).text);
            }
        });
}

ChangedLines *CandidatePanel::changesOf(const CodeEditor *editor) const {
    for (const Open &open : m_open)
        if (open.editor == editor ||
            (m_beside != nullptr && editor == m_beside->editor() && open.editor == m_beside->source()))
            return open.changed;
    return nullptr;
}

void CandidatePanel::goToChange(int by) {
    CodeEditor *editor = focusedEditor();
    const ChangedLines *changes = changesOf(editor);
    const int line = changes == nullptr ? 0 : nextChange(changes->runs(), editor->cursorPlace().line, by);
    if (line > 0)
        editor->goTo(line, 0);
    else
        emit noticed(tr("No change here"),
                     tr("%1 reads as %2.")
                         .arg(currentFile(), m_sinceHead ? tr("at git's HEAD") : tr("at the last check")),
                     false);
}

void CandidatePanel::revertChange() {
    CodeEditor *editor = focusedEditor();
    ChangedLines *changes = changesOf(editor);
    const int line = editor->cursorPlace().line;
    if (changes == nullptr || runAt(changes->runs(), line) == nullptr) {
        emit noticed(
            tr("Nothing to revert"),
            tr("Line %1 is not changed. Put the cursor into lines with a bar at their left.").arg(line),
            false);
        return;
    }
    changes->revertAt(line);
}

void CandidatePanel::revertToDisk() {
    const CodeEditor *editor = focusedEditor();
    if (m_beside != nullptr && editor == m_beside->editor())
        editor = m_beside->source();
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open) {
        if (open->editor != editor)
            continue;
        const QString file = relative(open.key());
        if (open->file->isGone())
            return emit noticed(
                tr("Nothing to revert to"),
                tr("%1 is not on the disk any more. Save it, and it is written anew.").arg(file), false);
        if (!open->file->isDirty() && !open->file->hasConflict())
            return emit noticed(tr("Nothing to revert"), tr("%1 reads as on the disk.").arg(file), false);
        return open->file->discardChanges();
    }
}

// Beside what is there now: nothing is saved, and a run sees it as typed.
void CandidatePanel::takeShownText() {
    if (!m_bench.shown().isEarlier || !m_bench.workspace())
        return;
    const QString file = currentFile();
    const Open open = m_open.value(m_bench.workspace()->folder + QLatin1Char('/') + file);
    if (m_viewed != file || open.file == nullptr || open.file->isReadOnlyKind() || open.file->hasConflict())
        return emit noticed(
            tr("Not reverted"),
            open.file != nullptr && open.file->hasConflict()
                ? tr("%1 has changed on disk, too. Answer the question about it first.").arg(file)
                : tr("Your text has no file %1 that could be changed. Branch from here to go "
                     "on from the whole iteration.")
                      .arg(file),
            false);
    open.file->takeText(m_viewer->content());
    m_bench.backToText();
    showFile(file);
}

void CandidatePanel::find(bool replaces) {
    m_find->setEditor(focusedEditor());
    m_find->open(replaces);
}

void CandidatePanel::askLine() {
    CodeEditor *editor = focusedEditor();
    m_ask->ask(tr("Go to line"), QString::number(editor->cursorPlace().line),
               [editor = QPointer(editor)](const QString &text) {
                   if (!editor) // its file has gone, or was closed
                       return QString();
                   const QStringList parts = text.split(QLatin1Char(':'));
                   bool isNumber = false;
                   const int line = parts.value(0).trimmed().toInt(&isNumber);
                   if (!isNumber || line < 1)
                       return tr("A line is a number from 1 to %1, as 12 or 12:5.").arg(editor->lineCount());
                   QMetaObject::invokeMethod(
                       editor.data(),
                       [editor, line, column = parts.value(1).toInt()] { editor->goTo(line, column); },
                       Qt::QueuedConnection);
                   return QString();
               });
}

bool CandidatePanel::keepDrafts() {
    bool areKept = true;
    for (const Open &open : std::as_const(m_open))
        areKept = open.file->flushDraft() && areKept;
    return areKept;
}

void CandidatePanel::setClosesBrackets(bool closes) {
    m_closesBrackets = closes;
    for (const CodeEditor *editor : findChildren<CodeEditor *>())
        if (auto *autoClose = editor->findDecorator<AutoClose>()) // the hidden ones of SyntaxColors have none
            autoClose->setEnabled(closes);
}

} // namespace warpwright
