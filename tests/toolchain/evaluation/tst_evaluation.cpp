// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/evaluation/tst_evaluation.h"

#include "toolchain/check/reproduction.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/progress/stage_progress.h"
#include "toolchain/workspace/inputs_hash.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

namespace {

Evaluation sample() {
    Evaluation evaluation = emptyEvaluation("0.1.0 (test)");
    evaluation.seconds = 12.5;
    evaluation.verdict = Verdict::BuildFailed;
    evaluation.reward = -1;
    evaluation.message = {"Cannot compile", "/tmp/w", "1 error", "Mend it.", "line 1\nline 2"};
    evaluation.tier = Tier::Certify;
    evaluation.lastStage = LastStage::Verify;
    evaluation.precisionAllowed = {"FP32", "TF32"};
    evaluation.precisionMeasured = "FP32";
    evaluation.inputsHash = QString(64, 'a');
    evaluation.compile.status = StageStatus::Failed;
    evaluation.compile.seconds = 3.25;
    evaluation.compile.architecture = "sm_90a";
    evaluation.compile.objects = 3;
    evaluation.compile.diagnostics = {{"kernels/a.cu",
                                       3,
                                       7,
                                       Severity::Error,
                                       "«x» is undefined",
                                       "",
                                       "nvcc",
                                       {{"kernels/a.cu", 1, 0, "here"}}},
                                      {"", 0, 0, Severity::Warning, "no place", "-Wx", "ld", {}}};
    KernelResources kernel;
    kernel.name = "f<1>(float*)";
    kernel.mangled = "_Z1f";
    kernel.arch = "sm_90a";
    kernel.registers = 32;
    kernel.maxThreads = 1024;
    kernel.launchThreads = 256;
    evaluation.compile.kernels = {kernel};
    evaluation.doubts = {"One.", "Two."};
    return evaluation;
}

} // namespace

void TestEvaluation::comesBackFromItsTextAsItWas() {
    const Evaluation before = sample();
    const Result<Evaluation> after = evaluationFromJson(toText(before));
    QVERIFY2(after.hasValue(), qPrintable(after.message()));
    QVERIFY(after.value() == before);
    QCOMPARE(toText(after.value()), toText(before));
}

void TestEvaluation::keepsFieldsOfALaterVersion() {
    OrderedJson document = toJson(sample());
    document["profile"]["counters"] = {1, 2, 3};
    const Result<Evaluation> read = evaluationFromJson(dumpJson(document));
    QVERIFY2(read.hasValue(), qPrintable(read.message()));
    QVERIFY(toJson(read.value())["profile"]["counters"] == OrderedJson({1, 2, 3}));
}

void TestEvaluation::namesTheFieldThatIsBroken_data() {
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("value"); // empty: the field is taken away
    QTest::addColumn<QString>("complaint");
    QTest::newRow("verdict") << QByteArray("/verdict") << QByteArray("\"good\"") << "verdict";
    QTest::newRow("missing") << QByteArray("/doubts") << QByteArray() << "doubts is missing";
    QTest::newRow("status") << QByteArray("/compile/status") << QByteArray("\"ok\"") << "compile.status";
    QTest::newRow("number") << QByteArray("/compile/seconds") << QByteArray("\"3\"") << "compile.seconds";
    QTest::newRow("stages") << QByteArray("/stages") << QByteArray("[\"profile\"]") << "stages";
    QTest::newRow("severity") << QByteArray("/compile/diagnostics/0/severity") << QByteArray("\"bad\"")
                              << "severity";
    QTest::newRow("schema") << QByteArray("/schema") << QByteArray("\"warpwright.evaluation/2\"")
                            << "warpwright.evaluation/2";
}

void TestEvaluation::namesTheFieldThatIsBroken() {
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, value);
    QFETCH(QString, complaint);
    OrderedJson document = toJson(sample());
    const OrderedJson::json_pointer place(pointer.toStdString());
    if (value.isEmpty())
        document.erase(pointer.mid(1).toStdString());
    else
        document[place] = OrderedJson::parse(value.toStdString());
    const Result<Evaluation> read = evaluationFromJson(dumpJson(document));
    QVERIFY(!read.hasValue());
    QVERIFY2(read.message().contains(complaint), qPrintable(read.message()));
}

