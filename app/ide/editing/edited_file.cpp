// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/edited_file.h"

#include "app/ide/editing/line_edits.h"
#include "toolchain/text/text_merge.h"
#include "widgets/editor/steady_undo.h"
#include "widgets/editor/undo_tokens.h"

#include <QFileInfo>

namespace warpwright {

struct EditedFile::Loaded {
    Result<SourceText> source = Result<SourceText>::error({});
    std::optional<Draft> draft;
    std::vector<LineEdit> draftEdits;      ///< from the file's text to what the draft makes of it
    std::optional<MergedText> draftMerged; ///< where the file has changed since
    quint64 identity = 0;

    void joinDraft();
};

// Of a long text it takes longer than a frame.
void EditedFile::Loaded::joinDraft() {
    if (!draft || !source.hasValue() || source.value().isReadOnlyKind || draft->text == source.value().text)
        return;
    const SourceText &disk = source.value();
    QString text = draft->text;
    if (draft->baseHash != disk.hash) {
        draftMerged = mergeTexts(draft->baseText, draft->text, disk.text, QStringLiteral("yours"),
                                 QStringLiteral("on disk"));
        if (draftMerged->isClean)
            text = draftMerged->text;
    }
    draftEdits = lineEdits(disk.text, text);
}

EditedFile::EditedFile(QString path, CodeEditor *editor, const DraftStore &drafts, QObject *parent)
    : QObject(parent),
      m_path(std::move(path)),
      m_editor(editor),
      m_drafts(drafts),
      m_keeper(
          drafts,
          [this] {
              return Draft{m_path, m_editor->content(), m_known.text, m_known.hash,
                           QDateTime::currentDateTimeUtc()};
          },
          nullptr) {
    m_lookTimer.setSingleShot(true);
    m_lookTimer.setInterval(80); // a program that saves touches a file several times
    connect(&m_lookTimer, &QTimer::timeout, this, &EditedFile::checkDisk);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_lookTimer, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_lookTimer, qOverload<>(&QTimer::start));
    connect(&m_keeper, &DraftKeeper::failed, this, [this](const QString &message) {
        emit news(News::DraftFailed,
                  message + QStringLiteral(" Until then what you type is in memory only."));
    });
    connect(editor, &CodeEditor::edited, this, [this] {
        ++m_revision;
        if (!m_isLoaded)
            return;
        m_keeper.changed();
        if (isBehindMark() && m_editor->content() != m_known.text)
            emit m_editor->SCN_SAVEPOINTLEFT();
        sayWhetherDirty();
    });
    connect(&editor->decorator<UndoTokens>(), &UndoTokens::settled, this, [this] {
        if (!awaitsRun()) // else what is read of the disk in a moment decides
            settleMarks();
    });
    connect(editor, &QsciScintilla::modificationChanged, this, &EditedFile::sayWhetherDirty);
}

EditedFile::~EditedFile() {
    if (m_editor != nullptr && isDirty())
        m_keeper.flush();
}

QString EditedFile::name() const {
    return QFileInfo(m_path).fileName();
}

bool EditedFile::isDirty() const {
    return m_isLoaded && m_editor != nullptr && !m_known.isReadOnlyKind &&
           (m_editor->isModified() || m_differs);
}

// Hunks that were accepted and are not written yet are the person's text, too. The editor does not call that
// modified: the mark of the answer, which its undo keeps, comes before the text.
bool EditedFile::hasOwnText() const {
    return isDirty() ||
           (m_isLoaded && m_editor != nullptr && !m_known.isReadOnlyKind &&
            m_editor->sci(QsciScintillaBase::SCI_GETMODIFY) != 0 && m_editor->content() != m_known.text);
}

// A mark in its undo leaves the savepoint, and of text behind it Scintilla does not tell that any more: all
// that is typed there would count as saved. What is being decided on is no change yet.
bool EditedFile::isBehindMark() const {
    return m_isLoaded && m_editor != nullptr && !m_known.isReadOnlyKind && !m_editor->isModified() &&
           m_editor->sci(QsciScintillaBase::SCI_GETMODIFY) != 0 &&
           !m_editor->decorator<UndoTokens>().isDeciding();
}

