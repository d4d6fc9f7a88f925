// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/candidate_panel.h"

#include "app/ide/editing/candidate_marks.h"
#include "app/ide/editing/changed_lines.h"
#include "app/ide/editing/line_hover.h"
#include "app/ide/files/beside_view.h"
#include "app/ide/files/file_names.h"
#include "app/ide/files/file_walk.h"
#include "app/ide/files/folder_watch.h"
#include "widgets/editor/auto_close.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/find_bar.h"
#include "widgets/editor_setup.h"
#include "widgets/frame/ask_bar.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace warpwright {
namespace {

constexpr int countAfterMs = 120;

QJsonObject toJson(const EditorView &view) {
    QJsonArray folded;
    for (const int line : view.folded)
        folded.append(line);
    return {{QStringLiteral("firstLine"), view.firstLine},
            {QStringLiteral("line"), view.cursor.line},
            {QStringLiteral("column"), view.cursor.column},
            {QStringLiteral("folded"), folded}};
}

EditorView viewFrom(const QJsonObject &json) {
    EditorView view;
    view.firstLine = json[QStringLiteral("firstLine")].toInt(1);
    view.cursor = {json[QStringLiteral("line")].toInt(1), json[QStringLiteral("column")].toInt(1)};
    for (const auto line : json[QStringLiteral("folded")].toArray())
        view.folded.push_back(line.toInt());
    return view;
}

QString newsTitle(EditedFile::News news) {
    switch (news) {
    case EditedFile::News::Noted:
        return CandidatePanel::tr("About this file");
    case EditedFile::News::Reloaded:
    case EditedFile::News::Merged:
        return CandidatePanel::tr("A file changed");
    case EditedFile::News::Recovered:
        return CandidatePanel::tr("Unsaved text is back");
    case EditedFile::News::Gone:
    case EditedFile::News::DraftFailed:
        break;
    }
    return CandidatePanel::tr("Look at this file");
}

} // namespace

CandidatePanel::CandidatePanel(const Look &look, Workbench &bench, QAction *begin, QWidget *parent)
    : Pane(look, QStringLiteral("edit"), tr("Candidate"), parent),
      m_look(look),
      m_bench(bench),
      m_stack(new QStackedWidget(this)),
      m_viewer(makeCodeEditor(look, this).release()),
      m_empty(new EmptyState(look, this)),
      m_ask(new AskBar(look, this)),
      m_find(new FindBar(look, this)) {
    setObjectName(QStringLiteral("candidatePane"));
    m_viewer->setObjectName(QStringLiteral("earlierEditor"));
    m_empty->say(QStringLiteral("new-file"), tr("There is no candidate yet"),
                 tr("model_new.py and kernels/ are to replace the reference"), begin);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_viewer);
    auto *content = new QWidget(this);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_ask);
    buildFiles();
    m_column->addWidget(m_split, 1);
    m_column->addWidget(m_find);
    m_find->hide();
    setContent(content);
    m_editTimer.setSingleShot(true);
    m_editTimer.setInterval(countAfterMs);
    connect(&m_editTimer, &QTimer::timeout, this, &CandidatePanel::countEdits);
    connect(tabs(), &QTabBar::currentChanged, this, [this] {
        if (m_isFilling)
            return;
        showCurrent();
        m_walk->use(currentFile());
    });
    connect(m_viewer, &CodeEditor::zoomRequested, this, &CandidatePanel::zoomAsked);
    // As a replay leads from hunk to hunk, too. While another text comes it is told when that is there.
    connect(m_viewer, &CodeEditor::placeChanged, this, [this](int line, int column) {
        if (m_stack->currentWidget() == m_viewer && m_viewed == currentFile())
            emit placeChanged(m_viewed, line, column);
    });
    connect(new LineHover(*m_viewer), &LineHover::hovered, this,
            [this](int line) { emit lineHovered(currentFile(), line); });
    connect(&bench, &Workbench::shownChanged, this, [this] {
        // Back from an earlier iteration: to the file that was being edited.
        const bool isEarlier = m_bench.shown().isEarlier;
        if (m_bars != nullptr)
            m_bars->setVisible(!isEarlier);
        if (m_barBelow != nullptr)
            m_barBelow->setVisible(!isEarlier);
        if (isEarlier && !m_wasEarlier)
            m_editedBefore = currentFile();
        const bool isBack = std::exchange(m_wasEarlier, isEarlier) && !isEarlier;
        if (isBack && m_wanted.isEmpty())
            m_wanted = m_editedBefore;
        fillTabs();
        mark();
        if (isBack)
            focusHere();
    });
    connect(&bench, &Workbench::filesChanged, this, &CandidatePanel::setFiles);
    connect(&bench, &Workbench::compiledTextChanged, this, &CandidatePanel::mark);
    connect(&bench, &Workbench::closed, this, [this] {
        for (const Open &open : std::as_const(m_open)) {
            delete open.file;
            delete open.editor;
        }
        m_open.clear();
        m_going.clear();
        m_notLoaded.clear();
        m_paths.clear();
        m_folders->stop();
        beginChecked(false);
        m_savesLeft = 0; // whoever waits for one of that workspace waits for nothing
        m_afterSave.clear();
        m_asksAboutConflict = false;
        m_ask->close(); // what it asks or offers is of that workspace
        setProposed({});
        fillTabs();
    });
}

