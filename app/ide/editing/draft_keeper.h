// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/draft_store.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace warpwright {

/// Keeps the draft of one unsaved text on disk: what was typed a second ago survives a kill -9. Writes in the
/// pool, at most half a second after a change, and only one at a time. What could not be written is tried
/// again until it can, also when nobody types any more.
class DraftKeeper : public QObject {
    Q_OBJECT
public:
    /// `draft`: the text as it is now; asked in this thread when it is time to write.
    DraftKeeper(DraftStore store, std::function<Draft()> draft, QObject *parent);
    /// A draft that is not yet written is lost: save() or flush() before.
    ~DraftKeeper() override;

    void changed();
    /// The text is saved or given up: its draft goes.
    void settle(const QString &file);
    /// Writes at once and waits for it: before the window closes. False: it cannot be written.
    bool flush();

signals:
    /// Only the first of a row of failures.
    void failed(const QString &message);
    void written();

private:
    void write();
    void wrote(const Result<void> &result);

    DraftStore m_store;
    std::function<Draft()> m_draft;
    QTimer m_timer;
    QThreadPool m_pool; ///< of its own: long work of others must not make a draft late
    bool m_isWriting = false;
    bool m_hasChanged = false; ///< since the text that is being written was taken
    bool m_hasFailed = false;
    QString m_settled; ///< to be removed once the write that runs has ended
};

} // namespace warpwright