void TestEvaluation::keepsTheOrderOfItsFields() {
    QStringList keys;
    const OrderedJson document = toJson(sample());
    for (const auto &[key, value] : document.items())
        keys.append(fromJson(key));
    QCOMPARE(
        keys.join(' '),
        QString(
            "schema id startedAt seconds verdict reward message tier stages precision workspace task "
            "device environment inputsHash compile verify profile sanitizers integrity doubts exercised"));
}

void TestEvaluation::idsSortByTime() {
    const QDateTime first = QDateTime::fromString("2026-11-21T04:05:06.007Z", Qt::ISODateWithMs);
    const QString id = newEvaluationId(first);
    QVERIFY2(id.startsWith("20261121T040506.007Z-"), qPrintable(id));
    QVERIFY(id < newEvaluationId(first.addMSecs(1)));
    QVERIFY(newEvaluationId(first) != newEvaluationId(first));
}

void TestEvaluation::takesMessagesApartWithoutLosingAWord_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("thing");
    QTest::addColumn<QString>("advice");
    QTest::newRow("house form") << "Cannot start \"/bin/nvcc\": No such file. Set the path."
                                << "/bin/nvcc"
                                << "Set the path.";
    QTest::newRow("dots in a version") << "Cannot use \"/p\": torch 2.5.1 is too old. Install 2.6."
                                       << "/p"
                                       << "Install 2.6.";
    QTest::newRow("no advice") << "Cannot start \"/bin/nvcc\": No such file"
                               << "/bin/nvcc"
                               << "";
    QTest::newRow("no thing") << "It failed: so what"
                              << ""
                              << "";
    QTest::newRow("many lines") << "Cannot build \"/x\": a.cpp: error. here\nb.cpp: error"
                                << "/x"
                                << "";
    QTest::newRow("nothing") << ""
                             << ""
                             << "";
}

void TestEvaluation::takesMessagesApartWithoutLosingAWord() {
    QFETCH(QString, sentence);
    QFETCH(QString, thing);
    QFETCH(QString, advice);
    const EvaluationMessage message = messageFrom(sentence);
    QCOMPARE(message.thing, thing);
    QCOMPARE(message.advice, advice);
    QCOMPARE(plainText(message), sentence);
}

void TestEvaluation::putsEveryFieldOfTheJudgeInItsPlace() {
    const Json reply =
        Json::parse(R"({"status": "passed", "reason": "", "zebra": 1, "rounds": [{"index": 1}], "worst": {},
        "profile": {"method": "m", "arms": {"candidate": {"medianMicroseconds": 10, "lowMicroseconds": 9, "highMicroseconds": 11,
        "samples": 12, "live": true, "flags": []}, "eager": {"medianMicroseconds": 30, "lowMicroseconds": 29, "highMicroseconds": 31}, "compile": {"medianMicroseconds": null}},
        "speedup": {"sameClass": {"value": 3.0, "low": 2.9, "high": 3.1, "arm": "eager"}}}, "doubts": ["a", 5]})");
    const OrderedJson verify = verifySection(reply);
    QCOMPARE(verify.begin().key(), std::string("status"));
    QVERIFY(!verify.contains("reason") && !verify.contains("doubts"));
    QVERIFY(verify.contains("zebra") && verify["workdirCriterion"].is_null());

    const OrderedJson profile = profileSection(reply);
    QCOMPARE(statusOf(profile), StageStatus::Passed);
    QCOMPARE(profile["arms"].size(), std::size_t(7));
    QVERIFY(profile["arms"]["compileTf32"].is_null());
    QCOMPARE(rewardTimesIn(profile), (RewardTimes{10.0, 30.0, std::nullopt}));
    QCOMPARE(speedUpIn(profile, "sameClass").value_or(SpeedUp{}), (SpeedUp{3.0, 2.9, 3.1, "eager"}));
    QVERIFY(!speedUpIn(profile, "compile").has_value());
    QCOMPARE(speedUpIn(headlineTimes(profile), "sameClass").value_or(SpeedUp{}).value, 3.0);
    QCOMPARE(doubtsIn(reply), QStringList({"a", "5"}));
    // What is no answer at all gives an empty section, not a crash.
    QCOMPARE(statusOf(profileSection(Json("text"))), StageStatus::NotRun);
    QCOMPARE(statusOf(verifySection(Json())), StageStatus::NotRun);
}

