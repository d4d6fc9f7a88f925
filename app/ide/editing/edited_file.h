// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/editing/disk_text.h"
#include "app/ide/editing/draft_keeper.h"
#include "app/ide/workbench/job.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace warpwright {

/// One open file: its editor, its text on disk and its draft. What a person typed is never lost: what changes
/// on disk meanwhile is merged or asked about, a file that is gone is written anew by the next save, and
/// after a kill the draft comes back as an unsaved change. Reads and writes in the pool.
///
/// What bites: while a conflict waits for its answer nothing is saved.
class EditedFile : public QObject {
    Q_OBJECT
public:
    /// What a person should hear of; each comes with a message.
    enum class News {
        Noted,       ///< read-only, Latin-1, only a part of it, no text ...
        Reloaded,    ///< changed on disk, and nobody had typed
        Merged,      ///< changed on disk and here, in different places: both are in the editor now
        Recovered,   ///< the draft of a killed window is in the editor, unsaved
        Gone,        ///< deleted or moved; the editor keeps the text
        DraftFailed, ///< unsaved text is in memory only
    };
    Q_ENUM(News)

    /// `path` is absolute; the editor's language is set by its name. When this goes before its editor,
    /// unsaved text stays as a draft, and comes back with the next load().
    EditedFile(QString path, CodeEditor *editor, const DraftStore &drafts, QObject *parent);
    ~EditedFile() override;

    void load();
    [[nodiscard]] bool isLoaded() const { return m_isLoaded; }
    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] CodeEditor *editor() const { return m_editor; }
    /// Deleted or moved since.
    [[nodiscard]] bool isGone() const { return m_isGone; }
    /// The text differs from what is on disk, as far as is known.
    [[nodiscard]] bool isDirty() const;
    /// A person cannot type here because of the file itself: it is binary, huge or not yet loaded.
    [[nodiscard]] bool isReadOnlyKind() const { return !m_isLoaded || m_known.isReadOnlyKind; }
    /// As last seen on disk.
    [[nodiscard]] const SourceText &known() const { return m_known; }

    /// Ends in one saved() or saveFailed(); also when there is nothing to save. A file that is gone is
    /// written anew only with a change.
    void save();
    /// A save() has not ended yet.
    [[nodiscard]] bool isSaving() const { return m_isSaving || m_saveAfterLook; }
    /// An agent's run has written these bytes just now: they come below what a person can undo, and are no
    /// news to anybody who typed nothing.
    void expectWritten(const QByteArray &bytes);
    /// What a run has written here is not in the editor yet.
    [[nodiscard]] bool awaitsRun() const { return !m_writtenByRun.isEmpty(); }
    /// Looks now; it also happens by itself. Call it when the window gets the focus (network drives tell
    /// nothing).
    void checkDisk();
    /// Moves this file's identity: after the program itself renamed it.
    void setPath(const QString &path);
    /// The editor shows `text`, which is another's, by one step of undo; it is not saved.
    void takeText(const QString &text);
    /// Before the window closes: the draft is on disk when it comes back. False: it cannot be written.
    bool flushDraft() { return m_keeper.flush(); }
    /// The unsaved text is given up: the editor shows the disk's again, one step of undo away; the draft is
    /// gone.
    void discardChanges();

    [[nodiscard]] bool hasConflict() const { return m_conflict.has_value(); }
    /// The answers to conflictFound(). Each is one step of undo.
    void keepMine();
    void takeDisk();
    /// Both sides with marks between, for the person to join.
    void takeBoth();

signals:
    void loaded();
    void loadFailed(const QString &message);
    void dirtyChanged(bool isDirty);
    /// `isOther`: since it was loaded or last saved the file was written, by this save or by another program.
    void saved(bool isOther);
    /// It was gone, and is on the disk again as it was.
    void cameBack();
    /// By a save of ours, just now.
    void written();
    void saveFailed(const QString &message);
    void news(warpwright::EditedFile::News news, const QString &message);
    void conflictFound(const QString &message);
    /// It was answered, or has gone away by itself.
    void conflictEnded();

private:
    [[nodiscard]] bool hasOwnText() const;
    [[nodiscard]] bool isBehindMark() const;
    void settleMarks();
    struct Loaded;

    void show(const Loaded &loaded);
    void restoreDraft(const Loaded &loaded);
    void take(const DiskNews &news);
    void watch();
    void sayWhetherDirty();
    void afterSave(const SaveAnswer &answer, const SourceText &source, int revision);
    void endSave(const QString &message);
    void sayThatItIsSaved();
    void resolve(QString text);
    void endConflict();
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString changedWords(bool isJoined, bool isOfRun) const;

    QString m_path;
    QPointer<CodeEditor> m_editor;
    DraftStore m_drafts;
    DraftKeeper m_keeper;
    SourceText m_known;
    quint64 m_identity = 0;
    std::optional<DiskNews> m_conflict;
    QFileSystemWatcher m_watcher;
    QTimer m_lookTimer;
    JobNumber m_lookJob;
    JobNumber m_loadJob;
    int m_revision = 0;        ///< of the text in the editor
    QByteArray m_writtenByRun; ///< hash of what a run has written here last
    bool m_isLoaded = false;
    bool m_isSaving = false;
    bool m_isLooking = false;
    bool m_saveAgain = false;
    bool m_saveAfterLook = false;
    bool m_differs = false; ///< from the disk, although the editor stands at its savepoint
    bool m_isOther = false; ///< see saved()
    bool m_isGone = false;
    bool m_wasDirty = false;
};

} // namespace warpwright
