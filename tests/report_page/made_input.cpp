// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/report_page/made_input.h"

#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "tests/toolchain/timeline/made_timeline.h"
#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_json.h"

using namespace warpwright;

namespace {

/// copy4, strided and banks on an H200, as if they were the candidate's.
Counters recordedCounters() {
    const auto json = parseJson(readTextFile(testData("/ncu/h200-three-kernels.json")).value());
    Counters counters = countersFromJson(json.value()).value();
    for (KernelCounters &kernel : counters.kernels)
        kernel.arm = QStringLiteral("candidate");
    return counters;
}

} // namespace

QByteArray lookTokens() {
    return readTextFile(sourceFolder("/resources/look/tokens.json")).value();
}

std::vector<IterationRecord> madeIterations(int count) {
    std::vector<IterationRecord> records;
    for (int number = 1; number <= count; ++number) {
        IterationRecord record;
        record.iteration.number = number;
        record.iteration.parent = number - 1;
        record.iteration.author = {number % 2 == 0 ? AuthorKind::Model : AuthorKind::Playbook, {}};
        record.iteration.note =
            QStringLiteral("Change %1 of many, told in about sixty letters, like a title").arg(number);
        record.iteration.textHash = QString(64, QLatin1Char('a'));
        if (number % 50 != 0) {
            EvaluationSummary summary;
            summary.id = QStringLiteral("e%1").arg(number);
            summary.verdict = number % 7 == 0 ? Verdict::Wrong : Verdict::Pass;
            summary.device = QStringLiteral("NVIDIA H200");
            const double median = 200.0 - 100.0 * number / count + (number * 37 % 11);
            if (summary.verdict == Verdict::Pass) {
                summary.candidate = ArmTiming{median, median - 0.5, median + 0.5, 8, true};
                summary.eager = SpeedUp{400 / median, 399 / median, 401 / median, QStringLiteral("eager")};
                summary.reward = 2;
            }
            record.latest = summary;
        }
        records.push_back(record);
    }
    return records;
}

ReportInput madeInput(const QString &evaluation) {
    ReportInput input;
    input.program = QStringLiteral("wright 0.1.0");
    input.madeAt = QDateTime(QDate(2026, 11, 29), QTime(12, 0), Qt::UTC);
    input.workspace = QStringLiteral("softmax-rows");
    input.folder = QStringLiteral("/home/somebody/work/softmax-rows");
    input.precisionAllowed = {QStringLiteral("FP32"), QStringLiteral("TF32")};
    input.iteration = 3;
    input.isOnDisk = true;
    input.iterations = madeIterations(3);
    input.known.texts = {
        {QStringLiteral("model.py"), "import torch\n\nclass Model(torch.nn.Module):\n    pass\n"},
        {QStringLiteral("model_new.py"), "class ModelNew:\n    pass\n"},
        {QStringLiteral("kernels/k.cu"), readTextFile(testData("/ncu/three_kernels.cu")).value()}};
    if (!evaluation.isEmpty())
        input.known.evaluation = evaluationFromJson(recorded(QStringLiteral("evaluations/") + evaluation +
                                                             QStringLiteral(".json")))
                                     .value();
    return input;
}

ReportInput wholeInput() {
    ReportInput input = madeInput(QStringLiteral("h200-gemm-bias-gelu"));
    input.known.counters = recordedCounters();
    input.timeline = madeTimeline();
    input.findings = findingsOf(input.known);
    ReportedRun run;
    run.id = QStringLiteral("20261128T160709.465Z-0123ab");
    run.agent = QStringLiteral("model (engineer), version rules-1");
    run.mode = QStringLiteral("review");
    run.device = QStringLiteral("cuda:0");
    run.beganAt = QDateTime(QDate(2026, 11, 28), QTime(16, 7), Qt::UTC);
    run.ending = QStringLiteral("ended: the agent is done");
    ReportedProposal proposal;
    proposal.id = QStringLiteral("p2");
    proposal.title = QStringLiteral("Read four values at a time");
    proposal.reason = QStringLiteral("The loads are narrow.");
    proposal.author = QStringLiteral("model (engineer)");
    proposal.expected = QStringLiteral("80.0 % of the time before");
    proposal.measured = QStringLiteral("pass, 83.0 % of the time before (82.0 %–84.0 %)");
    proposal.outcome = QStringLiteral("applied");
    proposal.answers = {
        QStringLiteral("hunk 1 of kernels/k.cu: rejected by person, «our style guide has no such thing»"),
        QStringLiteral("hunk 2 of kernels/k.cu: accepted by person")};
    proposal.madeFor = 2;
    proposal.iteration = 3;
    run.proposals = {proposal};
    input.runs = {run};
    return input;
}

