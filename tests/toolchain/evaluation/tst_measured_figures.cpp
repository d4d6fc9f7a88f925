// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/measured_figures.h"

#include "tests/toolchain/places.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/graph_remark.h"
#include "toolchain/evaluation/trust_badge.h"
#include "toolchain/report/evaluation_report.h"

#include <QFile>
#include <QTest>

#include <cmath>

using namespace warpwright;

namespace {

/// A document as `wright check` wrote it, on the machine that the name says.
Evaluation recorded(const QString &name) {
    QFile file(testData("/evaluations/") + name + QStringLiteral(".json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(file.fileName()));
    const Result<Evaluation> read = evaluationFromJson(file.readAll());
    if (!read.hasValue())
        qFatal("%s: %s", qPrintable(file.fileName()), qPrintable(read.message()));
    return read.value();
}

QString armsText(const MeasuredFigures &figures) {
    QStringList lines;
    for (const ArmFigures &arm : figures.arms) {
        lines << QStringLiteral("%1 %2 [%3] %4 %5 %6")
                     .arg(arm.label,
                          figures.times.withSpread(arm.medianMicroseconds, arm.lowMicroseconds,
                                                   arm.highMicroseconds),
                          figures.times.interval(arm.lowMicroseconds, arm.highMicroseconds))
                     .arg(arm.samples.value_or(-1))
                     .arg(arm.precision, arm.isLive ? QStringLiteral("live") : QStringLiteral("stored"));
    }
    return lines.join(QLatin1Char('\n'));
}

QString badgeText(const TrustBadge &badge) {
    QStringList words;
    for (const TrustSegment &segment : badge.segments)
        words << (segment.isDoubted ? QStringLiteral("!") : QString()) + segment.text;
    return words.join(QStringLiteral(" | "));
}

/// A candidate of `own` µs (`ownGraph` as a graph) against a compile of 59.4 (34.1).
MeasuredFigures withGraph(double own, double ownGraph, const SpeedUp &calls, const SpeedUp &graph) {
    const auto arm = [](const char *name, double median) {
        ArmFigures figures;
        figures.name = figures.label = QLatin1String(name);
        figures.medianMicroseconds = figures.lowMicroseconds = figures.highMicroseconds = median;
        return figures;
    };
    MeasuredFigures figures;
    figures.arms = {arm("compile", 59.4), arm("candidate", own)};
    figures.sameClass = figures.compile = calls;
    figures.graph.status = StageStatus::Passed;
    figures.graph.arms = {arm("compile", 34.1), arm("candidate", ownGraph)};
    figures.graph.sameClass = figures.graph.compile = graph;
    return figures;
}

} // namespace

class TestMeasuredFigures : public QObject {
    Q_OBJECT

private slots:
    void readsAPassOfAnH200() {
        const MeasuredFigures figures = measuredFigures(recorded("h200-arg-reduction"));
        QCOMPARE(armsText(figures), QString("eager 120.06 ± 0.07 µs [120.04–120.13] 8 FP32 live\n"
                                            "compile 71.96 ± 0.12 µs [71.86–72.08] 8 FP32 live\n"
                                            "candidate 60.35 ± 0.03 µs [60.32–60.37] 8 FP32 live"));
        QVERIFY(figures.eager.has_value() && figures.sameClass.has_value());
        QCOMPARE(factorText(figures.eager->value, figures.eager->low, figures.eager->high).both(),
                 QString("1.99× 1.98–2.00"));
        QCOMPARE(figures.sameClass->arm, QString("compile"));
        QCOMPARE(figures.times.text(figures.speedOfLightMicroseconds.value_or(0)), QString("60.95 µs"));
        QCOMPARE(percentText(figures.shareOfLight().value_or(MeasuredFigures::Share{}).value),
                 QString("101.0\u00a0%"));
        QCOMPARE(figures.task.inputs, QStringList("input[0] f32 [8192, 8192], 268 MB"));
        QCOMPARE(figures.task.outputs, QStringList("output i64 [8192], 65.5 kB"));
        QCOMPARE(figures.task.limit, QString("memory"));
        QCOMPARE(scaledText(figures.task.intensity.value_or(0), "FLOP/B"), QString("0.250 FLOP/B"));
        QCOMPARE(figures.device.name, QString("NVIDIA H200"));
        QCOMPARE(scaledText(figures.device.bytesPerSecond.value_or(0), "B/s"), QString("4.41 TB/s"));
        QCOMPARE(figures.blocks.size(), std::size_t(24));
        QCOMPARE(figures.clock.size(), std::size_t(24));
        QCOMPARE(figures.verify.roundsPassed, 5);
        QCOMPARE(figures.kernels.size(), std::size_t(4));
        QCOMPARE(figures, measuredFigures(recorded("h200-arg-reduction")));
    }

    void marksWhatIsStored() {
        const MeasuredFigures figures = measuredFigures(recorded("cpu-softmax-rows"));
        QCOMPARE(armsText(figures), QString("eager 9.04 ± 1.04 ms [8.00–9.82] 24 FP32 stored\n"
                                            "compile 6.18 (6.12–6.56) ms [6.12–6.56] 17 FP32 live\n"
                                            "candidate 5.56 (5.53–5.88) ms [5.53–5.88] 17 FP32 live"));
        const ArmFigures *eager = figures.arm("eager");
        QVERIFY(eager != nullptr);
        QCOMPARE(eager->storedText(), QString("stored earlier, × 0.172 for the live arm's drift"));
        QVERIFY(figures.clock.empty());
        QCOMPARE(figures.speedUpOver("compile"), figures.sameClass);
        QVERIFY(!figures.speedUpOver("eagerTf32").has_value());
    }

    void readsTheWorstElement() {
        const MeasuredFigures figures = measuredFigures(recorded("cpu-wrong"));
        QCOMPARE(figures.verify.roundsRun, 1);
        QCOMPARE(figures.verify.roundsPassed, 0);
        QCOMPARE(figures.verify.worst.size(), std::size_t(1));
        const WorstElement &worst = figures.verify.worst.front();
        QCOMPARE(worst.index, QString("[3644, 590]"));
        QCOMPARE(numberText(worst.expected.value_or(0), 3), QString("−4.999"));
        QCOMPARE(numberText(worst.errorOverAllowed().value_or(0)), QString("30,155"));
        QCOMPARE(figures.verify.elementsOutsideWorkdirCriterion, std::optional<double>(6044978));
        QVERIFY(figures.arms.empty() && !figures.shareOfLight().has_value());
        QVERIFY(trustBadge(figures).segments.empty());
    }

    void countsWhatBreaksTheRuleThatDecides() {
        Evaluation evaluation = recorded("cpu-wrong");
        QVERIFY(
            !measuredFigures(evaluation).verify.elementsAboveAllowed); // from before there were any counts
        OrderedJson &map = evaluation.verify["rounds"].back()["failureMap"];
        map["reason"] = nullptr;
        map["outputs"] = OrderedJson::array({{{"wrong", 7000000}}, {{"wrong", 4}}});
        QCOMPARE(measuredFigures(evaluation).verify.elementsAboveAllowed, std::optional<double>(7000004));
        map["reason"] = "a result is too large";
        QVERIFY(!measuredFigures(evaluation).verify.elementsAboveAllowed);
    }

    void leavesEmptyWhatTheDocumentDoesNotSay() {
        const MeasuredFigures nothing = measuredFigures(newEvaluation());
        QVERIFY(nothing.arms.empty() && nothing.blocks.empty() && nothing.clock.empty());
        QVERIFY(!nothing.eager && !nothing.speedOfLightMicroseconds && !nothing.reward);
        QVERIFY(!nothing.task.flops && !nothing.task.bytes && !nothing.task.parameters);
        QVERIFY(!nothing.device.bytesPerSecond && nothing.task.limit.isEmpty());

        Evaluation evaluation = recorded("h200-arg-reduction");
        evaluation.profile["arms"]["eager"].erase(
            "lowMicroseconds"); // without its interval it is no measurement
        evaluation.profile["arms"]["candidate"]["samples"] = nullptr;
        evaluation.profile["blocks"] = "text";
        evaluation.profile["clock"] = {{{"megahertz", "fast"}}, 5};
        evaluation.verify["worst"]["actual"] = "NaN";
        evaluation.verify["worst"]["relativeError"] = "Infinity";
        evaluation.task["inputs"] = 3;
        evaluation.device["ceilings"] = nullptr;
        const MeasuredFigures figures = measuredFigures(evaluation);
        QVERIFY(figures.arm("eager") == nullptr && figures.candidate() != nullptr);
        QVERIFY(!figures.candidate()->samples.has_value());
        QVERIFY(figures.blocks.empty() && figures.clock.empty() && figures.task.inputs.isEmpty());
        QVERIFY(std::isnan(figures.verify.worst.front().actual.value_or(0)));
        QCOMPARE(figures, measuredFigures(evaluation)); // a NaN is the same NaN
    }

    void noFieldOfADocumentCanBreakIt() {
        const Evaluation whole = recorded("h200-arg-reduction");
        const std::vector<OrderedJson> odd{
            nullptr, "x", -1, 1e300, OrderedJson::array({1, "y"}), OrderedJson::object({{"z", 1}})};
        int tried = 0;
        for (OrderedJson Evaluation::*section :
             {&Evaluation::profile, &Evaluation::verify, &Evaluation::task, &Evaluation::device}) {
            const OrderedJson flat = (whole.*section).flatten();
            for (const auto &[pointer, value] : flat.items()) {
                for (const OrderedJson &other : odd) {
                    // The field itself, and the list or object that holds it.
                    const OrderedJson::json_pointer place(pointer);
                    for (const OrderedJson::json_pointer &at : {place, place.parent_pointer()}) {
                        Evaluation broken = whole;
                        (broken.*section)[at] = other;
                        const MeasuredFigures figures = measuredFigures(broken);
                        for (const ArmFigures &arm : figures.arms)
                            QVERIFY(arm.medianMicroseconds > 0);
                        QVERIFY(wholeTrustBadge(figures).segments.empty() ==
                                (figures.candidate() == nullptr));
                        ++tried;
                    }
                }
            }
        }
        QVERIFY(tried > 1000);
    }

    void theDoubtLeadsTheBadge() {
        QCOMPARE(badgeText(trustBadge(measuredFigures(recorded("cpu-softmax-rows")))),
                 QString("quick tier | FP32 | cold cache | clock unknown"));
        // Of stored times it speaks only where there are some.
        MeasuredFigures live = measuredFigures(recorded("cpu-softmax-rows"));
        for (ArmFigures &arm : live.arms) {
            arm.isLive = true;
            arm.isDerived = false;
        }
        QVERIFY(!trustBadge(live).segments.front().toolTip.contains("stored times"));
        live.arms.front().isLive = false;
        QVERIFY(trustBadge(live).segments.front().toolTip.contains("stored times"));
        Evaluation evaluation = recorded("h200-arg-reduction");
        QCOMPARE(badgeText(trustBadge(measuredFigures(evaluation))),
                 QString("!above the measured ceiling | quick tier | FP32 | cold cache | steady"));
        QCOMPARE(
            badgeText(wholeTrustBadge(measuredFigures(evaluation))),
            QString(
                "!above the measured ceiling | 8 rounds × 488 calls | cold cache | 1,980 MHz steady | FP32 | "
                "quick tier | no sandbox"));
        evaluation.integrity["wall"] = {{"kind", "namespaces"}, {"lacks", {"No cgroup."}}};
        const TrustSegment sandbox = wholeTrustBadge(measuredFigures(evaluation)).segments.back();
        QCOMPARE(sandbox.text, QString("sandbox: namespaces"));
        QVERIFY(sandbox.toolTip.contains("No cgroup."));
        evaluation.profile["clock"][3]["slowedBy"] = "power cap";
        evaluation.profile["clock"][3]["megahertz"] = 1755;
        evaluation.profile["arms"]["candidate"]["flags"] = {"warm-inputs"};
        evaluation.doubts << "The device lowered its clock while measuring; see the clock track."
                          << "The inputs are so small that 2 sets fit the cache: times are with warm inputs.";
        evaluation.tier = Tier::Certify;
        // Asked for, and not given: no certificate.
        QVERIFY(badgeText(trustBadge(measuredFigures(evaluation))).startsWith("!not certified"));
        evaluation.profile["certificate"] = {
            {"status", "passed"},
            {"lane", "graph"},
            {"processes", 4},
            {"sameAgain",
             {{"arm", "compile"},
              {"calls", nullptr},
              {"graph", {{"value", 1.001}, {"low", 0.998}, {"high", 1.004}}}}},
            {"reason", "Call by call: too wide."}};
        const CertificateFigures certificate = measuredFigures(evaluation).certificate;
        QCOMPARE(certificate.processes, 4);
        QVERIFY(certificate.sameAgain && certificate.sameAgain->arm == QLatin1String("compile"));
        QCOMPARE(certificate.sameAgain->high, 1.004);
        QVERIFY(
            badgeText(trustBadge(measuredFigures(evaluation))).contains("certified as CUDA Graph replay"));
        evaluation.profile["certificate"]["lane"] = "calls";
        const TrustBadge badge = trustBadge(measuredFigures(evaluation));
        QCOMPARE(badgeText(badge),
                 QString("!warm inputs | !throttled 1 of 8 rounds | !above the measured ceiling | "
                         "certified | FP32"));
        QVERIFY(badge.isDoubted());
        QVERIFY2(badge.segments[1].toolTip.contains("power cap") &&
                     badge.segments[1].toolTip.contains("1,755–1,980 MHz"),
                 qPrintable(badge.segments[1].toolTip));
        evaluation.doubts << "The baseline compile could not be measured: it crashed";
        QVERIFY(badgeText(trustBadge(measuredFigures(evaluation))).contains("!1 doubt |"));
        evaluation.verdict = Verdict::Impossible;
        QVERIFY(badgeText(trustBadge(measuredFigures(evaluation))).contains("!physically impossible"));
    }

    void whatAGraphWouldSaveIsSaidBesideTheHeadline() {
        const SpeedUp calls{2.48, 2.01, 3.23, QStringLiteral("compile")};
        const SpeedUp graph{1.486, 1.474, 1.498, QStringLiteral("compile")};
        MeasuredFigures figures = withGraph(23.9, 22.9, calls, graph);
        const std::optional<GraphRemark> remark = graphRemark(figures);
        QVERIFY(remark.has_value());
        QCOMPARE(remark->arm, QStringLiteral("compile"));
        QCOMPARE(remark->factor, QStringLiteral("1.49×"));
        QCOMPARE(
            QString(remark->sentence).replace(QChar(0xa0), QLatin1Char(' ')),
            QStringLiteral("As one CUDA graph 1.49× over compile (1.47–1.50); call by call, 25.3 µs of the "
                           "59.4 µs that compile takes are the host's cost of launching."));
        figures.sameClass->arm = QStringLiteral("eager"); // two baselines are not held against each other
        QVERIFY(graphRemark(figures).has_value());        // but compile stands on its own
        figures.compile.reset();
        QVERIFY(!graphRemark(figures));
        figures = withGraph(23.9, 22.9, calls, graph);
        figures.graph.arms.clear();
        QCOMPARE(graphRemark(figures)->sentence,
                 QStringLiteral("As one CUDA graph 1.49× over compile (1.47–1.50)."));
        figures = withGraph(59.4, 17.1, {1, 0.98, 1.02, QStringLiteral("compile")},
                            {1.99, 1.97, 2.01, QStringLiteral("compile")});
        QVERIFY(graphRemark(figures)->sentence.contains(QStringLiteral("that the candidate takes")));
    }
    /// So say the terminal, the page and the answer to an agent, which all have these lines.
    void theVerdictsLinesSayIt() {
        Evaluation evaluation = recorded("h200-arg-reduction"); // 1.19 times over compile
        const QString before = verdictText(evaluation, Terminal());
        QVERIFY(!before.contains("CUDA graph"));
        evaluation.profile["graph"] = {
            {"status", "passed"},
            {"speedup", {{"compile", {{"arm", "compile"}, {"value", 0.6}, {"low", 0.59}, {"high", 0.61}}}}}};
        QCOMPARE(verdictText(evaluation, Terminal()),
                 before + QStringLiteral("As one CUDA graph 0.60× over compile (0.59–0.61).\n"));
    }
    /// «right» alone would hide that it takes longer than what it replaces.
    void aPassSaysWhereItIsNoFaster_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("words");
        QTest::newRow("slower") << 0.4 << "pass, reward 1: right, and slower than eager, 0.40";
        QTest::newRow("neither") << 1.0
                                 << "pass, reward 1: right, and as fast as eager as far as it can be told, ";
        QTest::newRow("a little") << 1.03
                                  << "pass, reward 1: right, and faster than eager, by no more than 5 %: ";
    }
    void aPassSaysWhereItIsNoFaster() {
        QFETCH(const double, value);
        QFETCH(const QString, words);
        Evaluation evaluation = recorded("h200-arg-reduction");
        evaluation.reward = 1;
        OrderedJson &eager = evaluation.profile["speedup"]["eager"];
        eager["value"] = value;
        eager["low"] = value - 0.01;
        eager["high"] = value + 0.01;
        const QString said = verdictText(evaluation, Terminal()).simplified();
        QVERIFY2(said.contains(words), qPrintable(said));
        evaluation.reward = 2;
        QVERIFY(!verdictText(evaluation, Terminal()).contains("as far as it can"));
        evaluation.reward = 1;
        evaluation.profile.erase("speedup"); // nothing was timed
        QVERIFY(verdictText(evaluation, Terminal()).simplified().startsWith("pass, reward 1: right"));
        QVERIFY(!verdictText(evaluation, Terminal()).contains("eager"));
    }
    /// A bare «worst error 0.22» does not say of what; the window's pages have error over allowed.
    void theWorstErrorSaysWhatItIsRelativeTo() {
        const QString said = stagesText(recorded("cpu-wrong"), Terminal()).simplified();
        QVERIFY2(
            said.contains(QStringLiteral("worst error / allowed: 3.02e+04 (|got − expected| / (|expected| + "
                                         "RMS): 0.23, allowed 7.63e-06)")),
            qPrintable(said));
    }
    void noGraphNoRemark() {
        const SpeedUp calls{2.48, 2.01, 3.23, QStringLiteral("compile")};
        const SpeedUp graph{1.486, 1.474, 1.498, QStringLiteral("compile")};
        MeasuredFigures figures = withGraph(23.9, 22.9, calls, graph);
        figures.graph.status = StageStatus::NotRun;
        QVERIFY(!graphRemark(figures));
        figures.graph.status = StageStatus::Passed;
        figures.certificate.status = StageStatus::Passed;
        figures.certificate.lane = QStringLiteral("graph"); // the headline is the graph's already
        QVERIFY(!graphRemark(figures));
        QVERIFY(!graphRemark(
            withGraph(23.9, 22.9, {2.4, 2.3, 2.5, QStringLiteral("compile")},
                      {2, 1.9, 2.1, QStringLiteral("compile")}))); // 1.2 times: less than a quarter
        QVERIFY(!graphRemark(withGraph(23.9, 22.9, {2.48, 1.6, 3.3, QStringLiteral("compile")},
                                       {1.49, 1.3, 1.7, QStringLiteral("compile")}))); // intervals meet
        QVERIFY(!graphRemark(measuredFigures(recorded("h200-arg-reduction"))));
    }
};

QObject *makeTestMeasuredFigures() {
    return new TestMeasuredFigures;
}

#include "tst_measured_figures.moc"
