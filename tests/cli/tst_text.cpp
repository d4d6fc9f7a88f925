// SPDX-License-Identifier: GPL-3.0-or-later
// The small functions behind what `wright` prints: lines, tracebacks, understood words.
#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/judging/check_options.h"
#include "app/cli/process/progress_line.h"
#include "app/cli/process/terminal.h"
#include "tests/toolchain/places.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/text_table.h"
#include "toolchain/report/traceback.h"

#include <CLI/CLI.hpp>

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestText : public QObject {
    Q_OBJECT

private slots:
    // Hints of a sweep stand apart, with a word on what they are; what nobody told is an empty cell.
    void writesWhatASweepTried() {
        QFile file(sourceFolder("/tests/data/evaluations/h200-arg-reduction.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Result<Evaluation> evaluation = evaluationFromJson(file.readAll());
        QVERIFY(evaluation.hasValue());
        QVERIFY(!timesText(evaluation.value(), Terminal{}).contains("also tried"));
        Evaluation swept = evaluation.value();
        const auto tried = [](const char *attribute, int value, const OrderedJson &time) {
            return OrderedJson{{"attribute", attribute}, {"value", value}, {"microseconds", time}};
        };
        swept.profile["sweep"] = {
            {"status", "stopped"},
            {"reason", "its seconds were over"},
            {"tried", OrderedJson::array({tried("CONFIG_1", 0, 70.5), tried("CONFIG_1", 1, 61.25),
                                          tried("CONFIG_2", 1, nullptr), tried("BAD", -3, 1.0)})},
            {"best", {{"CONFIG_1", 1}}},
            {"ratio", 0.87}};
        const SweepFigures figures = measuredFigures(swept).sweep;
        QCOMPARE(figures.tried.at("CONFIG_1").size(), 2U);
        QVERIFY(!figures.tried.at("CONFIG_2").at(1));
        QVERIFY(figures.tried.at("BAD").empty());
        const QString text = timesText(swept, Terminal{}).simplified(); // it is wrapped
        for (const char *word :
             {"also tried", "CONFIG_1", "61.2", "hints", "CONFIG_1 = 1", "87", "its seconds were over"})
            QVERIFY2(text.contains(word), qPrintable(QString(word) + " is not in\n" + text));
    }

    // Nothing is faster than the device: on a busy one the ceiling was measured too low.
    void aPercentageAboveTheCeilingIsNotTold() {
        QFile file(sourceFolder("/tests/data/evaluations/h200-softmax-rows.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Result<Evaluation> read = evaluationFromJson(file.readAll());
        QVERIFY2(read.hasValue(), qPrintable(read.message()));
        Evaluation evaluation = std::move(read).value();
        QVERIFY(timesText(evaluation, Terminal{}).contains("the candidate reaches"));
        evaluation.profile["speedOfLightMicroseconds"] =
            1.5 * measuredFigures(evaluation).candidate()->highMicroseconds;
        const QString text = timesText(evaluation, Terminal{}).simplified();
        QVERIFY2(text.contains("measured too low in this check") && !text.contains("the candidate reaches"),
                 qPrintable(text));
    }

    void writesTheFiguresThatTheWindowWrites_data() {
        QTest::addColumn<QString>("name");
        for (const char *name : {"h200-arg-reduction", "cpu-softmax-rows", "cpu-pointwise-chain"})
            QTest::newRow(name) << QString(name);
    }

    void writesTheFiguresThatTheWindowWrites() {
        QFETCH(QString, name);
        QFile file(sourceFolder("/tests/data/evaluations/%1.json").arg(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<Evaluation> evaluation = evaluationFromJson(file.readAll());
        QVERIFY2(evaluation.hasValue(), qPrintable(evaluation.message()));
        const QString text = timesText(evaluation.value(), Terminal{});
        const MeasuredFigures figures = measuredFigures(evaluation.value());
        QVERIFY(figures.arms.size() >= 3 && figures.shareOfLight() && figures.sameClass && figures.eager);
        QStringList words{figures.times.fineText(*figures.speedOfLightMicroseconds),
                          percentText(figures.shareOfLight()->value)};
        for (const ArmFigures &arm : figures.arms)
            words << arm.label << figures.times.text(arm.medianMicroseconds)
                  << figures.times.interval(arm.lowMicroseconds, arm.highMicroseconds);
        for (const SpeedUp &speedUp : {*figures.sameClass, *figures.eager}) {
            const FactorText factor = factorText(speedUp.value, speedUp.low, speedUp.high);
            words << factor.value << factor.interval;
        }
        for (const QString &word : words)
            QVERIFY2(text.contains(word), qPrintable(word + " is not in\n" + text));
        // There the live arm took a sixth of what it did when eager's time was stored.
        QCOMPARE(text.contains(QStringLiteral("stored baseline not comparable today")),
                 name == QLatin1String("cpu-softmax-rows"));
    }

    void namesWhatTheSanitizersFound() {
        QFile file(sourceFolder("/tests/data/evaluations/h200-depthwise-certified.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Result<Evaluation> read = evaluationFromJson(file.readAll());
        QVERIFY2(read.hasValue(), qPrintable(read.message()));
        Evaluation evaluation = std::move(read).value();
        QVERIFY(!reportText(evaluation, Terminal{}, {}).contains("Sanitizers")); // older than they are
        evaluation.sanitizers.tools = {
            {"memcheck", StageStatus::Passed, 4.0, 0, 2, {}, {}},
            {"racecheck",
             StageStatus::Failed,
             5.0,
             3,
             0,
             {},
             {{"race", "f<7>", "kernels/a.cu", 44, "(1,0,0)", "(2,0,0)"}}},
            {"initcheck", StageStatus::NotRun, 120.0, 0, 0, "it did not finish in 120 s", {}}};
        evaluation.sanitizers.sumUp();
        const QString text = reportText(evaluation, Terminal{}, {}).simplified();
        for (const char *word : {"sanitize failed", "memcheck passed, racecheck: 3 errors, initcheck not-run",
                                 "memcheck: 2 errors outside of your kernels left out",
                                 "racecheck, kernels/a.cu:44, f<7>, thread (1,0,0) of block (2,0,0): race",
                                 "initcheck was not run: it did not finish in 120 s"})
            QVERIFY2(text.contains(word), qPrintable(text + "\nlacks: " + word));
    }

    void breaksLinesAtBlanks() {
        QCOMPARE(wrapped("aa bb cc", 5, 0), QString("aa bb\ncc"));
        QCOMPARE(wrapped("aa bb cc", 6, 2), QString("aa\n  bb\n  cc"));
        QCOMPARE(wrapped("averylongword b", 5, 0), QString("averylongword\nb"));
        QCOMPARE(wrapped("a\nb", 80, 2), QString("a\n  b"));
    }

    void keepsControlCharactersFromTheTerminal() {
        QCOMPARE(printable("red \x1b[31m\nbell \a\ttab"), QString("red ?[31m\nbell ?\ttab"));
        QCOMPARE(printable(QString::fromUtf16(u"a\u202eb\u2066c\u00add\ufeff\U000e0041e\u2028f")),
                 QString("a?b?c?d??e?f"));
        const QString kept = QString::fromUtf16(u"\u0645\u06cc\u200c\u062e \U0001f468\u200d\U0001f4bb é");
        QCOMPARE(printable(kept), kept);
        QCOMPARE(printable(QString::fromUtf16(u"rm\u200d x")), QString("rm? x"));
        QCOMPARE(printableLine("a\nb\r\n\tc\x1b"), QString("a b   c?"));
    }

    void coloursNothingWithoutATerminal() {
        Terminal pipe;
        QCOMPARE(inked(pipe, Ink::Bad, "x"), QString("x"));
        Terminal screen;
        screen.isTerminal = screen.hasColours = true;
        QCOMPARE(inked(screen, Ink::Bad, "x"), QString("\x1b[1;31mx\x1b[0m"));
        QCOMPARE(inked(screen, Ink::Plain, "x"), QString("x"));
    }

    void linesUpColumns() {
        TextTable table({1});
        table.heading({"name", "n"});
        table.row({"a", "12", "note"});
        table.row({"longer", "3"});
        QCOMPARE(table.text(Terminal{}, 2), QString("  name      n\n"
                                                    "  a        12   note\n"
                                                    "  longer    3\n"));
    }

    void showsOnlyThePersonsFrames() {
        const QString traceback =
            "Traceback (most recent call last):\n"
            "  File \"/opt/referee/worker/worker.py\", line 132, in serve\n"
            "    reply = getattr(arm)\n"
            "            ^^^^^^^^^^^^\n"
            "  File \"/e/lib/python3.11/site-packages/torch/nn/modules/module.py\", line 1790, in _call\n"
            "    return forward_call(*args)\n"
            "  File \"/w/model_new.py\", line 13, in forward\n"
            "    return x.gain\n"
            "           ^^^^^^\n"
            "AttributeError: 'Tensor' object has no attribute 'gain'";
        QCOMPARE(ownFrames(traceback), QString("Traceback (most recent call last):\n"
                                               "  File \"/w/model_new.py\", line 13, in forward\n"
                                               "    return x.gain\n"
                                               "           ^^^^^^\n"
                                               "AttributeError: 'Tensor' object has no attribute 'gain'"));
        QCOMPARE(ownFrames("a\nb\nc", 2), QString("b\nc"));
        QCOMPARE(ownFrames(""), QString());
    }

    void saysWhatIsGoingOn() {
        QCOMPARE(progressText({"verify", "round 1", 2, 7, 0, {}}), QString("verify 2 of 7: round 1"));
        QCOMPARE(progressText({"open", "start the judge", 0, 0, 0, {}}), QString("open: start the judge"));
        QCOMPARE(progressText({"open", judgeBuildStep("about 3 min left"), 40, 135, 0, {}}),
                 QString("The judge is compiled once for this machine: step 40 of 135, about 3 min left"));
    }

    void understandsTheCommandLine() {
        const CommandLine line = parseCommandLine({"wright", "check", "w", "--tier", "certify", "--json"});
        QCOMPARE(line.kind, CommandLine::Kind::Run);
        QVERIFY(line.asksJson && line.refusesWithEvaluation && line.run);
        QVERIFY(!parseCommandLine({"wright", "log", "w"}).refusesWithEvaluation);
        QCOMPARE(parseCommandLine({"wright", "--version"}).kind, CommandLine::Kind::Run);
        QCOMPARE(parseCommandLine({"wright", "bench", "clock", "--help"}).kind, CommandLine::Kind::Help);
        const CommandLine wrong = parseCommandLine({"wright", "check", "--device", "tpu", "--json"});
        QCOMPARE(wrong.kind, CommandLine::Kind::Error);
        QVERIFY(wrong.asksJson && wrong.refusesWithEvaluation);
        QCOMPARE(wrong.text, QString("Cannot understand the command: --device \"tpu\" is not auto, cpu or "
                                     "cuda:N. Run wright check --help."));
    }

    void fillsInTheOptionsOfACommand() {
        CheckOptions asked;
        CLI::App app;
        asked.addTo(app);
        app.parse("w --device cuda:1 --tier certify --stages compile,verify --python /p --json");
        QCOMPARE(asked.understand(), QString());
        QCOMPARE(asked.path, QString("w"));
        QCOMPARE(asked.machine, (MachineOptions{"cuda:1", "/p"}));
        QCOMPARE(asked.tier, std::optional(Tier::Certify));
        QCOMPARE(asked.lastStage, LastStage::Verify);
        QVERIFY(asked.asksJson);
        CheckOptions untold;
        QCOMPARE(untold.understand(), QString());
        QCOMPARE(untold.path, QString("."));
        QCOMPARE(untold.tier, std::optional<Tier>());
        QCOMPARE(untold.lastStage, LastStage::Profile);
    }

    // A name that two rows have would be one verb in the help, and the second row would never run.
    void everyVerbIsOneRow() {
        QStringList names;
        for (const Command &command : commands()) {
            names << command.name;
            QVERIFY2(*command.help != '\0' && command.verbs.empty() == bool(command.run), command.name);
            for (const Command &verb : command.verbs) {
                names << QLatin1String(command.name) + QLatin1Char(' ') + QLatin1String(verb.name);
                QVERIFY2(*verb.help != '\0' && verb.run, verb.name);
            }
        }
        QCOMPARE(names.removeDuplicates(), 0);
        QVERIFY(names.contains("check") && names.contains("bench tasks"));
    }
};

QObject *makeTestText() {
    return new TestText;
}

#include "tst_text.moc"