void EditedFile::settleMarks() {
    if (!isBehindMark())
        return;
    if (m_editor->content() == m_known.text)
        m_editor->setModified(false);
    else
        emit m_editor->SCN_SAVEPOINTLEFT();
    sayWhetherDirty();
}

void EditedFile::sayWhetherDirty() {
    if (isDirty() == m_wasDirty)
        return;
    m_wasDirty = !m_wasDirty;
    // Undone back to what is on disk: there is nothing left to keep.
    if (!m_wasDirty && !m_isSaving)
        m_keeper.settle(m_path);
    emit dirtyChanged(m_wasDirty);
}

void EditedFile::load() {
    const int job = m_loadJob.next();
    inPool(
        this,
        [path = m_path, drafts = m_drafts] {
            Loaded loaded;
            loaded.source = readSourceText(path);
            loaded.identity = fileIdentity(path);
            loaded.draft = drafts.find(path);
            loaded.joinDraft();
            return loaded;
        },
        [this, job](const Loaded &loaded) {
            if (!m_loadJob.isStale(job))
                show(loaded);
        });
}

void EditedFile::show(const Loaded &loaded) {
    if (!loaded.source.hasValue()) {
        emit loadFailed(loaded.source.message());
        return;
    }
    m_known = loaded.source.value();
    m_identity = loaded.identity;
    endConflict();
    m_differs = false;
    m_isOther = false;
    m_isGone = false;
    // Without colours, where they would cost too much.
    m_editor->setLanguage(m_known.hasLongLine ? CodeEditor::Language::Plain : CodeEditor::languageOf(m_path));
    m_editor->setContent(m_known.text);
    m_editor->setReadOnlyReason(m_known.isReadOnlyKind ? m_known.note : QString());
    m_isLoaded = true;
    ++m_revision;
    watch();
    if (loaded.draft && !m_known.isReadOnlyKind)
        restoreDraft(loaded);
    sayWhetherDirty();
    emit this->loaded();
    if (!m_known.note.isEmpty())
        emit news(News::Noted, QStringLiteral("%1: %2").arg(name(), m_known.note));
}

void EditedFile::restoreDraft(const Loaded &loaded) {
    const Draft &draft = *loaded.draft;
    if (draft.text == m_known.text) {
        m_drafts.remove(m_path);
        return;
    }
    const QString when = draft.time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    m_editor->applyEdits(loaded.draftEdits);
    if (!loaded.draftMerged) {
        emit news(News::Recovered,
                  QStringLiteral("%1: your unsaved changes of %2 are back. Save to keep them, undo to "
                                 "drop them.")
                      .arg(name(), when));
        return;
    }
    if (loaded.draftMerged->isClean) {
        emit news(News::Recovered,
                  QStringLiteral("%1: your unsaved changes of %2 are back, joined with what has "
                                 "changed in the file since.")
                      .arg(name(), when));
        return;
    }
    DiskNews conflict;
    conflict.kind = DiskNews::Kind::Conflict;
    conflict.disk = m_known;
    conflict.merged = loaded.draftMerged->text;
    m_conflict = std::move(conflict);
    emit conflictFound(
        QStringLiteral("%1: your unsaved changes of %2 are back, but the file has changed in the same "
                       "lines since. Keep yours, take the file's, or join both by hand.")
            .arg(name(), when));
}

void EditedFile::watch() {
    const QString folder = QFileInfo(m_path).path();
    // A program that saves by renaming takes the watched file away with it.
    if (!m_watcher.files().contains(m_path) && QFileInfo::exists(m_path))
        m_watcher.addPath(m_path);
    if (!m_watcher.directories().contains(folder) && QFileInfo::exists(folder))
        m_watcher.addPath(folder);
}

void EditedFile::setPath(const QString &path) {
    if (path == m_path)
        return;
    m_keeper.settle(m_path);
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty())
        m_watcher.removePaths(m_watcher.directories());
    m_path = path;
    m_isGone = false;
    if (!m_isLoaded)
        return;
    if (!m_known.hasLongLine)
        m_editor->setLanguage(CodeEditor::languageOf(path));
    if (isDirty())
        m_keeper.changed();
    watch();
    checkDisk();
}

