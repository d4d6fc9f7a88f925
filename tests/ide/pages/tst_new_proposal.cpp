// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/message_list.h"
#include "tests/ide/pages/page_world.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>

using namespace warpwright;

class TestNewProposal : public QObject {
    Q_OBJECT

private slots:
    void aNewProposalComesIntoSight() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 600);
        std::vector<AgentEvent> events;
        for (int i = 0; i < 60; ++i)
            events.push_back(message(i, QStringLiteral("playbook"), QStringLiteral("Some words.")));
        panel.events().append(events);
        AgentView view;
        view.proposal.emplace();
        view.proposal->number = 1;
        panel.setView(view);
        QTest::qWait(40);
        auto *list = child<MessageList>(panel, "messageList");
        list->clearFocus();
        auto *below = child<QAbstractButton>(panel, "newBelowButton");
        QVERIFY(list->isAtEnd() && below->isHidden());
        // Somebody reads above, just now: nothing is taken from them.
        QScrollBar *bar = list->verticalScrollBar();
        bar->setValue(bar->maximum() / 4);
        const int read = bar->value();
        view.proposal->number = 2;
        panel.setView(view);
        QTest::qWait(40);
        QCOMPARE(bar->value(), read);
        QVERIFY(!below->isHidden());
        below->click();
        QTRY_VERIFY(below->isHidden());
        QVERIFY(bar->value() > read);
        // Once it is answered nobody reads there any more.
        bar->setValue(bar->maximum() / 4);
        list->clearFocus();
        const ProposalView second = *view.proposal;
        view.proposal.reset();
        panel.setView(view);
        QTest::qWait(40);
        QVERIFY(!list->isAtEnd());
        view.proposal = second;
        view.proposal->number = 3;
        panel.setView(view);
        QTRY_VERIFY(bar->value() > read);
        QVERIFY(below->isHidden());
    }

    // Whoever bets first is asked in the upper part of a card that may have many rows.
    void theFieldOfABetComesIntoSight() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 420);
        AgentView view;
        view.proposal.emplace();
        view.proposal->number = 1;
        view.proposal->asksBet = true;
        view.proposal->nowMicroseconds = 113000;
        for (int number = 1; number <= 12; ++number) {
            view.proposal->hunks.emplace_back();
            view.proposal->hunks.back().id = view.proposal->hunks.back().number = number;
            view.proposal->hunks.back().title = QStringLiteral("A change");
        }
        panel.events().append(
            {message(1, QStringLiteral("script"), QStringLiteral("Some words. ").repeated(80))});
        panel.setView(view);
        const auto *field = child<QLineEdit>(panel, "betField");
        const auto *list = child<MessageList>(panel, "messageList");
        const auto isInSight = [field, list] {
            const int top = field->mapTo(list->viewport(), QPoint(0, 0)).y();
            return field->isVisible() && top >= 0 && top + field->height() <= list->viewport()->height();
        };
        QTRY_VERIFY(isInSight());
        // Also where the card was there before, and its result is hidden now.
        view.proposal->asksBet = false;
        panel.setView(view);
        QScrollBar *bar = list->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum());
        view.proposal->asksBet = true;
        panel.setView(view);
        QTRY_VERIFY(isInSight());
    }
};

QObject *makeTestNewProposal() {
    return new TestNewProposal;
}

#include "tst_new_proposal.moc"