CandidatePanel::~CandidatePanel() {
    // The drafts of unsaved text are on disk before the editors go.
    for (const Open &open : std::as_const(m_open)) {
        open.file->flushDraft();
        delete open.file;
    }
}

QString CandidatePanel::relative(const QString &path) const {
    const QString folder = m_bench.workspace() ? m_bench.workspace()->folder + QLatin1Char('/') : QString();
    return path.startsWith(folder) ? path.mid(folder.size()) : path;
}

void CandidatePanel::openWorkspace(const QJsonObject &state) {
    m_drafts = std::make_unique<DraftStore>(m_bench.workspace()->state + QStringLiteral("/drafts"));
    beginChecked(m_bench.hasLiveEdits());
    m_wanted = state[QStringLiteral("file")].toString();
    connect(
        this, &CandidatePanel::loaded, this,
        [this, folder = m_bench.workspace()->folder, beside = state[QStringLiteral("beside")].toString()] {
            if (!beside.isEmpty() && m_bench.workspace() && m_bench.workspace()->folder == folder)
                openBeside(beside);
        },
        Qt::SingleShotConnection);
    m_notLoaded.clear();
    setFiles();
    const QJsonObject views = state[QStringLiteral("views")].toObject();
    for (const Open &open : std::as_const(m_open))
        connect(
            open.file, &EditedFile::loaded, this,
            [editor = open.editor, view = viewFrom(views[relative(open.file->path())].toObject())] {
                editor->restoreViewState(view);
            },
            Qt::SingleShotConnection);
    if (m_notLoaded.isEmpty())
        QMetaObject::invokeMethod(this, &CandidatePanel::loaded, Qt::QueuedConnection);
    offerLostDrafts();
    watchFolder();
}

QJsonObject CandidatePanel::saveState() const {
    QJsonObject views;
    for (const Open &open : m_open)
        views[relative(open.file->path())] = toJson(open.editor->viewState());
    return {{QStringLiteral("file"), relative(currentPath())},
            {QStringLiteral("views"), views},
            {QStringLiteral("beside"), m_beside == nullptr ? QString() : m_beside->file()}};
}