void EditedFile::checkDisk() {
    watch();
    if (!m_isLoaded || m_isSaving)
        return; // a look follows each save
    if (m_isLooking) {
        m_lookTimer.start();
        return;
    }
    m_isLooking = true;
    const int job = m_lookJob.next();
    inPool(
        this,
        [question = DiskQuestion{m_path, m_identity, m_known, m_editor->content(), hasOwnText()}] {
            return lookAtDisk(question);
        },
        [this, job, revision = m_revision](const DiskNews &answer) {
            m_isLooking = false;
            if (m_lookJob.isStale(job))
                return;
            if (revision != m_revision && answer.kind != DiskNews::Kind::Same &&
                answer.kind != DiskNews::Kind::Gone) {
                checkDisk(); // someone typed meanwhile: its edits would not fit
                return;
            }
            take(answer);
            if (std::exchange(m_saveAfterLook, false)) {
                if (m_conflict)
                    endSave(QStringLiteral(
                                "Cannot save \"%1\": the file has changed in the same lines. Answer the "
                                "question about it first.")
                                .arg(m_path));
                else
                    save();
            }
        });
}

void EditedFile::expectWritten(const QByteArray &bytes) {
    const QByteArray hash = decodeSourceText(bytes).hash;
    m_writtenByRun = hash == m_known.hash ? QByteArray() : hash;
}

QString EditedFile::changedWords(bool isJoined, bool isOfRun) const {
    if (isJoined && isOfRun)
        return QStringLiteral("The run has written %1: your unsaved change lies over it, and undo takes "
                              "your change alone.")
            .arg(name());
    return (isJoined ? QStringLiteral("%1 has changed on disk: its changes and yours are joined. Undo takes "
                                      "them apart.")
                     : QStringLiteral("%1 has changed on disk and is shown as it is now."))
        .arg(name());
}

void EditedFile::take(const DiskNews &answer) {
    switch (answer.kind) {
    case DiskNews::Kind::Same:
        if (std::exchange(m_isGone, false)) {
            m_isOther = true;
            emit cameBack();
        }
        if (!answer.isWritable && m_known.isWritable)
            emit news(News::Noted, answer.disk.note);
        m_known.isWritable = answer.isWritable;
        endConflict();
        break;
    case DiskNews::Kind::Gone:
        if (!m_isGone) {
            m_isGone = true;
            m_isOther = true;
            const QString what = answer.movedTo.isEmpty()
                                     ? QStringLiteral("has been deleted or moved")
                                     : QStringLiteral("has been renamed to \"%1\"").arg(answer.movedTo);
            emit news(
                News::Gone,
                QStringLiteral("\"%1\" %2. Its text is still here; saving a change writes the file anew.")
                    .arg(m_path, what));
        }
        break;
    case DiskNews::Kind::Unreadable:
        emit news(News::Noted, answer.message);
        break;
    case DiskNews::Kind::Reload:
    case DiskNews::Kind::Merged: {
        const bool isMerge = answer.kind == DiskNews::Kind::Merged;
        const bool wasReadOnlyKind = m_known.isReadOnlyKind;
        const bool isAsAnswered = isMerge && answer.edits.empty() && !isDirty();
        const bool isJoined =
            isMerge && answer.merged != answer.disk.text; // else the disk has all that was here
        const bool isOfRun = answer.disk.hash == std::exchange(m_writtenByRun, {});
        m_known = answer.disk;
        m_isOther = true;
        endConflict();
        m_isGone = false;
        m_differs = false;
        if (isOfRun && !answer.edits.empty())
            beginUndoAnew(*m_editor, answer.edits, isJoined ? answer.own : OwnChange());
        else
            m_editor->applyEdits(answer.edits);
        if (!isJoined) {
            m_editor->setModified(false);
            m_keeper.settle(m_path); // accepted hunks that are written now were one, too
        }
        if (m_known.isReadOnlyKind || wasReadOnlyKind) // else others may have their own reason
            m_editor->setReadOnlyReason(m_known.isReadOnlyKind ? m_known.note : QString());
        if (isAsAnswered || (isOfRun && !isJoined))
            break; // a run has written what was answered here, or what it tells of itself
        emit news(isJoined ? News::Merged : News::Reloaded, changedWords(isJoined, isOfRun));
        break;
    }
    case DiskNews::Kind::Conflict:
        if (!m_conflict || m_conflict->disk.hash != answer.disk.hash) {
            m_conflict = answer;
            m_keeper.changed();
            emit conflictFound(
                QStringLiteral("%1 has changed on disk in lines that you have changed, too. Keep yours, "
                               "take the file's, or join both by hand.")
                    .arg(name()));
        }
        break;
    }
    m_identity = fileIdentity(m_path);
    settleMarks();
    sayWhetherDirty();
}

