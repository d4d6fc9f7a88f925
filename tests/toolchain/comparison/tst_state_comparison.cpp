// SPDX-License-Identifier: GPL-3.0-or-later
// Two states beside each other: what differs, what is noise, what cannot be compared, what is missing.
#include "tests/toolchain/comparison/recorded_states.h"
#include "toolchain/comparison/comparison_parts.h"
#include "toolchain/comparison/launched_names.h"
#include "toolchain/comparison/state_comparison_json.h"
#include "toolchain/counters/counter_rows.h"
#include "toolchain/report/comparison_report.h"

#include <QTest>

using namespace warpwright;

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

namespace {

const QString dram = QStringLiteral("DRAM traffic");
const QString duration = QStringLiteral("Time under the profiler");

void scale(Counters &counters, const QString &metric, double factor) {
    for (KernelCounters &kernel : counters.kernels)
        if (const auto found = kernel.metrics.find(metric); found != kernel.metrics.end())
            found->second.number = *found->second.number * factor;
}

ComparedState with(ComparedState state, Counters counters) {
    state.counters = makeShared(std::move(counters));
    return state;
}

const char *wordOf(const ComparisonRow *row) {
    static QByteArray word;
    word = row == nullptr ? QByteArray("no row") : stateWord(row->state).toUtf8();
    return word.constData();
}

QString shown(QString text) {
    return text.replace(QChar(QChar::Nbsp), QLatin1Char(' '));
}

KernelCode codeOf(const QStringList &instructions) {
    KernelCode code;
    code.arch = QStringLiteral("sm_90a");
    for (const QString &text : instructions) {
        CodeLine line;
        line.opcode = text.section(QLatin1Char(' '), 0, 0);
        line.operands = text.section(QLatin1Char(' '), 1);
        line.address = static_cast<qint64>(code.lines.size()) * 16;
        code.lines.push_back(line);
    }
    return code;
}

std::shared_ptr<const Inspection> listingOf(const std::vector<std::pair<QString, KernelCode>> &kernels) {
    auto inspection = std::make_shared<Inspection>();
    inspection->status = CompileStatus::Passed;
    for (const auto &[name, code] : kernels) {
        InspectedKernel kernel;
        kernel.resources.name = name;
        kernel.resources.arch = code.arch;
        kernel.sass = code;
        inspection->kernels.push_back(kernel);
    }
    return inspection;
}

} // namespace

