// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"

#include <QObject>

namespace warpwright {

class Session;

/// What the pages of Build show while a proposal is read: its own check, as the run has stored it, so that
/// what is wrong with it is seen while one decides which hunk is.
struct ProposedText {
    int proposal = 0;
    QString title;  ///< whose text the pages show: "proposal 3", "iteration 4"
    QString remark; ///< "as it was proposed, without your answers"
    Shown shown;    ///< without an evaluation: the pages show the iteration, and say so

    [[nodiscard]] bool isOfProposal() const { return shown.evaluation.has_value(); }
};

/// Reads it in the pool when the run has measured the proposal that a person is asked about.
class ProposalCheck : public QObject {
    Q_OBJECT
public:
    explicit ProposalCheck(Workbench &bench, QObject *parent = nullptr);

    /// How the run stands now; null: there is none.
    void follow(const Session *session);
    /// Null: nobody is asked about a proposal.
    [[nodiscard]] const ProposedText *now() const { return m_now ? &*m_now : nullptr; }

signals:
    void changed();

private:
    void show(std::optional<ProposedText> text);
    void read(const Session &session, const QString &evaluation);

    Workbench &m_bench;
    std::optional<ProposedText> m_now;
    QString m_id;  ///< of the evaluation that was read, or is
    Shown m_shown; ///< of it, once it is there
    JobNumber m_jobs;
};

} // namespace warpwright
