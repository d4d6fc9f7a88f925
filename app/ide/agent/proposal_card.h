// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QWidget>

class QBoxLayout;
class QLineEdit;

namespace warpwright {

class ActionButton;
class Look;
class ProposalFace;
class Words;

/// A proposal as the agent's pane shows it: what it is, what is known of it, and the answer to all of it at
/// once. Where the person may bet, the numbers stay hidden until they have, or do not want to.
class ProposalCard : public QWidget {
    Q_OBJECT
public:
    ProposalCard(const Look &look, const QString &acceptKey, QWidget *parent = nullptr);

    /// Of a past run: nothing can be answered, and nothing offers to.
    void setPast() { m_isPast = true; }
    void setProposal(const ProposalView &proposal);
    void focusBet();
    [[nodiscard]] const QWidget *betRemark() const; ///< below its field, for whoever brings both into view

signals:
    void acceptAllAsked();
    void rejectRestAsked();
    /// All is answered: it is to be applied.
    void goOnAsked();
    void hunkPicked(int id);
    void checkPicked(const QString &page);
    /// `difference`: of the time, in the proposal's unit; below 0 is faster.
    /// In µs, from the time before; `low` < `high`: a range.
    void betPlaced(double difference, double low, double high);
    void betTakenBack();
    void revealAsked();
    void betAsked();
    void keepAsked();
    void branchAsked();
    void revertAsked();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class Frame;
    void placeBet();
    void remarkBet();
    void fitBet();
    void buildStepRow();

    const Look &m_look;
    QString m_acceptKey;
    ProposalView m_proposal;
    bool m_isPast = false;
    Frame *m_frame;
    Words *m_title;
    Words *m_words;
    ProposalFace *m_face;
    ActionButton *m_accept;
    ActionButton *m_reject;
    ActionButton *m_goOn;            ///< in place of both
    QBoxLayout *m_answers = nullptr; ///< the row of both
    ActionButton *m_askBet;
    QWidget *m_betRow;
    QBoxLayout *m_bets = nullptr; ///< of that row
    QLineEdit *m_bet;
    ActionButton *m_reveal;
    Words *m_betRemark;
    QWidget *m_stepRow;
    std::vector<std::pair<ActionButton *, QString>> m_stepButtons; ///< with their icons
    Words *m_stepWords;
    bool m_hasBetTrouble = false;
};

} // namespace warpwright
