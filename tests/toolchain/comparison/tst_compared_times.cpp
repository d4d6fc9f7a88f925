// SPDX-License-Identifier: GPL-3.0-or-later
// The times of two states: what is a difference, what reads as none, what a machine that moved proves.
#include "tests/toolchain/comparison/recorded_states.h"
#include "toolchain/comparison/state_comparison_json.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/report/comparison_report.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

namespace {

QString shown(QString text) {
    return text.replace(QChar(QChar::Nbsp), QLatin1Char(' '));
}

} // namespace

class TestComparedTimes : public QObject {
    Q_OBJECT

private slots:
    // One far end makes «±» as wide as the difference though the intervals do not meet: it reads as none, and
    // so does all that is made of the two times.
    void callsNoDifferenceWhatReadsAsNone() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        setCandidateTime(*left.side.evaluation, 3000, 2000, 4000);
        setCandidateTime(*right.side.evaluation, 11300, 5000, 20300);
        const StateComparison compared = compareStates(left, right);
        const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
        QVERIFY(call != nullptr && call->state == State::Noise && !call->isDifference());
        QCOMPARE(call->differenceWords(), QStringLiteral("no difference measured"));
        QCOMPARE(call->remarkWords(), QStringLiteral("≈ +8.3 ± 10.0 ms: ± its farther end, it holds 0"));
        QVERIFY2(call->toolTip().contains("no difference measured: ≈ +8.3 ± 10.0 ms"),
                 qPrintable(call->toolTip()));
        const ComparisonRow *light = rowNamed(compared, Group::Time, "Of the speed of light");
        QVERIFY2(light != nullptr && light->state == State::Noise &&
                     light->remark == "of the call no difference was measured",
                 light == nullptr ? "no row" : qPrintable(light->toolTip()));
        const ComparedMetric time = comparedMetrics(left.side, right.side)[0];
        QVERIFY2(time.isNoise && time.delta == call->difference, qPrintable(time.delta));
        const OrderedJson document = toJson(compared);
        const auto row =
            std::find_if(document["rows"].begin(), document["rows"].end(), [](const OrderedJson &one) {
                return stringIn(one, "name") == QLatin1String("Call");
            });
        QVERIFY(row != document["rows"].end());
        QCOMPARE(stringIn(*row, "significance"), QStringLiteral("noDifferenceMeasured"));
        QCOMPARE(stringIn(*row, "state"), QStringLiteral("noise"));
        const QString said = shown(comparisonText(compared, Terminal(), false));
        QVERIFY2(said.contains("no difference measured") && said.contains("Call: ≈ +8.3 ± 10.0 ms: ± its"),
                 qPrintable(said));
        for (const QString &line : said.split(QLatin1Char('\n')))
            QVERIFY2(line.size() <= 100, qPrintable(line));
        // As far apart, with an end that is nearer: it is one; as written the same: it is none.
        const auto stateWith = [&](double high) {
            setCandidateTime(*right.side.evaluation, 11300, 5000, high);
            const StateComparison now = compareStates(left, right);
            const ComparisonRow *other = rowNamed(now, Group::Time, "Call");
            return other->differenceWords() + QLatin1Char('|') + other->difference;
        };
        QCOMPARE(stateWith(18500), QStringLiteral("+8.3 ± 8.2 ms|+8.3 ± 8.2 ms"));
        QCOMPARE(stateWith(18560), QStringLiteral("no difference measured|≈ +8.3 ± 8.3 ms"));
    }

    // Beside «no difference measured» a speed-up that fell, for eager was quicker at that check.
    void aSpeedUpThatItsBaselineMovedIsNoDifference() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        setCandidateTime(*left.side.evaluation, 3000, 2000, 4000);
        setCandidateTime(*right.side.evaluation, 3100, 2000, 4000);
        for (const char *key : {"value", "low", "high"}) {
            OrderedJson &number = right.side.evaluation->profile["speedup"]["eager"][key];
            number = number.get<double>() / 10;
        }
        slowEager(*right.side.evaluation, 0.1);
        const StateComparison compared = compareStates(left, right);
        const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
        const ComparisonRow *row = rowNamed(compared, Group::Time, "Speed-up over eager");
        QVERIFY(call != nullptr && call->state == State::Noise);
        QVERIFY(row != nullptr && !row->isDifference());
        QCOMPARE(row->differenceWords(), QStringLiteral("no difference measured"));
        QVERIFY2(row->remark.startsWith("of the call no difference was measured; eager itself took "),
                 qPrintable(row->remark));
        // So in the strip above the table, in the same words.
        for (ComparedState *state : {&left, &right})
            state->side.evaluation->profile["speedup"]["sameClass"] =
                state->side.evaluation->profile["speedup"]["eager"];
        const ComparedMetric metric = comparedMetrics(left.side, right.side)[1];
        QCOMPARE(metric.name, row->name);
        QVERIFY2(metric.isNoise && metric.delta == row->difference, qPrintable(metric.delta));
        QCOMPARE(metric.remark, row->remark);
    }

    // Without a baseline in both: the row, and what show and a run's report say of the pair.
    void ofTheRatioOfTwoTimesSaysTheSame() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        for (ComparedState *state : {&left, &right})
            state->side.evaluation->profile["speedup"].erase("eager");
        setCandidateTime(*left.side.evaluation, 3000, 2000, 4000);
        for (const auto &[high, isNoise] : {std::pair(18500.0, false), std::pair(18560.0, true)}) {
            setCandidateTime(*right.side.evaluation, 11300, 5000, high);
            const StateComparison compared = compareStates(left, right);
            const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
            const ComparisonRow *ratio = rowNamed(compared, Group::Time, "Time, right of left");
            QVERIFY(call != nullptr && ratio != nullptr);
            const State wanted = isNoise ? State::Noise : State::Differs;
            QVERIFY2(call->state == wanted && ratio->state == wanted, qPrintable(ratio->toolTip()));
            const EvaluationSummary before = summaryOf(*left.side.evaluation);
            const EvaluationSummary after = summaryOf(*right.side.evaluation);
            const auto measured = timeRatio(before, after);
            QVERIFY(measured && !measured->holdsOne() && measured->isNoise() == isNoise);
            QCOMPARE(whyNoDifference(before, after).isEmpty(), !isNoise);
        }
    }

    // What one check timed in turn is told apart by its ratio, however far both moved together.
    void saysTheRatioWhereTheTimesAreLessCertain() {
        ComparedState text = iterationState(1);
        setCandidateTime(*text.side.evaluation, 80, 60, 130);
        const ComparedState eager = armState("eager", text);
        const StateComparison compared = compareStates(eager, text);
        const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
        QVERIFY(call != nullptr && call->state == State::Differs);
        QVERIFY2(call->difference.startsWith(QStringLiteral("3.96×")), qPrintable(call->difference));
        QVERIFY2(!call->remark.contains(QStringLiteral("3.96×")), qPrintable(call->remark));
        QCOMPARE(comparedMetrics(eager.side, text.side)[0].delta, call->difference);
    }

    void saysThatTheMachineMovedBetweenTheChecks() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        QVERIFY(compareStates(left, right).notices.isEmpty());
        // The same speed-up over eager at 3.8 times the time: eager took as much more.
        setCandidateTime(*left.side.evaluation, 3000, 2990, 3010);
        setCandidateTime(*right.side.evaluation, 11400, 11390, 11410);
        slowEager(*right.side.evaluation, 3.8);
        const StateComparison compared = compareStates(left, right);
        QCOMPARE(compared.notices.size(), 1);
        const QString notice = shown(compared.notices[0]);
        QVERIFY2(
            notice.startsWith("That the right side takes 100.0 % of the left side's time proves nothing: "
                              "eager itself took 3.8 times as long in one of the two checks"),
            qPrintable(notice));
        const ComparisonRow *ratio = rowNamed(compared, Group::Time, "Time, right of left");
        QVERIFY(ratio != nullptr);
        QVERIFY2(ratio->remark.contains("eager itself took 3.8 times as long"), qPrintable(ratio->remark));
        const QString said = comparisonText(compared, Terminal(), false).simplified();
        QVERIFY2(said.contains("eager itself took 3.8 times as long"), qPrintable(said));
        // Twice the speed-up, for eager took 7.6 times as long: the ratio is half, and no difference.
        OrderedJson &eager = right.side.evaluation->profile["speedup"]["eager"];
        for (const char *key : {"value", "low", "high"})
            eager[key] = 2 * eager[key].get<double>();
        slowEager(*right.side.evaluation, 2);
        const StateComparison halved = compareStates(left, right);
        const ComparisonRow *half = rowNamed(halved, Group::Time, "Time, right of left");
        QVERIFY(half != nullptr && half->state == State::NotComparable && !half->isDifference());
        QCOMPARE(half->remark,
                 QStringLiteral("it proves nothing: eager itself took 7.6 times as long in one of "
                                "the two checks"));
        const OrderedJson document = toJson(halved);
        const auto row =
            std::find_if(document["rows"].begin(), document["rows"].end(),
                         [half](const OrderedJson &one) { return stringIn(one, "name") == half->name; });
        QVERIFY(row != document["rows"].end() && (*row)["significance"].is_null());
        QCOMPARE(stringIn(*row, "state"), QStringLiteral("notComparable"));
        right = iterationState(2);
        setCandidateTime(*right.side.evaluation, 4200, 4190, 4210); // 1.4 times: not much
        slowEager(*right.side.evaluation, 1.4);
        QVERIFY(compareStates(left, right).notices.isEmpty());
    }

    // The speed-up is a median of pairs: what follows from it is not what eager's own median says.
    void saysOfEagerWhatItsOwnMediansSay() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        setCandidateTime(*left.side.evaluation, 3000, 2990, 3010);
        setCandidateTime(*right.side.evaluation, 14100, 14090, 14110);
        slowEager(*right.side.evaluation, 3.8);
        const StateComparison compared = compareStates(left, right);
        QCOMPARE(compared.notices.size(), 1);
        QVERIFY2(compared.notices[0].contains("eager itself took 3.8 times as long"),
                 qPrintable(compared.notices[0]));
    }

    void comparesNoSharesOfTwoCeilings() {
        const ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        const auto light = [&] {
            return *rowNamed(compareStates(left, right), Group::Time, "Of the speed of light");
        };
        QVERIFY(light().state != ComparisonRow::State::NotComparable);
        OrderedJson &profile = right.side.evaluation->profile;
        profile["speedOfLightMicroseconds"] = 2 * profile["speedOfLightMicroseconds"].get<double>();
        QCOMPARE(light().state, ComparisonRow::State::NotComparable);
        QVERIFY2(light().remark.startsWith("the speed of light was measured anew: "),
                 qPrintable(light().remark));
    }

    // 4 (4–17) ms on one side takes no digits from the other; a share is a percentage, as elsewhere.
    void writesEachSideAsItsCheckDoes() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        setCandidateTime(*left.side.evaluation, 4342, 4000, 16915);
        setCandidateTime(*right.side.evaluation, 5028, 4000, 8092);
        const StateComparison compared = compareStates(left, right);
        const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
        QVERIFY(call != nullptr);
        QCOMPARE(call->left, QStringLiteral("4 (4–17) ms"));
        QCOMPARE(call->right, QStringLiteral("5.0 (4.0–8.1) ms"));
        QCOMPARE(compared.right.time, call->right);
        QCOMPARE(comparedMetrics(left.side, right.side)[0].right, call->right);
        const ComparisonRow *light = rowNamed(compared, Group::Time, "Of the speed of light");
        QVERIFY(light != nullptr && light->unit == "%");
        QVERIFY2(shown(light->left).contains(" % ") && light->difference.endsWith(" points"),
                 qPrintable(light->left + ", " + light->difference));
    }
};

QObject *makeTestComparedTimes() {
    return new TestComparedTimes;
}

#include "tst_compared_times.moc"