void CandidatePanel::setFiles() {
    const Workspace &workspace = *m_bench.workspace();
    QStringList files;
    for (const SourceFile &source : workspace.sources)
        files << source.name;
    QHash<QString, QString> paths;
    for (const SourceFile &source : workspace.sources)
        paths[source.name] = workspace.pathOf(source);
    if (!workspace.modelNewFile.isEmpty()) {
        files << relative(workspace.modelNewFile);
        paths[files.last()] = workspace.modelNewFile;
    }
    m_paths.clear();
    for (const QString &file : inReadingOrder(files))
        m_paths << paths[file];
    for (const QString &path : std::as_const(m_paths)) {
        endProposed(relative(path)); // it is on the disk now
        open(path);
    }
    int unfinished = 0;
    bool wasLoading = false;
    bool hasLostText = false;
    for (const QString &path : m_open.keys()) {
        if (m_paths.contains(path))
            continue;
        const Open gone = m_open.take(path);
        m_going.remove(path);
        forgetOpen(path, gone);
        unfinished += gone.file->isSaving() ? 1 : 0;
        if (gone.editor->content().isEmpty())
            gone.file->discardChanges(); // that it goes was accepted: no draft asks for it the next time
        hasLostText = hasLostText || gone.file->isDirty();
        m_stack->removeWidget(gone.editor);
        wasLoading = m_notLoaded.remove(gone.file) || wasLoading;
        delete gone.file; // what was typed is a draft now
        gone.editor->deleteLater();
    }
    if (hasLostText)
        offerLostDrafts();
    m_folders->setWorkspace(workspace);
    m_editTimer.start();
    fillTabs();
    readHead();
    for (; unfinished > 0; --unfinished)
        endSave(false); // it will tell nobody any more
    if (wasLoading && m_notLoaded.isEmpty())
        emit loaded();
}

void CandidatePanel::endLoad(const EditedFile *file) {
    if (m_notLoaded.remove(file) && m_notLoaded.isEmpty())
        emit loaded();
}

CandidatePanel::Open &CandidatePanel::open(const QString &path) {
    if (m_open.contains(path))
        return m_open[path];
    Open made;
    made.editor = makeCodeEditor(m_look, this).release();
    m_stack->addWidget(made.editor);
    made.file = new EditedFile(path, made.editor, *m_drafts, this);
    made.changed = new ChangedLines(*made.editor);
    made.editor->decorator<AutoClose>().setEnabled(m_closesBrackets);
    m_notLoaded.insert(made.file);
    adopt(path, made).file->load();
    return m_open[path];
}