// A result cached by an address is no matter of parameters, though it came out with others.
void TestEvaluation::advisesAboutWhatTheMapShows() {
    Workspace workspace;
    workspace.modelNewFile = QStringLiteral("/w/model_new.py");
    const Json reply{{"reason", "The result differs."}, {"advice", "Read parameters in each call."}};
    OrderedJson verify = OrderedJson::parse(R"({"rounds": [{"index": 2, "failureMap": {"outputs": [{
        "name": "output", "dtype": "float32", "sizes": [16], "elements": 16, "wrong": 16, "nan": 0,
        "axes": [{"dimensions": [0], "size": 16, "block": 1, "wrong": ["1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"]}],
        "moved": [{"kind": "before", "right": 16, "of": 16}]}]}}]})");
    const EvaluationMessage stale = judgedMessage(Verdict::Wrong, workspace, reply, verify);
    QVERIFY2(stale.advice.contains("data_ptr") && stale.advice.contains("kept from call to call"),
             qPrintable(stale.advice));
    QCOMPARE(stale.why, QStringLiteral("The result differs."));
    QCOMPARE(stale.thing, workspace.modelNewFile);
    verify["rounds"][0]["failureMap"]["outputs"][0]["moved"] = OrderedJson::array();
    QCOMPARE(judgedMessage(Verdict::Wrong, workspace, reply, verify).advice,
             QStringLiteral("Read parameters in each call."));
}

void TestEvaluation::showsTheGraphsTimesWhereOnlyTheseAreCertified() {
    const auto speedups = [](double value) {
        const OrderedJson speedup{
            {"value", value}, {"low", value * 0.99}, {"high", value * 1.01}, {"arm", "compile"}};
        return OrderedJson{{"sameClass", speedup}, {"compile", speedup}};
    };
    Evaluation before;
    before.verdict = Verdict::Pass;
    before.profile = {{"speedup", speedups(1.5)},
                      {"graph", {{"speedup", speedups(0.93)}}},
                      {"certificate", {{"status", "passed"}, {"lane", "graph"}}}};
    QCOMPARE(summaryOf(before).sameClass.value_or(SpeedUp{}).value, 0.93);
    // Call by call it is another number each time; the certified one comes out again.
    Evaluation again = before;
    again.profile["speedup"] = speedups(2.1);
    const std::vector<Reproduced> rows = compareTimes(before, again);
    QCOMPARE(rows.size(), std::size_t(1));
    QCOMPARE(rows[0].again.value, 0.93);
    QCOMPARE(isReproduced(before, again), std::optional(true));
    again.profile.erase("graph");
    QVERIFY(compareTimes(before, again).empty());
    before.profile["certificate"]["lane"] = "calls";
    QCOMPARE(summaryOf(before).sameClass.value_or(SpeedUp{}).value, 1.5);
    QCOMPARE(isReproduced(before, again), std::optional(false));
}

void TestEvaluation::addsUpWhatIsSaidOfIntegrity() {
    const Json first =
        Json::parse(R"({"integrity": {"status": "failed", "wall": {"kind": "none"}, "findings": [1]}})");
    const Json second = Json::parse(R"({"integrity": {"status": "passed", "findings": [2]}})");
    const OrderedJson both = integritySection(second, integritySection(first));
    QCOMPARE(statusOf(both), StageStatus::Failed);
    QCOMPARE(both["wall"]["kind"].get<std::string>(), std::string("none"));
    QCOMPARE(both["findings"].size(), std::size_t(2));
}