void EditedFile::save() {
    if (m_isSaving) {
        m_saveAgain = true;
        return;
    }
    if (m_conflict) {
        endSave(QStringLiteral(
                    "Cannot save \"%1\": the file has changed in the same lines. Answer the question about "
                    "it first.")
                    .arg(m_path));
        return;
    }
    if (!isDirty()) {
        sayThatItIsSaved();
        return;
    }
    // Typed and taken back by hand.
    if (!m_isGone && m_editor->content() == m_known.text) {
        m_differs = false;
        m_editor->setModified(false);
        m_keeper.settle(m_path);
        sayWhetherDirty();
        sayThatItIsSaved();
        return;
    }
    m_isSaving = true;
    SourceText source = m_known;
    source.text = m_editor->content();
    // A file that is gone may be written anew, but one that came back as something else may not be
    // overwritten.
    inPool(
        this, [path = m_path, source, known = m_known.hash] { return saveToDisk(path, source, known); },
        [this, source, revision = m_revision](const SaveAnswer &answer) {
            afterSave(answer, source, revision);
        });
}

void EditedFile::afterSave(const SaveAnswer &answer, const SourceText &source, int revision) {
    m_isSaving = false;
    m_lookTimer.start(); // what the watcher told meanwhile was passed over
    if (answer.hasDiskChanged) {
        m_saveAfterLook = true;
        checkDisk();
        return;
    }
    if (!answer.isSaved) {
        endSave(answer.message);
        return;
    }
    m_known = source;
    m_known.hash = answer.hash;
    m_known.note.clear();
    emit written();
    m_identity = answer.identity;
    m_isOther = true;
    m_isGone = false;
    m_differs = revision != m_revision; // typed while it was written
    if (!m_differs) {
        m_editor->setModified(false);
        m_keeper.settle(m_path);
    } else {
        m_keeper.changed();
    }
    watch();
    sayWhetherDirty();
    const bool isAgain = std::exchange(m_saveAgain, false);
    if (isAgain && isDirty())
        save();
    else
        sayThatItIsSaved();
}

void EditedFile::sayThatItIsSaved() {
    emit saved(std::exchange(m_isOther, false));
}

void EditedFile::endSave(const QString &message) {
    m_saveAgain = false;
    emit saveFailed(message);
}

void EditedFile::discardChanges() {
    if (!m_isLoaded || m_known.isReadOnlyKind)
        return;
    resolve(m_conflict ? m_conflict->disk.text : m_known.text);
    m_differs = false;
    m_editor->setModified(false);
    m_keeper.settle(m_path);
    sayWhetherDirty();
}

void EditedFile::takeText(const QString &text) {
    if (isReadOnlyKind() || m_conflict)
        return;
    m_editor->decorator<SteadyUndo>().begin();
    m_editor->applyEdits(lineEdits(m_editor->content(), text));
    m_editor->decorator<SteadyUndo>().end();
}

void EditedFile::endConflict() {
    if (!m_conflict)
        return;
    m_conflict.reset();
    emit conflictEnded();
}

void EditedFile::resolve(QString text) { // by value: it may be the conflict's
    if (m_conflict) {
        m_known = m_conflict->disk;
        m_isOther = true;
        endConflict();
    }
    m_editor->applyEdits(lineEdits(m_editor->content(), text));
}

void EditedFile::keepMine() {
    if (!m_conflict)
        return;
    resolve(m_editor->content());
    m_differs = true;
    m_keeper.changed();
    sayWhetherDirty();
}

void EditedFile::takeDisk() {
    if (m_conflict)
        discardChanges();
}

void EditedFile::takeBoth() {
    if (!m_conflict)
        return;
    resolve(m_conflict->merged);
    m_differs = true;
    m_keeper.changed();
    sayWhetherDirty();
}

} // namespace warpwright
