// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/turn_giver.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <memory>
#include <numeric>

namespace warpwright {

namespace {

constexpr bool spins = true;

BatchCalls callsOver(int sets, uint32_t count) {
    BatchCalls calls;
    calls.sets.resize(static_cast<size_t>(sets));
    std::iota(calls.sets.begin(), calls.sets.end(), 3);
    calls.count = count;
    return calls;
}

uint32_t namedIn(const ControlPage &page) {
    return page.released.load() & ~ControlPage::lastTurn;
}

bool isLastNamed(const ControlPage &page) {
    return (page.released.load() & ControlPage::lastTurn) != 0;
}

} // namespace

class TurnGiverTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_page = std::make_unique<ControlPage>(); }

    void namesNoMoreThanTheWindow() {
        const BatchCalls calls = callsOver(5, 100);
        TurnGiver turns(*m_page, calls, spins, 2);
        turns.begin();
        QCOMPARE(namedIn(*m_page), 2u);
        turns.look();
        QCOMPARE(namedIn(*m_page), 2u);
        for (uint32_t made = 1; made < 99; ++made) {
            m_page->made = made;
            turns.look();
            QCOMPARE(namedIn(*m_page), std::min(made + 2, 100u));
            QCOMPARE(isLastNamed(*m_page), made + 2 >= 100);
            QCOMPARE(static_cast<uint32_t>(m_page->turns[made]), 3 + made % 5);
        }
        QVERIFY(!turns.isOver());
        m_page->made = 100;
        QVERIFY(turns.isOver());
    }

    // What the worker counts beyond what was named has not been made.
    void believesNoCallBeyondTheNamedOnes() {
        const BatchCalls calls = callsOver(2, 50);
        TurnGiver turns(*m_page, calls, spins, 3);
        turns.begin();
        m_page->made = 40;
        QCOMPARE(turns.made(), 3u);
        turns.look();
        QCOMPARE(namedIn(*m_page), 6u);
        QVERIFY(!turns.isOver());
    }

    void stopsInTheMiddle() {
        BatchCalls calls = callsOver(2, 50);
        calls.stopsAfter = 10;
        TurnGiver turns(*m_page, calls, spins, 4);
        turns.begin();
        m_page->made = 4;
        turns.look();
        QVERIFY(!turns.isStopDue());
        m_page->made = 8;
        turns.look();
        m_page->made = 11;
        QVERIFY(turns.isStopDue());
        QVERIFY(!isLastNamed(*m_page));
        turns.end();
        QVERIFY(isLastNamed(*m_page));
        QCOMPARE(namedIn(*m_page), 12u);
    }

    void hasNothingToNameWhereThereAreNoCalls() {
        const BatchCalls calls;
        TurnGiver turns(*m_page, calls, spins, 4);
        turns.begin();
        QCOMPARE(namedIn(*m_page), 0u);
        QVERIFY(isLastNamed(*m_page));
        QVERIFY(turns.isOver());
    }

    void seesAWorkerThatWaits() {
        const BatchCalls calls = callsOver(2, 50);
        TurnGiver turns(*m_page, calls, !spins, 4);
        turns.begin();
        m_page->made = 2;
        turns.look();
        QVERIFY(!turns.hasStarved());
        m_page->made = 6;
        turns.look();
        QVERIFY(turns.hasStarved());
    }

    void looksFurtherAheadForShorterCalls() {
        QCOMPARE(TurnGiver::windowFor(1e-3, spins), 2u);
        QCOMPARE(TurnGiver::windowFor(1e-5, spins), 4u);
        QCOMPARE(TurnGiver::windowFor(1e-7, spins), 8u);
        QCOMPARE(TurnGiver::windowFor(1e-1, !spins), 2u);
        QCOMPARE(TurnGiver::windowFor(1e-4, !spins), 31u);
        QVERIFY(TurnGiver::windowFor(1e-7, !spins) <= ControlPage::mostTurns);
    }

private:
    std::unique_ptr<ControlPage> m_page;
};

QObject *turnGiverTest() {
    return new TurnGiverTest;
}

} // namespace warpwright

#include "tst_turn_giver.moc"