void TestEvaluation::storesAndFindsByInputs() {
    QTemporaryDir folder;
    const EvaluationStore store(folder.path());
    QVERIFY(store.ids().isEmpty());
    QVERIFY(store.latest().message().contains("nothing was checked yet"));
    Evaluation first = sample();
    Evaluation second = sample();
    first.id = "20260101T000000.000Z-000001";
    second.id = "20260101T000001.000Z-000000";
    second.inputsHash = QString(64, 'b');
    const Result<QString> path = store.store(second, "the log");
    QVERIFY2(path.hasValue(), qPrintable(path.message()));
    QVERIFY(QFile::exists(path.value()));
    QVERIFY(QFile::exists(QString(path.value()).replace(".json", ".log")));
    QVERIFY(store.store(first).hasValue());
    QCOMPARE(store.ids(), QStringList({first.id, second.id}));
    QCOMPARE(store.latest().value().id, second.id);
    QCOMPARE(store.find(first.inputsHash).value().id, first.id);
    QVERIFY(!store.find(QString(64, 'c')).hasValue());
}

void TestEvaluation::storesWithoutALogThatCannotBeWritten() {
    QTemporaryDir folder;
    const EvaluationStore store(folder.path());
    const Evaluation measured = sample();
    QVERIFY(QDir().mkpath(folder.path() + "/evaluations/" + measured.id + ".log/in the way"));
    const Result<QString> path = store.store(measured, "the log");
    QVERIFY2(path.hasValue(), qPrintable(path.message()));
    const Result<Evaluation> read = store.load(measured.id);
    QVERIFY2(read.hasValue(), qPrintable(read.message()));
    QCOMPARE(read.value().doubts.size(), measured.doubts.size() + 1);
    QVERIFY2(read.value().doubts.last().startsWith("What the compilers printed is not kept."),
             qPrintable(read.value().doubts.last()));
}

void TestEvaluation::saysWhichStoredFileIsBroken() {
    QTemporaryDir folder;
    const EvaluationStore store(folder.path());
    QVERIFY(store.store(sample()).hasValue());
    QFile file(store.pathOf(store.ids().first()));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("{");
    file.close();
    const Result<Evaluation> read = store.latest();
    QVERIFY(!read.hasValue());
    QVERIFY2(read.message().contains(file.fileName()), qPrintable(read.message()));
}

void TestEvaluation::hashesNamesAndLengths() {
    const auto hash = [](const std::vector<std::pair<QString, QByteArray>> &parts) {
        return inputsHash(HashedInputs{parts});
    };
    QCOMPARE(hash({{"a", "1"}, {"b", "2"}}), hash({{"b", "2"}, {"a", "1"}}));
    QVERIFY(hash({{"a", "1"}, {"b", "2"}}) != hash({{"a", "2"}, {"b", "1"}}));
    QVERIFY(hash({{"a", "12"}}) != hash({{"a1", "2"}}));
    QVERIFY(hash({{"a", ""}}) != hash({}));
    QCOMPARE(hash({}).size(), 64);
}

void TestEvaluation::remembersHowLongAStepTook() {
    QTemporaryDir folder;
    const QString file = folder.filePath("durations.json");
    {
        StageClock clock(file, "w");
        QVERIFY(!clock.begin("compile", "a.cu", 1, 2).lastSeconds.has_value());
        QVERIFY(!clock.begin("compile", "b.cu", 2, 2).lastSeconds.has_value()); // ends a.cu
        QVERIFY(!clock.begin("verify", "round", 1, 5).lastSeconds.has_value());
        clock.end("compile");
        clock.abandon(); // the round did not come to its end
        clock.save();
    }
    StageClock again(file, "w");
    QVERIFY(again.begin("compile", "a.cu", 1, 2).lastSeconds.has_value());
    QVERIFY(again.begin("compile", "b.cu", 2, 2).lastSeconds.has_value());
    QVERIFY(!again.begin("verify", "round", 1, 5).lastSeconds.has_value());
    StageClock other(file, "another workspace");
    QVERIFY(!other.begin("compile", "a.cu", 1, 2).lastSeconds.has_value());
}
