// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/findings/finding.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/workspace/workspace.h"

#include <QObject>

#include <memory>

namespace warpwright {

/// What is found to keep one text from being faster. Reads what is stored of it and thinks in the pool; a
/// newer question drops an older answer. What is not stored is told by Findings::looked alone: the window has
/// buttons for it, and no commands of a terminal.
class FindingsController : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// `iteration` 0: the text on disk. `inspection`: what the compiler makes of that text; null: not known.
    /// Ends in found() or failed().
    void find(const Workspace &workspace, int iteration, std::shared_ptr<const Inspection> inspection);
    /// Whatever is being found is of no use any more.
    void forget() {
        (void)m_jobs.next();
        m_isFinding = false;
    }
    [[nodiscard]] bool isFinding() const { return m_isFinding; }

signals:
    void found(const warpwright::Findings &findings);
    void failed(const QString &message);

private:
    JobNumber m_jobs;
    bool m_isFinding = false;
};

} // namespace warpwright
