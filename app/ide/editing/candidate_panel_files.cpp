// SPDX-License-Identifier: GPL-3.0-or-later
// New, rename and delete of the candidate's files, and what is asked about them.
#include "app/ide/editing/candidate_panel.h"
#include "toolchain/base/text_file.h"
#include "toolchain/text/source_text.h"
#include "toolchain/workspace/candidate_files.h"
#include "widgets/editor/auto_close.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"
#include "widgets/frame/ask_bar.h"
#include "widgets/frame/tab_strip.h"

#include <QFile>
#include <QFileInfo>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace warpwright {
namespace {

CandidateFiles filesOf(const Workspace &workspace) {
    return {workspace.folder, workspace.state};
}

} // namespace

void CandidatePanel::newKernel() {
    if (m_bench.workspace()->isLoneFile) {
        emit noticed(tr("This is a lone file"), tr("Make a workspace of it first: New from model.py."),
                     false);
        return;
    }
    m_ask->ask(tr("Name of the new kernel"), QString(), [this](const QString &typed) {
        const CandidateFiles files = filesOf(*m_bench.workspace());
        const QString stem = typed.trimmed();
        const QString wrong = files.whyNoKernelName(stem);
        if (!wrong.isEmpty())
            return wrong;
        inPool(
            this,
            [files, stem, resources = m_bench.folders().resources] {
                return files.makeKernel(stem, true, resources);
            },
            [this, stem](const Result<QStringList> &made) {
                if (!made.hasValue()) {
                    emit noticed(tr("No new kernel"), made.message(), true);
                    return;
                }
                for (const QString &file : made.value())
                    m_notChecked.insert(m_bench.workspace()->folder + QLatin1Char('/') + file);
                m_wanted = QStringLiteral("kernels/%1.cu").arg(stem);
                m_bench.refreshFiles();
            });
        return QString();
    });
}

void CandidatePanel::renameCurrent() {
    const QString name = relative(currentPath());
    if (proposedEditor(currentFile()) != nullptr)
        return emit noticed(tr("Not renamed"),
                            tr("\"%1\" is proposed, and not on the disk yet.").arg(currentFile()), false);
    if (!isCandidatePath(name) || !name.startsWith(QLatin1String("kernels/"))) {
        emit noticed(tr("Not renamed"),
                     tr("\"%1\" has a fixed name; only files in kernels/ can be renamed.").arg(name), false);
        return;
    }
    m_ask->ask(tr("New name of %1").arg(QFileInfo(name).fileName()), QFileInfo(name).completeBaseName(),
               [this, name](const QString &typed) {
                   saveAll([this, name, typed = typed.trimmed()](bool isSaved) {
                       if (!isSaved)
                           return;
                       inPool(
                           this,
                           [files = filesOf(*m_bench.workspace()), name, typed] {
                               return files.rename(name, typed);
                           },
                           [this](const Result<std::vector<CandidateFiles::Renamed>> &renamed) {
                               if (!renamed.hasValue()) {
                                   emit noticed(tr("Not renamed"), renamed.message(), true);
                                   return;
                               }
                               follow(renamed.value());
                               emit saved();
                               m_bench.refreshFiles();
                               tellRenamed(renamed.value());
                           });
                   });
                   return QString();
               });
}

void CandidatePanel::tellRenamed(const std::vector<CandidateFiles::Renamed> &renamed) {
    QStringList pairs;
    for (const auto &[from, to] : renamed)
        pairs << tr("%1 is now %2").arg(QFileInfo(from).fileName(), QFileInfo(to).fileName());
    emit renamedFiles(tr("Renamed"), pairs.join(QStringLiteral(", ")) + QLatin1Char('.'),
                      [self = QPointer(this), renamed, folder = m_bench.workspace()->folder] {
                          // The notice may be older than the workspace that is open.
                          if (self && self->m_bench.workspace() &&
                              self->m_bench.workspace()->folder == folder)
                              self->renameBack(renamed);
                      });
}

void CandidatePanel::renameBack(const std::vector<CandidateFiles::Renamed> &renamed) {
    saveAll([this, renamed](bool isSaved) {
        if (!isSaved)
            return;
        inPool(
            this, [files = filesOf(*m_bench.workspace()), renamed] { return files.renameBack(renamed); },
            [this, renamed](const Result<void> &done) {
                if (!done.hasValue())
                    return emit noticed(tr("Not renamed back"), done.message(), true);
                std::vector<CandidateFiles::Renamed> back;
                for (const auto &[from, to] : renamed)
                    back.push_back({to, from});
                follow(back);
                emit saved();
                m_bench.refreshFiles();
            });
    });
}

