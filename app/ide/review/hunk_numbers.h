// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/hunk_evidence.h"
#include "app/ide/workbench/job.h"

#include <QObject>

namespace warpwright {

/// Says in the pool what each hunk does to the time: that one is comments alone is told by reading its file
/// twice, and its title by the lines above it.
class HunkNumbers : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Ends in one found(), unless asked or cleared before. `all`: of the proposal whole, null: not measured;
    /// `base`: of the text before.
    void ask(const ProposalReview &review, const HunkEvidences &shown, const Evidence *all,
             const std::optional<Evaluation> &base);
    /// The same of a session that has a review.
    void ask(const Session &session, const HunkEvidences &shown);
    void clear(); ///< found() at once, with nothing

signals:
    void found(const warpwright::HunkContributions &contributions);

private:
    JobNumber m_jobs;
};

} // namespace warpwright
