// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/review_world.h"

#include "app/ide/agent/agent_event_model.h"

#include <QTest>

using namespace warpwright;

ReviewWorld::ReviewWorld(int count, const QByteArray &toJudge) {
    QByteArray text = base;
    for (int step = 1; step <= count; ++step) {
        text.replace("#include <cmath>", "#include <cmath>\n// step " + QByteArray::number(step));
        text.replace("for (int row = 0;", "/* " + QByteArray::number(step) + " */ for (int row = 0;");
        text += "// fake judge: times=" + QByteArray::number(100 - 5 * step) + ",220,150 " + toJudge + '\n';
        addStep(text, {{"reason", "Because **it helps**, see [the loop](kernels/gate.cpp:5)."},
                       {"move", "vectorize"},
                       {"prediction", {{"timeRatio", 0.95}}}});
    }
}

AgentPanel &ReviewWorld::panel() const {
    return *window.find<AgentPanel>("agentPanel");
}

bool ReviewWorld::waitFor(SessionState state) const {
    return QTest::qWaitFor([this, state] { return session() != nullptr && session()->state() == state; },
                           60000);
}

bool ReviewWorld::waitsForReview() const {
    return QTest::qWaitFor(
        [this] {
            return session() != nullptr && session()->state() == SessionState::AwaitingReview &&
                   session()->review() != nullptr;
        },
        60000);
}

bool ReviewWorld::isMeasured() const {
    return QTest::qWaitFor([this] { return session() != nullptr && session()->evidence() != nullptr; },
                           60000);
}

bool ReviewWorld::answerAllAndGoOn(QAction *answer) const {
    answer->trigger();
    if (!QTest::qWaitFor([this] { return actions().run->isEnabled(); }, 30000))
        return false;
    const QString proposal = session()->review()->proposal().id;
    actions().run->trigger();
    return QTest::qWaitFor(
        [this, proposal] {
            return session() == nullptr ||
                   (session()->review() != nullptr && session()->review()->proposal().id != proposal);
        },
        180000);
}

bool ReviewWorld::stop() const {
    agent().stop();
    return QTest::qWaitFor([this] { return !agent().isRunning(); }, 30000);
}

QString ReviewWorld::said() const {
    QStringList texts;
    for (int row = 0; row < panel().events().rowCount(); ++row)
        texts << panel().events().event(row).author + QStringLiteral(": ") + panel().events().event(row).text;
    return texts.join(QLatin1Char('\n'));
}