void CandidatePanel::follow(const std::vector<CandidateFiles::Renamed> &renamed) {
    // Whoever reads one of them goes on reading it.
    QString &wanted = m_bench.shown().isEarlier ? m_editedBefore : m_wanted;
    const QString read = m_bench.shown().isEarlier ? m_editedBefore : currentFile();
    for (const auto &[from, to] : renamed)
        if (from == read)
            wanted = to;
    const QString folder = m_bench.workspace()->folder + QLatin1Char('/');
    for (const auto &[from, to] : renamed) {
        // The editor stays, and with it the undo of everything that was typed into it.
        if (!m_open.contains(folder + from) || m_open.contains(folder + to))
            continue;
        Open moved = m_open.take(folder + from);
        moveChecked(folder + from, folder + to, moved);
        moved.file->disconnect(this);
        moved.editor->disconnect(this);
        moved.file->setPath(folder + to);
        adopt(folder + to, moved);
    }
    m_editTimer.start();
}

void CandidatePanel::deleteCurrent() {
    const QString name = relative(currentPath());
    if (proposedEditor(currentFile()) != nullptr)
        return emit noticed(tr("Not deleted"), tr("\"%1\" is proposed: reject it.").arg(currentFile()),
                            false);
    if (!name.startsWith(QLatin1String("kernels/"))) {
        emit noticed(
            tr("Not deleted"),
            tr("\"%1\" belongs to every workspace; only files in kernels/ can be deleted.").arg(name), false);
        return;
    }
    saveAll([this, name](bool isSaved) {
        if (!isSaved)
            return;
        const CandidateFiles files = filesOf(*m_bench.workspace());
        inPool(
            this, [files, name] { return files.remove({name}); },
            [this, files, name](const Result<CandidateFiles::Trashed> &trashed) {
                if (!trashed.hasValue()) {
                    emit noticed(tr("Not deleted"), trashed.message(), true);
                    return;
                }
                emit saved();
                m_bench.refreshFiles();
                // Nothing is lost: it waits in the trash of the workspace.
                m_ask->offer(tr("%1 was moved to the workspace's trash.").arg(name),
                             {{tr("Undo"),
                               [this, files, removed = trashed.value()] {
                                   inPool(
                                       this, [files, removed] { return files.restore(removed); },
                                       [this](const Result<void> &restored) {
                                           if (!restored.hasValue())
                                               emit noticed(tr("Not brought back"), restored.message(), true);
                                           emit saved();
                                           m_bench.refreshFiles();
                                       });
                               }},
                              {tr("Close"), [] {
                               }}});
            });
    });
}

void CandidatePanel::setConflict(const QString &path, const QString &question) {
    m_open[path].conflict = question;
    markTab(path);
    // Of a file that is not seen: its tab has the mark, and the question waits there.
    if (!question.isEmpty() && path != currentPath())
        emit noticed(tr("A file waits for an answer"), question, true);
    askAboutConflict();
}

void CandidatePanel::askAboutConflict() {
    const auto open = m_open.constFind(currentPath());
    if (open == m_open.cend() || open->conflict.isEmpty()) {
        if (std::exchange(m_asksAboutConflict, false))
            m_ask->close();
        return;
    }
    m_asksAboutConflict = true;
    const auto answer = [file = QPointer(open->file)](void (EditedFile::*how)()) {
        return [file, how] {
            if (file) // it may have been taken away meanwhile
                (file->*how)();
        };
    };
    m_ask->offer(open->conflict, {{tr("Keep mine"), answer(&EditedFile::keepMine)},
                                  {tr("Take the disk's"), answer(&EditedFile::takeDisk)},
                                  {tr("Both, with marks"), answer(&EditedFile::takeBoth)}});
}

void CandidatePanel::watchFolder() {
    // When a folder above is moved or renamed the files' own watchers hear nothing.
    const QString folder = m_bench.workspace()->folder;
    m_folderWatcher = std::make_unique<QFileSystemWatcher>(QStringList{QFileInfo(folder).path()});
    connect(m_folderWatcher.get(), &QFileSystemWatcher::directoryChanged, this, [this, folder] {
        inPool(
            this, [folder] { return QFileInfo::exists(folder); },
            [this, folder](bool isThere) {
                if (!isThere && m_bench.workspace() && m_bench.workspace()->folder == folder)
                    checkDisk();
            });
    });
}

void CandidatePanel::offerLostDrafts() {
    inPool(
        this,
        [drafts = *m_drafts, folder = m_bench.workspace()->folder + QLatin1Char('/')] {
            std::vector<Draft> lost;
            for (Draft &draft : drafts.recoverable())
                if (draft.file.startsWith(folder) && draft.text != draft.baseText &&
                    !QFileInfo::exists(draft.file))
                    lost.push_back(std::move(draft));
            return lost;
        },
        [this](const std::vector<Draft> &lost) {
            for (const Draft &draft : lost)
                emit draftFound(tr("Unsaved text of a file that is gone"),
                                tr("%1, typed until %2.")
                                    .arg(relative(draft.file), draft.time.toLocalTime().toString(
                                                                   QStringLiteral("yyyy-MM-dd HH:mm:ss"))),
                                [this, draft] { bringBack(draft); });
        });
}

