// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/ledger_model.h"
#include "app/ide/agent/message_list.h"
#include "app/ide/agent/message_queue.h"
#include "app/ide/agent/plan_list.h"
#include "app/ide/agent/proposal_card.h"
#include "app/ide/kit/figure_table.h"
#include "app/ide/review/proposal_face.h"
#include "tests/ide/pages/page_world.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace warpwright;

namespace {

AgentEvent tool(int id, const char *icon, const char *name, const char *result,
                AgentEvent::Outcome outcome = AgentEvent::Succeeded) {
    AgentEvent event;
    event.id = id;
    event.kind = AgentEvent::Tool;
    event.icon = QLatin1String(icon);
    event.name = QString::fromUtf8(name);
    event.result = QString::fromUtf8(result);
    event.outcome = outcome;
    event.text = QStringLiteral("kernels/rms_norm.cu(27): info: 3 lines\nptxas: 32 registers");
    return event;
}

std::vector<AgentEvent> someEvents() {
    return {message(1, QStringLiteral("playbook"),
                    QStringLiteral(
                        "The tree in shared memory costs **9 barriers** a row. A shuffle needs none. The "
                        "row is read once, so I stream it past L2 with `__ldcs`.")),
            tool(2, "edit", "edit kernels/rms_norm.cu", "3 hunks"),
            tool(3, "terminal", "compile in the shadow", "1.8 s"),
            tool(4, "shield", "verify, 5 of 5 rounds", "0.6 s"),
            tool(5, "chart", "profile, quick tier", "2.9 s")};
}

ShownFigure known(const char *value, const char *spread) {
    return {ShownFigure::Known, QString::fromUtf8(value), QString::fromUtf8(spread)};
}

ProposalView seventh() {
    ProposalView proposal;
    proposal.number = 7;
    proposal.words =
        QStringLiteral("Move: shuffle reduction, streaming loads, wider block. Based on iteration 6.");
    proposal.checks = {{QStringLiteral("compiles"), ProposalView::Check::Passed},
                       {QStringLiteral("verifies 5 of 5"), ProposalView::Check::Passed}};
    proposal.measured = known("−14.4", "± 0.6 µs");
    proposal.predicted = known("−13", "µs");
    proposal.wouldBe = known("203.4", "µs");
    proposal.hunks = {
        {11,
         1,
         QStringLiteral("512 threads"),
         {ShownFigure::Noise, QStringLiteral("−0.9"), QStringLiteral("± 1.0")},
         known("−11.2", "± 0.7")},
        {12, 2, QStringLiteral("streaming loads"), known("−4.1", "± 0.6"), known("−10.1", "± 0.6")},
        {13, 3, QStringLiteral("shuffle reduction"), known("−8.6", "± 0.7"), known("−5.2", "± 0.8")}};
    proposal.resources = {{QStringLiteral("registers/thread"), QStringLiteral("−8")},
                          {QStringLiteral("shared memory/block"), QStringLiteral("−960 B")},
                          {QStringLiteral("occupancy"), QStringLiteral("75 → 100 %")}};
    return proposal;
}

AgentView someView() {
    AgentView view;
    view.plan = {{QStringLiteral("Find what bounds it"), PlanStep::Done},
                 {QStringLiteral("Shuffle reduction, streaming loads"), PlanStep::Now},
                 {QStringLiteral("Two rows a block"), PlanStep::Ahead}};
    view.proposal = seventh();
    view.ledger = {
        {2,
         QStringLiteral("wide loads"),
         QStringLiteral("−80"),
         QStringLiteral("−71.3"),
         LedgerLine::Hit,
         {}},
        {3, QStringLiteral("one pass"), QStringLiteral("−65"), QStringLiteral("−62.6"), LedgerLine::Hit, {}},
        {6,
         QStringLiteral("wide stores"),
         QStringLiteral("−20"),
         QStringLiteral("−51.1"),
         LedgerLine::Off,
         {}}};
    view.ledgerRemark = QStringLiteral("Δ µs against the last pass");
    return view;
}

/// In the narrow column of the window, dark and light.
void takePanel(AgentPanel &panel, const QString &name, int width = 332, int height = 960) {
    const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
    for (const bool isDark : {true, false}) {
        houseLook().set(isDark ? Theme::dark() : Theme::light(), 1);
        panel.resize(width, height);
        QTest::qWait(40);
        const QPixmap picture = panel.grab();
        if (!folder.isEmpty()) {
            QVERIFY(QDir().mkpath(folder));
            QVERIFY(picture.save(folder + QLatin1Char('/') + name +
                                 (isDark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png"))));
        }
    }
}

} // namespace

class TestAgentPanel : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void looksAsItShould() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 960);
        takePanel(panel, QStringLiteral("agent-empty"));
        panel.events().append(someEvents());
        panel.setView(someView());
        takePanel(panel, QStringLiteral("agent"));
        takePanel(panel, QStringLiteral("agent-narrow"), 280, 700);
        AgentView view = someView();
        view.queue = {{1, QStringLiteral("Try without the wider block first")},
                      {2, QStringLiteral("And keep the float4 stores, they were worth it")}};
        view.proposal->measured = {ShownFigure::Measuring, {}, QStringLiteral("2 of 5")};
        view.proposal->wouldBe = {};
        view.proposal->checks[1] = {QStringLiteral("verifying, round 3"), ProposalView::Check::Running};
        view.proposal->hunks[1].alone = {ShownFigure::Measuring, {}, {}};
        view.proposal->hunks[2].alone = {};
        view.proposal->hunks[2].allBut = {};
        view.ledger.push_back(
            {7, QStringLiteral("streaming"), QStringLiteral("−13"), {}, LedgerLine::Open, {}});
        panel.setView(view);
        panel.events().append({tool(6, "terminal", "read ../secret", "", AgentEvent::Denied),
                               tool(7, "terminal", "compile in the shadow", "0.9 s", AgentEvent::Failed)});
        child<PlanList>(panel, "planList")->setOpen(true);
        takePanel(panel, QStringLiteral("agent-measuring"));
        view.proposal->asksBet = true;
        view.proposal->measured = {ShownFigure::Hidden, {}, {}};
        panel.setView(view);
        takePanel(panel, QStringLiteral("agent-bet"));
        houseLook().set(Theme::dark(), 1.5);
        QTest::qWait(20);
        panel.resize(500, 1200);
        QTest::qWait(40);
        if (const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES"); !folder.isEmpty())
            QVERIFY(panel.grab().save(folder + QStringLiteral("/agent-scaled.png")));
        houseLook().set(Theme::light(), 1);
    }

    void markdownIsReadable() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 700);
        panel.events().append({message(
            1, QStringLiteral("model"),
            QStringLiteral(
                "## What I see\n\nTwo things in `softmax_rows.cu`, and [a link](https://example.org):\n\n"
                "- the row is read **three** times\n- `expf` is called twice\n\n"
                "1. one pass\n2. online maximum\n\n```cuda\nfloat m = -INFINITY;\nfor (int i = 0; i < n; "
                "++i)\n  m = fmaxf(m, x[i]);\n```\n\n<b>no HTML</b> & nothing <script>runs</script>"))});
        panel.setView({});
        takePanel(panel, QStringLiteral("agent-markdown"), 332, 520);
    }

    void theModelKeepsItsWord() {
        AgentEventModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.append(someEvents());
        QCOMPARE(model.rowCount(), 5);
        AgentEvent grown = model.event(0);
        grown.text += QStringLiteral(" More.");
        model.update(grown);
        QVERIFY(model.event(0).text.endsWith(QStringLiteral(" More.")));
        AgentEvent ended = tool(5, "chart", "profile, quick tier", "3.1 s", AgentEvent::Failed);
        model.update(ended);
        QCOMPARE(model.index(4).data().toString(), QStringLiteral("profile, quick tier, failed, 3.1 s"));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
        LedgerModel ledger;
        const QAbstractItemModelTester other(&ledger, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ledger.setRows(someView().ledger);
        QCOMPARE(ledger.index(2, LedgerModel::Outcome).data().toString(), QStringLiteral("outside"));
        QCOMPARE(ledger.index(0, LedgerModel::Measured).data().toString(), QStringLiteral("−71.3"));
        // The last rows of a run that goes on: what stays there is not laid out again.
        const auto lines = [](int first, int count) {
            std::vector<LedgerLine> made;
            for (int i = first; i < first + count; ++i)
                made.push_back({i,
                                QStringLiteral("tile"),
                                QStringLiteral("1.10×"),
                                {},
                                LedgerLine::Open,
                                QStringLiteral("script")});
            return made;
        };
        ledger.setRows(lines(1, 200));
        const QSignalSpy reset(&ledger, &QAbstractItemModel::modelReset);
        const QSignalSpy inserted(&ledger, &QAbstractItemModel::rowsInserted);
        const QSignalSpy changed(&ledger, &QAbstractItemModel::dataChanged);
        std::vector<LedgerLine> on = lines(3, 200);
        on[197].measured = QStringLiteral("1.08×");
        ledger.setRows(on);
        QCOMPARE(ledger.rowCount(), 200);
        QCOMPARE(ledger.index(0, LedgerModel::Number).data().toInt(), 3);
        QCOMPARE(ledger.index(197, LedgerModel::Measured).data().toString(), QStringLiteral("1.08×"));
        QCOMPARE(ledger.index(199, LedgerModel::Number).data().toInt(), 202);
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(changed.size(), 1);
        ledger.setRows(lines(3, 120)); // a step back
        QCOMPARE(ledger.rowCount(), 120);
        QCOMPARE(reset.size(), 0);
        ledger.setRows(lines(900, 200)); // a jump
        QCOMPARE(ledger.rowCount(), 200);
        QCOMPARE(reset.size(), 1);
        ledger.setRows({});
        QCOMPARE(ledger.rowCount(), 0);
    }

    void tenThousandEventsAreLittleWork() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 800);
        std::vector<AgentEvent> events;
        for (int i = 0; i < 10'000; ++i)
            events.push_back(
                i % 4 == 0 ? message(i, QStringLiteral("playbook"),
                                     QStringLiteral("Message **%1**: ").arg(i) +
                                         QString(i % 300, u'x')
                                             .replace(QStringLiteral("xxxxxx"), QStringLiteral("words ")))
                           : tool(i, "chart", "profile", "2.9 s"));
        panel.events().append(events);
        panel.setView({});
        QTest::qWait(40);
        auto *list = child<MessageList>(panel, "messageList");
        QVERIFY2(list->laidOutRows() < 300, qPrintable(QString::number(list->laidOutRows())));
        QVERIFY(list->isAtEnd());
        const int before = list->laidOutRows();
        QElapsedTimer clock;
        qint64 longest = 0;
        for (int page = 0; page < 40; ++page) {
            clock.start();
            list->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
            list->grab();
            longest = std::max(longest, clock.elapsed());
        }
        QVERIFY(!list->isAtEnd());
        QVERIFY2(list->laidOutRows() - before < 2500, qPrintable(QString::number(list->laidOutRows())));
        qInfo("the longest of 40 pages took %lld ms", longest);
        // A jump lays out what it lands on only.
        const int jump = list->laidOutRows();
        list->verticalScrollBar()->setValue(list->verticalScrollBar()->maximum() / 3);
        QVERIFY(list->laidOutRows() - jump < 200);
    }

    void aStreamLaysOutItsOwnMessageOnly() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 800);
        std::vector<AgentEvent> events;
        for (int i = 0; i < 200; ++i)
            events.push_back(message(i, QStringLiteral("model"), QStringLiteral("Some words.")));
        panel.events().append(events);
        panel.setView({});
        QTest::qWait(40);
        auto *list = child<MessageList>(panel, "messageList");
        const int before = list->laidOutRows();
        AgentEvent last = events.back();
        const auto grow = [&](const QString &more) {
            last.text += more;
            panel.events().update(last);
        };
        for (int i = 0; i < 100; ++i)
            grow(QStringLiteral(" word"));
        QTest::qWait(40);
        QVERIFY2(list->laidOutRows() - before <= 4,
                 qPrintable(QString::number(list->laidOutRows() - before)));
        QVERIFY(list->isAtEnd());
        // Who has scrolled up stays there while more comes.
        list->verticalScrollBar()->setValue(list->verticalScrollBar()->maximum() / 2);
        const int value = list->verticalScrollBar()->value();
        for (int i = 0; i < 20; ++i) {
            grow(QStringLiteral("\n\nA paragraph."));
            panel.events().append({message(1000 + i, QStringLiteral("you"), QStringLiteral("More"))});
        }
        QTest::qWait(40);
        QCOMPARE(list->verticalScrollBar()->value(), value);
    }

    void toolsUnfoldByClickAndKey() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 800);
        panel.events().append(someEvents());
        panel.setView({});
        QTest::qWait(40);
        auto *list = child<MessageList>(panel, "messageList");
        const int content = list->verticalScrollBar()->maximum();
        list->setFocus(Qt::TabFocusReason);
        QTest::keyClick(list, Qt::Key_End);
        QTest::keyClick(list, Qt::Key_Return);
        QTest::keyClick(list, Qt::Key_Up);
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(list->verticalScrollBar()->maximum() >= content);
        takePanel(panel, QStringLiteral("agent-unfolded"), 332, 420);
        QTest::keyClick(list, Qt::Key_Home);
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("The tree in shared memory")));
        QVERIFY(list->accessibleDescription().startsWith(QStringLiteral("playbook, 14:31: The tree")));
    }

    void theCardAnswers() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 960);
        panel.setView(someView());
        QTest::qWait(40);
        QSignalSpy accepted(&panel, &AgentPanel::acceptAllAsked);
        QSignalSpy rejected(&panel, &AgentPanel::rejectRestAsked);
        QSignalSpy picked(&panel, &AgentPanel::hunkPicked);
        QTest::mouseClick(child<QAbstractButton>(panel, "acceptAllButton"), Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
        QTest::mouseClick(child<QAbstractButton>(panel, "rejectAllButton"), Qt::LeftButton);
        QCOMPARE(rejected.size(), 1);
        auto *face = child<ProposalFace>(panel, "proposalFace");
        for (int y = 0; y < face->height(); y += 8)
            QTest::mouseClick(face, Qt::LeftButton, {}, {40, y});
        std::set<int> ids;
        for (const QList<QVariant> &call : picked)
            ids.insert(call[0].toInt());
        QCOMPARE(ids, (std::set<int>{11, 12, 13}));
        QVERIFY(face->accessibleName().contains(
            QStringLiteral("hunk 1, 512 threads: only this hunk ≈ −0.9 ± 1.0, no difference measured")));
        AgentView view = someView();
        view.proposal->canDecide = false;
        view.proposal->whyNot = QStringLiteral("the text was edited since");
        panel.setView(view);
        QVERIFY(!child<QAbstractButton>(panel, "acceptAllButton")->isEnabled());
        QVERIFY(child<QAbstractButton>(panel, "acceptAllButton")->toolTip().contains(view.proposal->whyNot));
    }

    void whatHasTheFocusIsInSight() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 480);
        panel.activateWindow();
        panel.events().append(someEvents());
        panel.setView(someView());
        QTest::qWait(40);
        auto *list = child<MessageList>(panel, "messageList");
        for (const char *name : {"acceptAllButton", "rejectAllButton"}) {
            list->verticalScrollBar()->setValue(0);
            auto *part = child<QWidget>(panel, name);
            part->setFocus(Qt::TabFocusReason);
            const QRect rect(part->mapTo(list->viewport(), QPoint(0, 0)), part->size());
            QVERIFY2(list->viewport()->rect().contains(rect), name);
        }
    }

    void betsAreNumbers() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 960);
        AgentView view = someView();
        view.proposal->asksBet = true;
        view.proposal->measured = {ShownFigure::Hidden, {}, {}};
        panel.setView(view);
        QTest::qWait(40);
        QSignalSpy bets(&panel, &AgentPanel::betPlaced);
        QSignalSpy revealed(&panel, &AgentPanel::revealAsked);
        auto *field = child<QLineEdit>(panel, "betField");
        QVERIFY(field->isVisible());
        QTest::keyClicks(field, QStringLiteral("fast"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(bets.isEmpty());
        QVERIFY(child<QLabel>(panel, "betRemark")->text().contains(QStringLiteral("“fast” is no bet")));
        for (const QString &text :
             {QStringLiteral("−10 µs"), QStringLiteral("-10us"), QStringLiteral("+2.5 µs")}) {
            field->setText(text);
            QTest::keyClick(field, Qt::Key_Return);
        }
        QCOMPARE(bets.size(), 3);
        QCOMPARE(bets[0][0].toDouble(), -10.0);
        QCOMPARE(bets[1][0].toDouble(), -10.0);
        QCOMPARE(bets[2][0].toDouble(), 2.5);
        // From a time that is shown, in any of its forms; and it is told how it is understood.
        view.proposal->nowMicroseconds = 113;
        panel.setView(view);
        QVERIFY2(field->placeholderText().startsWith(QStringLiteral("now 113")),
                 qPrintable(field->placeholderText()));
        field->clear();
        QTest::keyClicks(field, QStringLiteral("2x"));
        QVERIFY2(child<QLabel>(panel, "betRemark")->text().contains(QStringLiteral("of 113")) &&
                     child<QLabel>(panel, "betRemark")->text().contains(QStringLiteral("2.00×")),
                 qPrintable(child<QLabel>(panel, "betRemark")->text()));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(bets.size(), 4);
        QCOMPARE(bets[3][0].toDouble(), -56.5);
        QCOMPARE(bets[3][1], bets[3][2]); // no range
        field->setText(QStringLiteral("2-4x"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(bets.size(), 5);
        QCOMPARE(bets[4][1].toDouble(), 113 / 4.0 - 113);
        QCOMPARE(bets[4][2].toDouble(), 113 / 2.0 - 113);
        QTest::mouseClick(child<QAbstractButton>(panel, "revealButton"), Qt::LeftButton);
        QCOMPARE(revealed.size(), 1);
    }

    void enterQueuesAndControlEnterSends() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 700);
        panel.setView({});
        QSignalSpy queued(&panel, &AgentPanel::queueAsked);
        QSignalSpy sent(&panel, &AgentPanel::sendAsked);
        auto *box = child<QPlainTextEdit>(panel, "messageBox");
        QTest::keyClick(box, Qt::Key_Return);
        QTest::keyClicks(box, QStringLiteral("first"));
        QTest::keyClick(box, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(box, QStringLiteral("second line"));
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(queued.size(), 1);
        QCOMPARE(queued[0][0].toString(), QStringLiteral("first\nsecond line"));
        QCOMPARE(box->toPlainText(), QString());
        QTest::keyClicks(box, QStringLiteral("now"));
        QTest::keyClick(box, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(sent.takeFirst().at(0).toString(), QStringLiteral("now"));
        QTest::keyClicks(box, QStringLiteral("by button"));
        QTest::mouseClick(child<QAbstractButton>(panel, "sendButton"), Qt::LeftButton);
        QCOMPARE(sent.takeFirst().at(0).toString(), QStringLiteral("by button"));
        AgentView deaf;
        deaf.whyNoMessages = QStringLiteral("a replay listens to nobody");
        panel.setView(deaf);
        QVERIFY(!box->isEnabled());
    }

    void whatIsQueuedCanBeChanged() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 700);
        AgentView view;
        view.queue = {{5, QStringLiteral("one")}, {6, QStringLiteral("two")}};
        panel.setView(view);
        QTest::qWait(10);
        QSignalSpy edited(&panel, &AgentPanel::queuedEdited);
        QSignalSpy removed(&panel, &AgentPanel::queuedRemoved);
        QWidget *row = child<QWidget>(panel, "queued5");
        auto *field = row->findChild<QLineEdit *>();
        QTest::keyClicks(field, QStringLiteral("x"));
        QCOMPARE(field->text(), QStringLiteral("one"));
        QTest::mouseClick(row->findChild<QAbstractButton *>(QStringLiteral("editQueued")), Qt::LeftButton);
        QTest::keyClicks(field, QStringLiteral("uno"));
        view.queue.push_back({7, QStringLiteral("three")});
        panel.setView(view); // what comes meanwhile takes no letters away
        QCOMPARE(field->text(), QStringLiteral("uno"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited[0][0].toInt(), 5);
        QCOMPARE(edited[0][1].toString(), QStringLiteral("uno"));
        QTest::mouseClick(row->findChild<QAbstractButton *>(QStringLiteral("editQueued")), Qt::LeftButton);
        QTest::keyClicks(field, QStringLiteral("gone"));
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->text(), QStringLiteral("uno"));
        QTest::mouseClick(
            child<QWidget>(panel, "queued6")->findChild<QAbstractButton *>(QStringLiteral("removeQueued")),
            Qt::LeftButton);
        QCOMPARE(removed.takeFirst().at(0).toInt(), 6);
        view.queue.erase(view.queue.begin() + 1);
        panel.setView(view);
        QTest::qWait(1);
        QVERIFY(child<QWidget>(panel, "queued6") == nullptr);
        QVERIFY(child<QWidget>(panel, "queued7")->isVisible());
    }
};

QObject *makeTestAgentPanel() {
    return new TestAgentPanel;
}

#include "tst_agent_panel.moc"
