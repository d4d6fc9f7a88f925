// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/workspace/workspace.h"

#include <QObject>

#include <memory>

namespace warpwright {

/// Writes the page to share of one text, as `wright report` does. Reads, draws and writes in the pool.
class ShareController : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    struct Asked {
        Workspace workspace;
        int iteration = 0; ///< 0: the text on disk, of a run the one that it came to
        /// What the compiler makes of that text; null: not known, and the page says so.
        std::shared_ptr<const Inspection> inspection;
        QString program;
        DataFolders folders;
        QString file;
        QString run = {}; ///< the page is of this past run; empty: of all
    };
    /// One at a time. Ends in written() or failed().
    void write(const Asked &asked);
    [[nodiscard]] bool isWriting() const { return m_isWriting; }

signals:
    void writingChanged();
    void written(const QString &file);
    void failed(const QString &message);

private:
    bool m_isWriting = false;
};

} // namespace warpwright