void CandidatePanel::bringBack(const Draft &draft) {
    inPool(
        this,
        [draft] {
            // The text that the typing began with: the draft joins it when the file is loaded. Nothing is
            // overwritten.
            QFile file(draft.file);
            const Result<void> folder = makeFolder(QFileInfo(draft.file).path());
            if (!folder.hasValue())
                return folder;
            if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly) &&
                file.write(draft.baseText.toUtf8()) >= 0 && file.flush())
                return folder;
            return Result<void>::error(tr("Cannot write \"%1\": %2").arg(draft.file, file.errorString()));
        },
        [this](const Result<void> &made) {
            if (!made.hasValue())
                emit noticed(tr("Not brought back"), made.message(), true);
            m_bench.refreshFiles();
        });
}

void CandidatePanel::setBar(QWidget *bar) {
    if (m_bars == nullptr) {
        m_bars = new QWidget(this);
        auto *column = new QVBoxLayout(m_bars);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        m_column->insertWidget(1, m_bars);
    }
    m_bars->layout()->addWidget(bar);
}

void CandidatePanel::setBarBelow(QWidget *bar) {
    m_barBelow = new QWidget(this);
    auto *column = new QVBoxLayout(m_barBelow);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(bar);
    m_column->addWidget(m_barBelow);
}

CodeEditor *CandidatePanel::editorOf(const QString &file) const {
    if (!m_bench.workspace())
        return nullptr;
    if (CodeEditor *proposed = proposedEditor(file); proposed != nullptr)
        return proposed;
    const Open open = m_open.value(m_bench.workspace()->folder + QLatin1Char('/') + file);
    return open.file != nullptr && open.file->isLoaded() ? open.editor : nullptr;
}

std::optional<QByteArray> CandidatePanel::bytesOf(const QString &file) const {
    const CodeEditor *editor = editorOf(file);
    if (editor == nullptr)
        return std::nullopt;
    if (editor == proposedEditor(file))
        return editor->content().toUtf8();
    SourceText source = m_open[m_bench.workspace()->folder + QLatin1Char('/') + file].file->known();
    source.text = editor->content();
    Result<QByteArray> bytes = encodeSourceText(source);
    return bytes.hasValue() ? std::optional(std::move(bytes).value()) : std::nullopt;
}

CodeEditor *CandidatePanel::proposedEditor(const QString &file) const {
    for (const auto &[name, editor] : m_proposed)
        if (name == file)
            return editor;
    return nullptr;
}

bool CandidatePanel::isOnDisk(const QString &file) const {
    return m_bench.workspace() && m_paths.contains(m_bench.workspace()->folder + QLatin1Char('/') + file);
}

void CandidatePanel::endProposed(const QString &file) {
    const auto found = std::find_if(m_proposed.begin(), m_proposed.end(),
                                    [&file](const auto &one) { return one.first == file; });
    if (found == m_proposed.end())
        return;
    CodeEditor *editor = found->second;
    m_proposed.erase(found);
    // Whoever reads an accepted file goes on reading it when it is written.
    if (m_stack->currentWidget() == editor && !editor->content().isEmpty())
        m_wanted = file;
    m_stack->removeWidget(editor);
    editor->deleteLater();
}

void CandidatePanel::setProposed(const QStringList &files) {
    bool isOther = false;
    for (const auto &[file, editor] : std::vector(m_proposed))
        if (!files.contains(file)) {
            endProposed(file);
            isOther = true;
        }
    for (const QString &file : files) {
        if (isOnDisk(file) || proposedEditor(file) != nullptr)
            continue;
        auto *editor = makeCodeEditor(m_look, this).release();
        editor->setObjectName(QStringLiteral("editor:") + file);
        editor->setAccessibleName(file);
        editor->setLanguage(CodeEditor::languageOf(file));
        editor->decorator<AutoClose>().setEnabled(m_closesBrackets);
        m_stack->addWidget(editor);
        m_proposed.emplace_back(file, editor);
        connect(editor, &CodeEditor::placeChanged, this,
                [this, file](int line, int column) { emit placeChanged(file, line, column); });
        connect(editor, &CodeEditor::zoomRequested, this, &CandidatePanel::zoomAsked);
        isOther = true;
    }
    if (isOther)
        fillTabs();
}

bool CandidatePanel::showsEarlier() const {
    return m_bench.shown().isEarlier;
}

void CandidatePanel::expectReload(const CandidateTexts &byRun) {
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open)
        if (const auto text = byRun.find(relative(open.key())); text != byRun.end())
            open->file->expectWritten(text->second);
    m_sinceWritten.start();
    checkDisk();
}

void CandidatePanel::expectGone(const CandidateTexts &texts, bool isGoing) {
    m_going.clear();
    for (auto open = m_open.cbegin(); isGoing && open != m_open.cend(); ++open)
        if (texts.find(relative(open.key())) == texts.end())
            m_going.insert(open.key());
}

bool CandidatePanel::showFile(const QString &file) {
    for (int i = 0; i < tabs()->count(); ++i)
        if (tabs()->tabToolTip(i) == file) {
            tabs()->setCurrentIndex(i);
            return true;
        }
    return false;
}

} // namespace warpwright