CandidatePanel::Open &CandidatePanel::adopt(const QString &path, Open made) {
    made.editor->setObjectName(QStringLiteral("editor:") + relative(path));
    made.editor->setAccessibleName(relative(path));
    const auto isHere = [this, path](const EditedFile *file) {
        return m_open.value(path).file == file;
    };
    EditedFile *file = made.file;
    connect(file, &EditedFile::loaded, this, [this, file, path, isHere] {
        if (!isHere(file))
            return;
        m_open[path].base = checkedText(path, file->known().text);
        m_open[path].changed->setBase(m_open[path].base);
        if (!m_bench.readOnlyReason().isEmpty())
            file->editor()->setReadOnlyReason(m_bench.readOnlyReason());
        if (m_beside != nullptr && m_beside->source() == file->editor())
            m_beside->shareAnew();
        markEditor(*file->editor(), path);
        m_editTimer.start();
        endLoad(file);
    });
    connect(file, &EditedFile::loadFailed, this, [this, file](const QString &message) {
        emit noticed(tr("Cannot open a file"), message, true);
        endLoad(file);
    });
    connect(file, &EditedFile::saved, this, [this, path](bool isOther) {
        markTab(path);
        if (isOther)
            emit saved();
        m_editTimer.start(); // a file that was gone is there again
        endSave(true);
    });
    connect(file, &EditedFile::written, this, &CandidatePanel::written);
    connect(file, &EditedFile::cameBack, this, [this, path] {
        markTab(path);
        m_editTimer.start();
    });
    connect(file, &EditedFile::saveFailed, this, [this](const QString &message) {
        emit noticed(tr("Not saved"), message, true);
        endSave(false);
    });
    connect(file, &EditedFile::dirtyChanged, this, [this, path](bool isDirty) {
        if (const auto index = m_paths.indexOf(path); index >= 0 && !m_bench.shown().isEarlier)
            tabs()->setTabDirty(static_cast<int>(index), isDirty);
        if (m_beside != nullptr)
            m_beside->setDirty(relative(path), isDirty);
    });
    connect(file, &EditedFile::news, this, [this, path, file](EditedFile::News news, const QString &message) {
        if (news == EditedFile::News::Reloaded && isOfRun()) {
            m_editTimer.start();
            return;
        }
        // A run, or an earlier text, took it away: its tab goes as well.
        if (news == EditedFile::News::Gone &&
            ((m_bench.isLent() && isOfRun()) || m_going.contains(file->path())))
            return;
        markTab(path);
        const bool isTrouble = news == EditedFile::News::Gone || news == EditedFile::News::DraftFailed;
        emit noticed(newsTitle(news), message, isTrouble);
        m_editTimer.start();
    });
    connect(file, &EditedFile::conflictFound, this, [this, path, isHere, file](const QString &message) {
        if (isHere(file))
            setConflict(path, message);
    });
    connect(file, &EditedFile::conflictEnded, this, [this, path, isHere, file] {
        if (isHere(file))
            setConflict(path, {});
    });
    connect(made.editor, &CodeEditor::edited, this, [this] {
        m_isEdited = true;
        m_editTimer.start();
    });
    connect(new LineHover(*made.editor), &LineHover::hovered, this,
            [this, path](int line) { emit lineHovered(relative(path), line); });
    connect(made.editor, &CodeEditor::placeChanged, this,
            [this, path](int line, int column) { emit placeChanged(relative(path), line, column); });
    connect(made.editor, &CodeEditor::readOnlyRefused, this,
            [this](const QString &reason) { emit noticed(tr("Read-only"), reason, false); });
    connect(made.editor, &CodeEditor::zoomRequested, this, &CandidatePanel::zoomAsked);
    return *m_open.insert(path, made);
}

QString CandidatePanel::currentPath() const {
    return m_bench.shown().isEarlier ? QString() : m_paths.value(tabs()->currentIndex());
}

void CandidatePanel::fillTabs() {
    m_isFilling = true;
    // A file that was just made or renamed, or was open the last time, comes before the one that is open now.
    const QString open = tabs()->currentIndex() >= 0 ? tabs()->tabToolTip(tabs()->currentIndex()) : QString();
    QStringList names;
    if (m_bench.shown().isEarlier) {
        names = earlierFiles();
    } else {
        for (const QString &path : std::as_const(m_paths))
            names << relative(path);
        for (const auto &[file, editor] : m_proposed)
            names << file;
    }
    const QString before = names.contains(m_wanted) ? m_wanted : open;
    // From one event of a run to the next they mostly stay.
    QStringList there;
    for (int tab = 0; tab < tabs()->count(); ++tab)
        there << tabs()->tabToolTip(tab);
    const bool hadEarlier = std::exchange(m_hasEarlierTabs, m_bench.shown().isEarlier);
    const bool areThere = hadEarlier && m_hasEarlierTabs && there == names;
    while (!areThere && tabs()->count() > 0)
        tabs()->removeTab(0);
    const QStringList words = shortNames(names);
    for (const QString &name : areThere ? QStringList() : names) {
        const int index = tabs()->addTab(words[names.indexOf(name)]);
        tabs()->setTabToolTip(index, name);
        if (const Open shown = m_open.value(m_paths.value(index));
            !m_bench.shown().isEarlier && shown.file != nullptr) {
            tabs()->setTabDirty(index, shown.file->isDirty());
            markTab(m_paths.value(index));
        } else if (!m_bench.shown().isEarlier) {
            tabs()->setTabMark(index, QStringLiteral("new-file"), "accent.text",
                               tr("proposed, not on the disk"));
        }
    }
    if (names.contains(m_wanted))
        m_wanted.clear();
    const auto index = names.indexOf(before);
    if (!names.isEmpty())
        tabs()->setCurrentIndex(std::max(0, static_cast<int>(index)));
    m_isFilling = false;
    showCurrent();
    followFiles();
}

