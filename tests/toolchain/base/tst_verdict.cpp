// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/base/tst_verdict.h"

#include "toolchain/base/stages.h"
#include "toolchain/base/verdict.h"

#include <QTest>

using namespace warpwright;

void TestVerdict::givesTheExitCodeOfTheTable_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("exitCode");
    const std::pair<const char *, int> rows[] = {
        {"pass", 0},         {"wrong", 1},        {"rejected", 1},    {"run-failed", 1},   {"impossible", 1},
        {"task-failed", 2},  {"usage", 2},        {"environment", 2}, {"build-failed", 3}, {"not-run", 4},
        {"inconclusive", 4}, {"unverifiable", 4}, {"cancelled", 130}};
    for (const auto &[name, exitCode] : rows)
        QTest::newRow(name) << QString::fromLatin1(name) << exitCode;
}

void TestVerdict::givesTheExitCodeOfTheTable() {
    QFETCH(QString, name);
    QFETCH(int, exitCode);
    const std::optional<Verdict> verdict = verdictFromName(name);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdictName(*verdict), name);
    QCOMPARE(exitCodeFor(*verdict), exitCode);
    QVERIFY(!verdictMeaning(*verdict).isEmpty());
    const std::optional<int> reward = rewardFor(*verdict, {});
    if (exitCode == 1 || exitCode == 3)
        QCOMPARE(reward.value_or(99), -1);
    else if (exitCode == 0)
        QCOMPARE(reward.value_or(99), 1);
    else
        QVERIFY(!reward.has_value());
}

void TestVerdict::rewardsByEquationOne_data() {
    QTest::addColumn<double>("candidate");
    QTest::addColumn<double>("eager");
    QTest::addColumn<double>("compile"); // 0: not measured
    QTest::addColumn<int>("reward");
    QTest::newRow("slower than both") << 120.0 << 100.0 << 90.0 << 1;
    QTest::newRow("as fast") << 100.0 << 100.0 << 100.0 << 1;
    QTest::newRow("exactly 5 %") << 95.0 << 100.0 << 100.0 << 1;
    QTest::newRow("just over 5 % of eager") << 94.9 << 100.0 << 95.0 << 2;
    QTest::newRow("over both") << 50.0 << 100.0 << 80.0 << 3;
    QTest::newRow("over compile but not over eager") << 96.0 << 100.0 << 200.0 << 1;
    QTest::newRow("compile is missing") << 50.0 << 100.0 << 0.0 << 2;
    QTest::newRow("eager is missing") << 50.0 << 0.0 << 100.0 << 1;
    QTest::newRow("candidate is missing") << 0.0 << 100.0 << 100.0 << 1;
}

void TestVerdict::rewardsByEquationOne() {
    QFETCH(double, candidate);
    QFETCH(double, eager);
    QFETCH(double, compile);
    QFETCH(int, reward);
    const auto measured = [](double time) {
        return time > 0 ? std::optional<double>(time) : std::nullopt;
    };
    const RewardTimes times{measured(candidate), measured(eager), measured(compile)};
    QCOMPARE(rewardFor(Verdict::Pass, times).value_or(99), reward);
    QCOMPARE(rewardFor(Verdict::Wrong, times).value_or(99), -1);
    QVERIFY(!rewardFor(Verdict::Inconclusive, times).has_value());
}

void TestVerdict::takesOnlyStagesThatBuildOnEachOther_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("one") << "compile" << true;
    QTest::newRow("two") << "compile,verify" << true;
    QTest::newRow("three, with blanks") << "compile, verify , profile" << true;
    QTest::newRow("the last alone") << "profile" << false;
    QTest::newRow("a gap") << "compile,profile" << false;
    QTest::newRow("unknown") << "compile,link" << false;
    QTest::newRow("nothing") << "" << false;
}

void TestVerdict::takesOnlyStagesThatBuildOnEachOther() {
    QFETCH(QString, text);
    QFETCH(bool, isGood);
    const Result<LastStage> last = parseStages(text);
    QCOMPARE(last.hasValue(), isGood);
    if (isGood)
        QCOMPARE(stageNames(last.value()).join(","), QString(text).remove(" "));
    else
        QVERIFY(last.message().contains("\"" + text + "\"") && last.message().contains("--stages compile"));
}