class TestStateComparison : public QObject {
    Q_OBJECT

private slots:
    void readsWhatIsTyped_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("back");
        QTest::newRow("a number") << "3"
                                  << "3";
        QTest::newRow("now") << "now"
                             << "now";
        QTest::newRow("saved") << "Saved"
                               << "now";
        QTest::newRow("eager") << "eager"
                               << "eager";
        QTest::newRow("with a hyphen") << "compile-tf32"
                                       << "compileTf32";
        QTest::newRow("zero") << "0"
                              << "";
        QTest::newRow("a word") << "parent"
                                << "";
    }
    void readsWhatIsTyped() {
        QFETCH(const QString, word);
        QFETCH(const QString, back);
        const Result<ComparisonChoice> choice = comparisonChoiceOf(word);
        QCOMPARE(choice.hasValue(), !back.isEmpty());
        if (choice.hasValue())
            QCOMPARE(choice.value().word(), back);
        else
            QVERIFY(choice.message().contains(word) && choice.message().contains("eager"));
    }

    void holdsACandidateAgainstEager() {
        const ComparedState text = iterationState(1);
        const StateComparison compared = compareStates(armState("eager", text), text);
        const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
        QCOMPARE(wordOf(call), "differs");
        QVERIFY(std::abs(*call->leftValue - 93.98981) < 1e-4 && std::abs(*call->rightValue - 23.7295) < 1e-4);
        QVERIFY2(call->difference.startsWith(QStringLiteral("−70.2")), qPrintable(call->difference));
        QVERIFY2(call->remark.contains(QStringLiteral("3.96×")),
                 qPrintable(call->remark)); // the check's own ratio
        QCOMPARE(wordOf(rowNamed(compared, Group::Verdict, "Verdict")), "not comparable");
        const ComparisonRow *launches = rowNamed(compared, Group::Counters, "Launches");
        QVERIFY(launches != nullptr && launches->left == "3" && launches->right == "1");
        // The longest of both are a pair; two of eager's are left over.
        int alone = 0;
        for (const ComparisonRow &row : compared.rows)
            alone += row.group == Group::Counters && row.state == State::LeftOnly ? 1 : 0;
        QCOMPARE(alone, 2);
        QVERIFY(std::any_of(compared.rows.begin(), compared.rows.end(), [](const ComparisonRow &row) {
            return row.kernel.contains(QStringLiteral(" → softmaxRows<512>"));
        }));
        QVERIFY(compared.text.files.empty());
        const StateComparison back = compareStates(text, armState("eager", text));
        QVERIFY(rowNamed(back, Group::Time, "Call")->remark.contains("0.252"));
    }

    void tellsNoiseFromADifference() {
        const ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        StateComparison compared = compareStates(left, right);
        const ComparisonRow *call = rowNamed(compared, Group::Time, "Call");
        QCOMPARE(wordOf(call), "no difference measured"); // the interval overlaps itself
        QVERIFY(call->difference.startsWith(QChar(0x2248)));
        QCOMPARE(wordOf(rowNamed(compared, Group::Counters, dram)), "same");
        setCandidateTime(*right.side.evaluation, 12, 11.9, 12.1);
        compared = compareStates(left, right);
        call = rowNamed(compared, Group::Time, "Call");
        QCOMPARE(wordOf(call), "differs");
        QVERIFY2(call->difference.startsWith(QStringLiteral("−11.7")), qPrintable(call->difference));
        right.side.isStale = true;
        QCOMPARE(wordOf(rowNamed(compareStates(left, right), Group::Time, "Call")), "not comparable");
    }

    // A single measurement has no spread: below 5 % nothing is said. What the launch says is exact.
    void knowsWhatASingleMeasurementCanTell() {
        const ComparedState left = iterationState(1);
        const auto stateOf = [&left](const QString &metric, double factor, const QString &name) {
            Counters counters = armsCounters();
            scale(counters, metric, factor);
            const StateComparison compared = compareStates(left, with(iterationState(2), counters));
            return QByteArray(wordOf(rowNamed(compared, Group::Counters, name, "softmaxRows<512>")));
        };
        const QString waves = QStringLiteral("sm__warps_active.avg.pct_of_peak_sustained_active");
        QCOMPARE(stateOf(waves, 1.03, "Achieved occupancy"), QByteArray("no difference measured"));
        QCOMPARE(stateOf(waves, 0.9, "Achieved occupancy"), QByteArray("differs"));
        QCOMPARE(stateOf("launch__registers_per_thread", 1.03, "Registers a thread"), QByteArray("differs"));
    }

    void usesTheRangesOfSeveralLaunches() {
        const auto twice = [](double low, double high) {
            Counters counters = armsCounters();
            std::erase_if(counters.kernels, [](const KernelCounters &one) { return one.arm != "candidate"; });
            counters.kernels.push_back(counters.kernels.front());
            CounterValue &one =
                counters.kernels[0].metrics["sm__warps_active.avg.pct_of_peak_sustained_active"];
            CounterValue &other =
                counters.kernels[1].metrics["sm__warps_active.avg.pct_of_peak_sustained_active"];
            one.number = low;
            other.number = high;
            return counters;
        };
        const auto stateOf = [&twice](double low, double high) {
            const StateComparison compared = compareStates(with(iterationState(1), twice(50, 60)),
                                                           with(iterationState(2), twice(low, high)));
            return QByteArray(
                wordOf(rowNamed(compared, Group::Counters, "Achieved occupancy", "softmaxRows<512>")));
        };
        QCOMPARE(stateOf(58, 70), QByteArray("no difference measured")); // ranges meet, 16 % apart
        QCOMPARE(stateOf(61, 62), QByteArray("differs"));                // they do not
    }

    void neverSetsTwoDevicesAgainstEachOther() {
        const ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        right.side.evaluation = checkedAs("cpu-softmax-rows.json", "on-a-cpu");
        Counters counters = armsCounters();
        counters.device = QStringLiteral("NVIDIA H100");
        scale(counters, "dram__bytes_read.sum", 2);
        right = with(right, counters);
        const StateComparison compared = compareStates(left, right);
        QCOMPARE(compared.notices.size(), 2);
        QVERIFY(compared.notices[1].contains("NVIDIA H200") && compared.notices[1].contains("NVIDIA H100"));
        for (const ComparisonRow &row : compared.rows)
            if (row.group == Group::Time || (row.group == Group::Counters && row.source.contains("dram__"))) {
                QVERIFY2(row.state != State::Differs && row.state != State::Noise, qPrintable(row.name));
                QVERIFY2(row.difference.isEmpty(), qPrintable(row.name));
            }
        QVERIFY(rowNamed(compared, Group::Counters, dram)->remark.contains("NVIDIA H100"));
    }

    void neverSetsTwoClocksAgainstEachOther() {
        Counters counters = armsCounters();
        QVERIFY(counters.kernels.front().number("gpc__cycles_elapsed.avg.per_second"));
        scale(counters, "gpc__cycles_elapsed.avg.per_second", 0.8);
        scale(counters, "gpu__time_duration.sum", 1.25);
        scale(counters, "dram__bytes_read.sum", 2);
        const StateComparison compared = compareStates(iterationState(1), with(iterationState(2), counters));
        const ComparisonRow *time = rowNamed(compared, Group::Counters, duration, "softmaxRows<512>");
        QCOMPARE(wordOf(time), "not comparable");
        QVERIFY2(time->remark.contains("clocks differ"), qPrintable(time->remark));
        QCOMPARE(wordOf(rowNamed(compared, Group::Counters, "L2 → DRAM: reads", "softmaxRows<512>")),
                 "differs");
    }

    void saysWhatWasNotCollectedAndWhatBringsIt() {
        const ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        right.counters.reset();
        StateComparison compared = compareStates(left, right);
        QVERIFY(rowNamed(compared, Group::Counters, "Launches") == nullptr);
        const auto missingIn = [](const StateComparison &of) {
            QStringList texts;
            for (const MissingPart &part : of.missing)
                texts << part.text();
            return texts.join(QLatin1Char('\n'));
        };
        const QString missing = missingIn(compared);
        QVERIFY2(missing.contains("No counters of Iteration 2: wright counters /w --iteration 2"),
                 qPrintable(missing));
        QVERIFY2(!missing.contains("No counters of Iteration 1"), qPrintable(missing));
        right.damagedCounters = QStringLiteral("Cannot read the counters: it is damaged");
        const QString damaged = missingIn(compareStates(left, right));
        QVERIFY2(damaged.contains("Iteration 2: Cannot read the counters: it is damaged"),
                 qPrintable(damaged));
        QVERIFY2(!damaged.contains("No counters of Iteration 2"), qPrintable(damaged));
        right.damagedCounters.clear();
        right.side.evaluation.reset();
        compared = compareStates(left, right);
        QCOMPARE(wordOf(rowNamed(compared, Group::Verdict, "Verdict")), "not collected");
        QCOMPARE(wordOf(rowNamed(compared, Group::Time, "Call")), "not collected");
        QVERIFY(missingIn(compared).contains("Iteration 2 was not checked: wright check /w"));
        // A set that has not this metric is no zero.
        Counters thin = armsCounters();
        for (KernelCounters &kernel : thin.kernels)
            kernel.metrics.erase("l1tex__t_sector_hit_rate.pct");
        compared = compareStates(left, with(iterationState(2), thin));
        const ComparisonRow *hits = rowNamed(compared, Group::Counters, "L1 hit rate", "softmaxRows<512>");
        QCOMPARE(wordOf(hits), "not collected");
        QVERIFY2(hits->left != QString() && hits->right.isEmpty(), qPrintable(hits->toolTip()));
        QVERIFY2(hits->remark.contains("not collected (set basic)"), qPrintable(hits->remark));
    }

    void tellsOfAKernelThatOnlyOneSideHas() {
        ComparedState left = iterationState(1);
        const ComparedState right = iterationState(2);
        auto &kernels = left.side.evaluation->compile.kernels;
        const QString gone = QStringLiteral("softmaxRows<1024>");
        std::erase_if(kernels, [&gone](const KernelResources &one) { return one.name.contains(gone); });
        kernels.front().registers += 7;
        Counters counters = armsCounters();
        counters.kernels.front().name.replace(QStringLiteral("(int)512"), QStringLiteral("(int)256"));
        left = with(left, counters);
        const StateComparison compared = compareStates(left, right);
        const ComparisonRow *alone = rowNamed(compared, Group::Resources, "The kernel", gone);
        QCOMPARE(wordOf(alone), "only right");
        QVERIFY(alone->left.isEmpty() && alone->right.contains("registers"));
        QCOMPARE(wordOf(rowNamed(compared, Group::Counters, "The kernel", "softmaxRows<256>")), "only left");
        QCOMPARE(wordOf(rowNamed(compared, Group::Counters, "The kernel", "softmaxRows<512>")), "only right");
        const ComparisonRow *registers = rowNamed(compared, Group::Resources, "Registers a thread");
        QCOMPARE(registers->difference, QStringLiteral("−7"));
    }

    // What registers and shared memory are counted for.
    void saysWhatBecameOfOccupancy() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        for (ComparedState *state : {&left, &right}) {
            auto &kernels = state->side.evaluation->compile.kernels;
            kernels.resize(1);
            kernels.front().name = QStringLiteral("k(float*)");
            kernels.front().launchThreads.reset();
            kernels.front().staticSharedBytes = 0;
            kernels.front().registers = state == &left ? 32 : 120;
            kernels.front().maxThreads = state == &left ? 1024 : 512;
        }
        const StateComparison compared = compareStates(left, right);
        const ComparisonRow *row = rowNamed(compared, Group::Resources, "Occupancy");
        QVERIFY(row != nullptr);
        QCOMPARE(row->left, QString("100 %"));
        QCOMPARE(row->right, QString("25 %"));
        QCOMPARE(row->difference, QStringLiteral("−75 points"));
        // One is counted for its own blocks, the other for any: nothing is said.
        right.side.evaluation->compile.kernels.front().launchThreads = 256;
        const StateComparison other = compareStates(left, right);
        QVERIFY(rowNamed(other, Group::Resources, "Occupancy") == nullptr);
    }

    // The compiler lists all instances of a template; the baseline stands against the one that ran.
    void setsABaselineAgainstWhatIsLaunched() {
        ComparedState text = iterationState(1);
        text.listing = listingOf({{"void softmaxRows<256>(float*)", codeOf({"EXIT"})},
                                  {"void softmaxRows<512>(float*)", codeOf({"FADD R2, R2, R3", "EXIT"})}});
        const StateComparison compared = compareStates(armState("eager", text), text);
        QCOMPARE(compared.listings.size(), 1U);
        QVERIFY2(compared.listings[0].kernel.endsWith(QStringLiteral(" → softmaxRows<512>")),
                 qPrintable(compared.listings[0].kernel));
        const ComparisonRow *other = rowNamed(compared, Group::Code, "The kernel", "softmaxRows<256>");
        QCOMPARE(wordOf(other), "only right");
        QCOMPARE(other->remark, QStringLiteral("not launched"));
        text.listing = listingOf({{"void softmaxRows<true>(float*)", codeOf({"EXIT"})}});
        const StateComparison unsure = compareStates(armState("eager", text), text);
        QCOMPARE(unsure.listings.size(), 1U); // it may be the one that ran
        text = iterationState(1);
        const StateComparison same = compareStates(text, iterationState(2));
        const ComparisonRow *first = rowNamed(same, Group::Resources, "Registers a thread");
        QVERIFY2(first != nullptr && first->remark.isEmpty(), qPrintable(first->kernel));
    }

    void knowsWhatIsLaunchedFromTheCheckToo() {
        QVERIFY(launchedNames(Evaluation()).names.isEmpty());
        Evaluation evaluation;
        for (const char *name : {"void k<2>(float*)", "void k<1>(float*)", "void k<2>(float*)"})
            evaluation.profile["provenance"]["kernels"].push_back({{"name", name}});
        const LaunchedNames seen = launchedNames(evaluation);
        QCOMPARE(seen.names, (QStringList{"k<2>", "k<1>"}));
        QVERIFY(!seen.hasNot("k<3>")); // the check does not list all of very many
        const LaunchedNames counted = launchedNames(armsCounters(), "candidate");
        QCOMPARE(counted.names, QStringList{"softmaxRows<512>"});
        QVERIFY(counted.isAll && counted.hasNot("softmaxRows<256>"));
    }

    void alignsTheInstructionsOfBoth() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        left.listing = listingOf({{"k(float*)", codeOf({"LDG.E.64 R2, [R4]", "FADD R2, R2, R3", "EXIT"})},
                                  {"gone(int)", codeOf({"EXIT"})}});
        right.listing = listingOf(
            {{"k(float*)", codeOf({"LDG.E.128 R4, [R8]", "FADD R4, R4, R5", "FADD R6, R6, R7", "EXIT"})}});
        const StateComparison compared = compareStates(left, right);
        const ComparisonRow *count = rowNamed(compared, Group::Code, "Instructions", "k");
        QVERIFY(count != nullptr && count->difference == "+1" && count->source == "SASS of the compiler");
        QCOMPARE(wordOf(rowNamed(compared, Group::Code, "LDG, 128 bits, global", "k")), "differs");
        QCOMPARE(wordOf(rowNamed(compared, Group::Code, "The kernel", "gone")), "only left");
        QCOMPARE(compared.listings.size(), 1U);
        const ComparedFile &rows = compared.listings[0].rows;
        QCOMPARE(rows.kind, ComparedFile::Kind::Changed);
        QVERIFY(rows.changedRows >= 2 && rows.rows.back().kind == ComparedRow::Kind::Same);
        QCOMPARE(rows.rows.back().left, QStringLiteral("EXIT"));
        // Without a compiler what was counted has instructions, too.
        const StateComparison counted = compareStates(iterationState(1), iterationState(2));
        QCOMPARE(counted.listings.size(), 1U);
        QCOMPARE(counted.listings[0].rows.kind, ComparedFile::Kind::Same);
        QCOMPARE(counted.listings[0].source, QStringLiteral("SASS in the counters"));
        // What fills the code up to 128 bytes is no part of it: the compiler's listing has none of it either.
        Counters filled = armsCounters();
        std::vector<InstructionCounters> &code = filled.kernels.front().instructions;
        const auto instructions = code.size();
        for (int i = 0; i < 3; ++i) {
            InstructionCounters filling;
            filling.address = code.back().address + 16;
            filling.text = i > 0 ? QStringLiteral("NOP")
                                 : QStringLiteral("BRA 0x%1").arg(0x7f26b37a1000 + filling.address, 0, 16);
            code.push_back(filling);
        }
        const StateComparison same = compareStates(iterationState(1), with(iterationState(2), filled));
        const ComparisonRow *size = rowNamed(same, Group::Code, "Instructions");
        QVERIFY(size != nullptr && size->leftValue == static_cast<double>(instructions));
        QCOMPARE(size->rightValue, size->leftValue);
    }

    void saysWhereAFindingCouldNotBeLookedFor() {
        ComparedState left = iterationState(1);
        ComparedState right = iterationState(2);
        Finding measured;
        measured.id = QStringLiteral("uncoalesced");
        measured.title = QStringLiteral("Uncoalesced loads");
        measured.kernel = QStringLiteral("k");
        measured.gainMicroseconds = 4;
        measured.evidence = {{"sectors", 3, "×", "ncu: sectors"}};
        Findings of;
        of.list = {measured};
        of.looked = QStringList{"source", "counters"};
        left.findings = of;
        Findings without;
        without.looked = QStringList{"source"};
        right.findings = without;
        const QString name = QStringLiteral("Uncoalesced loads, k");
        StateComparison compared = compareStates(left, right);
        QCOMPARE(wordOf(rowNamed(compared, Group::Findings, name)), "not collected");
        right.findings->looked << QStringLiteral("counters");
        compared = compareStates(left, right);
        QCOMPARE(wordOf(rowNamed(compared, Group::Findings, name)), "only left");
        measured.gainMicroseconds = 1;
        right.findings->list = {measured};
        compared = compareStates(left, right);
        QCOMPARE(rowNamed(compared, Group::Findings, name)->difference, QStringLiteral("−3.00 µs"));
    }

    void putsWhatDiffersFirst() {
        Counters counters = armsCounters();
        scale(counters, "dram__bytes_read.sum", 3);
        scale(counters, "lts__t_sector_hit_rate.pct", 0.9);
        const StateComparison compared = compareStates(iterationState(1), with(iterationState(2), counters));
        const ComparisonRow *before = nullptr;
        for (const ComparisonRow &row : compared.rows) {
            if (before != nullptr)
                QVERIFY(before->group <= row.group);
            const bool isOneList = before != nullptr && before->group == row.group &&
                                   before->kernel == row.kernel && row.group > Group::Time;
            if (isOneList && before->state == State::Differs && row.state == State::Differs)
                QVERIFY2(before->distance() >= row.distance(), qPrintable(before->name + ", " + row.name));
            if (isOneList)
                QVERIFY2(before->isDifference() || !row.isDifference(), qPrintable(row.name));
            const auto isSettled = [](const ComparisonRow &one) {
                return one.state == State::Noise || one.state == State::Same;
            };
            // What was not measured to differ stands with what is the same, of times, too.
            if (before != nullptr && before->group == row.group && before->kernel == row.kernel &&
                row.group > Group::Verdict)
                QVERIFY2(!isSettled(*before) || isSettled(row), qPrintable(before->name + ", " + row.name));
            before = &row;
        }
        QVERIFY(compared.differences() > 1);
    }

    void fitsAHundredColumns() {
        const ComparedState text = iterationState(1);
        Counters counters = armsCounters();
        scale(counters, "dram__bytes_read.sum", 1.5);
        const ComparedState other = with(iterationState(2), counters);
        for (const StateComparison &compared :
             {compareStates(armState("eager", text), text), compareStates(text, other)})
            for (const bool showsAll : {false, true}) {
                const QString said = shown(comparisonText(compared, Terminal(), showsAll));
                for (const QString &line : said.split(QLatin1Char('\n')))
                    QVERIFY2(line.size() <= 100, qPrintable(line));
                QVERIFY(said.contains("Time\n") && said.contains("difference"));
                QCOMPARE(said.contains("the same"), !showsAll);
            }
    }

    void writesADocument() {
        const ComparedState text = iterationState(1);
        const OrderedJson document = toJson(compareStates(armState("compile", text), text));
        QCOMPARE(stringIn(document["sides"][0], "side"), QStringLiteral("compile"));
        QVERIFY(document["sides"][0]["verdict"].is_null());
        QCOMPARE(stringIn(document["sides"][1], "verdict"), QStringLiteral("pass"));
        QVERIFY(document["rows"].size() > 50);
        QVERIFY(document["rows"][1]["left"]["value"].is_number());
    }

    void pairsByNameThenByRank() {
        using Pairs = std::vector<KernelPair>;
        QVERIFY(pairKernels({"a", "b", "a"}, {"a", "a", "c"}, false) ==
                (Pairs{{0, 0}, {2, 1}, {-1, 2}, {1, -1}}));
        QVERIFY(pairKernels({"x", "y"}, {"k"}, true) == (Pairs{{0, 0}, {1, -1}}));
        QVERIFY(pairKernels({}, {"k"}, true) == (Pairs{{-1, 0}}));
    }
};

QObject *makeTestStateComparison() {
    return new TestStateComparison;
}

#include "tst_state_comparison.moc"
