// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent_event_model.h"
#include "app/ide/agent_panel.h"
#include "app/ide/message_list.h"
#include "tests/ide/pages/page_world.h"

#include <QAbstractButton>
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
};

QObject *makeTestNewProposal() {
    return new TestNewProposal;
}

#include "tst_new_proposal.moc"