OrderedJson failureMapOfOneRow() {
    const auto axis = [](int dimension, const char *wrong, const char *nan) {
        return OrderedJson{{"dimensions", OrderedJson::array({dimension})},
                           {"size", 8},
                           {"block", 1},
                           {"wrong", OrderedJson::array({wrong})},
                           {"nan", OrderedJson::array({nan})}};
    };
    const OrderedJson grid{{"axes", OrderedJson::array({0, 1})},
                           {"blocks", OrderedJson::array({1, 1})},
                           {"counts", OrderedJson::array({8, 8})},
                           {"cells", OrderedJson::array({"56 57 58 59 60 61 62 63"})},
                           {"wrong", OrderedJson::array({"1 1 1 1 1 1 1 1"})},
                           {"nan", OrderedJson::array({"0 0 0 0 0 0 0 1"})},
                           {"ratio", OrderedJson::array({"40 40 40 40 40 40 40 40"})},
                           {"place", OrderedJson::array({"56 57 58 59 60 61 62 63"})},
                           {"expected", OrderedJson::array({"-1 -1 -1 -1 -1 -1 -1 -1"})},
                           {"got", OrderedJson::array({"1 1 1 1 1 1 1 1"})}};
    const OrderedJson output{{"name", "output"},
                             {"dtype", "float32"},
                             {"sizes", OrderedJson::array({8, 8})},
                             {"elements", 64},
                             {"wrong", 8},
                             {"nan", 1},
                             {"zero", 0},
                             {"untouched", 0},
                             {"zeros", 0},
                             {"zerosExpected", 0},
                             {"bound", "largest"},
                             {"allowed", 1e-6},
                             {"levels", OrderedJson::array({0, 7, 0, 0})},
                             {"axes", OrderedJson::array({axis(0, "0 0 0 0 0 0 0 8", "0 0 0 0 0 0 0 1"),
                                                          axis(1, "1 1 1 1 1 1 1 1", "0 0 0 0 0 0 0 1")})},
                             {"grids", OrderedJson::array({grid})},
                             {"worst", OrderedJson::array()},
                             {"moved", OrderedJson::array()}};
    return OrderedJson{{"outputs", OrderedJson::array({output})}};
}

ReportInput runInput() {
    ReportInput input = wholeInput();
    ReportedRun &run = input.runs.front();
    input.run = run.id;
    run.isWhole = true;
    run.beganFrom = 2;
    run.iterations = {3};
    run.budgets = QStringLiteral("3 proposals, 30 minutes");
    run.messages = {QStringLiteral("Mind the tail.")};
    run.proposals.front().hunks = {
        {QStringLiteral("kernels/k.cu"),
         12,
         {QStringLiteral("float a = x[i];")},
         {QStringLiteral("float4 a = x4[i];")}},
        {QStringLiteral("kernels/new.cuh"), 0, {}, {QStringLiteral("#pragma once")}}};
    ReportedProposal wrong = run.proposals.front();
    wrong.id = QStringLiteral("p3");
    wrong.title = QStringLiteral("Leave the tail out");
    wrong.measured = QStringLiteral("wrong");
    wrong.outcome = QStringLiteral("left out by policy");
    wrong.why = QStringLiteral("it is wrong");
    wrong.iteration = 0;
    wrong.isWrong = true;
    wrong.linesLeftOut = 7;
    wrong.failures = failureMaps(OrderedJson{
        {"rounds", OrderedJson::array({OrderedJson{{"index", 1}, {"failureMap", failureMapOfOneRow()}}})}});
    run.proposals.push_back(wrong);
    return input;
}