void CandidatePanel::showCurrent() {
    const Shown &shown = m_bench.shown();
    const QString &locked = m_bench.readOnlyReason();
    if (shown.isEarlier)
        setRemark(!shown.replay.isEmpty() ? tr("replay, read-only")
                                          : tr("iteration %1, read-only").arg(shown.iteration));
    else
        setRemark(locked.isEmpty() ? QString() : m_bench.readOnlyWords(), locked);
    if (tabs()->currentIndex() < 0) {
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    if (m_bench.shown().isEarlier) {
        showEarlier();
        return;
    }
    CodeEditor *proposed = proposedEditor(currentFile());
    CodeEditor *editor = proposed != nullptr ? proposed : m_open.value(currentPath()).editor;
    const bool hadFocus = m_stack->currentWidget() != nullptr && m_stack->currentWidget()->hasFocus();
    m_stack->setCurrentWidget(editor);
    m_find->setEditor(editor);
    askAboutConflict();
    if (hadFocus)
        editor->setFocus();
    const EditorPlace place = editor->cursorPlace();
    emit placeChanged(currentFile(), place.line, place.column);
}

void CandidatePanel::markEditor(CodeEditor &editor, const QString &path) const {
    markCandidate(editor, relative(path), m_bench.shown(), m_bench.compiledText(), m_bench.edits() > 0);
}

void CandidatePanel::mark() {
    if (m_bench.shown().isEarlier)
        return; // showEarlier() did
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open)
        markEditor(*open->editor, open.key());
}

bool CandidatePanel::hasUnsaved() const {
    return std::any_of(m_open.begin(), m_open.end(), [](const Open &open) { return open.file->isDirty(); });
}

void CandidatePanel::saveAll(std::function<void(bool)> then) {
    m_afterSave.push_back(std::move(then));
    if (m_savesLeft > 0)
        return;
    m_allSaved = true;
    // One more than there are, so that an answer at once does not end it too early.
    m_savesLeft = static_cast<int>(m_open.size()) + 1;
    for (const Open &open : std::as_const(m_open))
        open.file->save();
    endSave(true);
}

void CandidatePanel::endSave(bool isSaved) {
    if (m_savesLeft == 0)
        return; // a save that nobody here asked for
    m_allSaved = m_allSaved && isSaved;
    if (--m_savesLeft > 0)
        return;
    const auto waiting = std::exchange(m_afterSave, {});
    for (const auto &then : waiting)
        then(m_allSaved);
}

void CandidatePanel::checkDisk() {
    readHead();
    m_folders->look();
    for (const Open &open : std::as_const(m_open))
        open.file->checkDisk();
}

bool CandidatePanel::goTo(const QString &path, int line, int column) {
    const QString name = relative(QFileInfo(path).absoluteFilePath());
    for (int i = 0; i < tabs()->count(); ++i) {
        if (tabs()->tabToolTip(i) != name)
            continue;
        tabs()->setCurrentIndex(i);
        currentEditor()->goTo(line, column);
        return true;
    }
    return false;
}

CodeEditor *CandidatePanel::currentEditor() const {
    auto *editor = qobject_cast<CodeEditor *>(m_stack->currentWidget());
    return editor != nullptr ? editor : m_viewer;
}

QString CandidatePanel::currentFile() const {
    return tabs()->currentIndex() < 0 ? QString() : tabs()->tabToolTip(tabs()->currentIndex());
}

void CandidatePanel::focusHere() {
    m_stack->currentWidget()->setFocus();
}

} // namespace warpwright
