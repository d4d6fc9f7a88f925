// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/job.h"
#include "toolchain/findings/findings.h"
#include "toolchain/workspace.h"

#include <QObject>

#include <memory>

namespace warpwright {

/// What keeps the shown text from being faster: looked for in the pool, from the files, the last check and
/// the counters that are stored of it, and what the compiler says. A newer question drops an older answer.
class FindingsSearch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// `iteration`: 0: the text on disk. `inspection`: of this text; may be null. Ends in found().
    void look(const Workspace &workspace, int iteration, std::shared_ptr<const Inspection> inspection);
    /// No answer any more.
    void drop() { m_jobs.next(); }

signals:
    /// `note`: what is missing, with the commands that would bring it; empty: nothing is.
    void found(const std::vector<warpwright::Finding> &findings, const QString &note);

private:
    JobNumber m_jobs;
};

} // namespace warpwright