ReportInput saidEverywhere(ReportInput input, const QString &words) {
    input.workspace = words;
    input.program = words;
    input.otherCounters = words;
    input.problems = {words};
    input.precisionAllowed = {words};
    CandidateTexts texts;
    for (const auto &[path, text] : input.known.texts)
        texts[path + words] = text + words.toUtf8();
    texts[words + QStringLiteral(".py")] = words.toUtf8();
    input.known.texts = texts;
    for (IterationRecord &record : input.iterations) {
        record.iteration.note = words;
        record.iteration.author.name = words;
        if (record.latest) {
            record.latest->device = words + QString::number(record.iteration.number);
            if (record.latest->eager)
                record.latest->eager->arm = words;
        }
    }
    if (input.known.evaluation) {
        Evaluation &evaluation = *input.known.evaluation;
        evaluation.verdict = Verdict::Wrong;
        evaluation.message = {words, words, words, words, words};
        evaluation.doubts = {words};
        evaluation.id = words;
        evaluation.inputsHash = words;
        evaluation.compile.architecture = words;
        evaluation.device["name"] = toJson(words);
        evaluation.environment["torch"] = toJson(words);
        evaluation.task["method"] = toJson(words);
        Diagnostic diagnostic;
        diagnostic.file = words;
        diagnostic.message = words;
        evaluation.compile.diagnostics = {diagnostic};
        KernelResources kernel;
        kernel.name = words;
        kernel.arch = words;
        evaluation.compile.kernels = {kernel};
    }
    if (input.known.counters) {
        Counters &counters = *input.known.counters;
        counters.device = words;
        counters.tool = words;
        counters.problems = {words};
        for (KernelCounters &kernel : counters.kernels) {
            kernel.name = words;
            kernel.function = words;
            for (CounterRule &rule : kernel.rules) {
                rule.name = words;
                rule.message = words;
            }
            for (InstructionCounters &instruction : kernel.instructions) {
                instruction.text = words;
                instruction.file = words;
                instruction.values[QStringLiteral("stall.") + words] = 1;
            }
        }
    }
    if (input.timeline) {
        input.timeline->problems = {words};
        input.timeline->tool = words;
        for (TimelineArm &arm : input.timeline->arms) {
            arm.name = words;
            arm.notes = {words};
            for (TimelineEvent &event : arm.events)
                event.name = words;
        }
        input.timeline->arms.back().problem = words;
    }
    Finding finding;
    finding.id = finding.title = finding.kernel = finding.file = finding.message = finding.advice = words;
    finding.line = 1;
    finding.gainMicroseconds = 1;
    finding.gainBasis = words;
    finding.evidence = {{words, 1, words, words}};
    input.findings.list.push_back(finding);
    input.findings.missing = {words};
    input.findings.looked = {words};
    input.findings.callSource = words;
    for (ReportedRun &run : input.runs) {
        run.id = run.agent = run.mode = run.device = run.ending = words;
        for (ReportedProposal &proposal : run.proposals) {
            proposal.id = proposal.title = proposal.reason = proposal.author = proposal.expected = words;
            proposal.measured = proposal.outcome = proposal.why = words;
            proposal.answers = {words};
            for (ReportedHunk &hunk : proposal.hunks) {
                hunk.file = words;
                hunk.oldLines = hunk.newLines = {words};
            }
            for (FailureMap &map : proposal.failures)
                for (OutputFailure &output : map.outputs)
                    output.name = output.dtype = words;
        }
        run.budgets = run.isWhole ? words : QString();
        run.messages = run.isWhole ? QStringList{words} : QStringList();
    }
    return input;
}
