// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <tuple>

namespace warpwright {

class Actions;
class EmptyState;
class Look;
class SectionHead;
struct ProposedText;
struct StageProgress;

/// A page about a check: while there is none it says what will stand here, and whether it is on its way.
class CheckPage : public QWidget {
    Q_OBJECT
public:
    /// What the running check does; null: none runs. Where it waits, or builds what is built only once, an
    /// empty page says so. Before the page is shown anew.
    void setProgress(const StageProgress *now);
    /// An agent's run measures the text, before its first proposal.
    void setMeasuredByRun(bool isMeasured) { m_isMeasuredByRun = isMeasured; }
    /// Whose text the page shows while a proposal is read; null: there is none, and nothing is to be said.
    void setProposed(const ProposedText *proposed);

protected:
    /// `icon`, `title`: of the empty page; `onItsWay`: what appears when the running check ends.
    CheckPage(const Look &look, const Actions &actions, QString icon, QString title, QString onItsWay,
              QWidget *parent);

    [[nodiscard]] EmptyState *emptyState() const { return m_empty; }
    /// The line that says it, for the top of the page.
    [[nodiscard]] SectionHead *textHead() const { return m_textHead; }
    [[nodiscard]] bool isOfProposal() const { return m_isOfProposal; }
    /// `isPast`: what is shown is an event of a past run, which no check of now can fill.
    void sayEmpty(bool isRunning, bool isPast = false);

private:
    const Actions &m_actions;
    QString m_icon;
    QString m_title;
    QString m_onItsWay;
    EmptyState *m_empty;
    SectionHead *m_textHead;
    bool m_isOfProposal = false;
    QString m_delay, m_delayWords; ///< what the check has to do before it comes to this text
    bool m_isMeasuredByRun = false;
    std::optional<std::tuple<bool, bool, bool, QString, QString>> m_says; ///< running, by a run, past, delay
};

} // namespace warpwright
