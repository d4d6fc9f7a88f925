// SPDX-License-Identifier: GPL-3.0-or-later
// The small functions behind what `wright` prints: figures, lines, tracebacks, understood words.
#include "app/cli/command_line.h"
#include "app/cli/figures.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "app/cli/traceback.h"

#include <QTest>

using namespace warpwright;

class TestText : public QObject {
    Q_OBJECT

private slots:
    void givesEachTimeItsUnit_data() {
        QTest::addColumn<double>("microseconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("small") << 0.51234 << "0.5123 µs";
        QTest::newRow("microseconds") << 41.234 << "41.23 µs";
        QTest::newRow("hundreds") << 412.34 << "412.3 µs";
        QTest::newRow("milliseconds") << 4123.4 << "4.123 ms";
        QTest::newRow("seconds") << 4.1234e6 << "4.123 s";
        QTest::newRow("many seconds") << 1.234567e8 << "123.5 s";
        QTest::newRow("nothing") << 0.0 << "0 µs";
    }

    void givesEachTimeItsUnit() {
        QFETCH(double, microseconds);
        QFETCH(QString, text);
        QCOMPARE(timeText(microseconds), text);
    }

    void givesAnIntervalOneUnit() {
        QCOMPARE(intervalText(990, 1012), QString("990.0 … 1012 µs"));
        QCOMPARE(intervalText(1.0e3, 1.05e3), QString("1.000 … 1.050 ms"));
        QCOMPARE(factorText(1.9312), QString("1.93×"));
        QCOMPARE(factorText(73.31), QString("73.3×"));
        QCOMPARE(bytesText(1023), QString("1023 B"));
        QCOMPARE(bytesText(1536), QString("1.50 KiB"));
        QCOMPARE(durationText(0.42), QString("0.42 s"));
        QCOMPARE(durationText(192), QString("3 min 12 s"));
        QCOMPARE(countText(1, "error") + ", " + countText(0, "warning"), QString("1 error, 0 warnings"));
    }

    void breaksLinesAtBlanks() {
        QCOMPARE(wrapped("aa bb cc", 5, 0), QString("aa bb\ncc"));
        QCOMPARE(wrapped("aa bb cc", 6, 2), QString("aa\n  bb\n  cc"));
        QCOMPARE(wrapped("averylongword b", 5, 0), QString("averylongword\nb"));
        QCOMPARE(wrapped("a\nb", 80, 2), QString("a\n  b"));
    }

    void keepsControlCharactersFromTheTerminal() {
        QCOMPARE(printable("red \x1b[31m\nbell \a\ttab"), QString("red ?[31m\nbell ?\ttab"));
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
    }

    void understandsTheCommandLine() {
        const CommandLine line =
            parseCommandLine({"wright", "check", "w", "--device", "cuda:1", "--tier", "certify", "--stages",
                              "compile,verify", "--python", "/p", "--json"});
        QCOMPARE(line.command, CommandLine::Command::Check);
        QCOMPARE(line.path, QString("w"));
        QCOMPARE(line.device, QString("cuda:1"));
        QCOMPARE(line.tier, Tier::Certify);
        QCOMPARE(line.lastStage, LastStage::Verify);
        QCOMPARE(line.python, QString("/p"));
        QVERIFY(line.asksJson);
        QCOMPARE(parseCommandLine({"wright", "check"}).path, QString("."));
        QCOMPARE(parseCommandLine({"wright", "--version"}).command, CommandLine::Command::Version);
        QCOMPARE(parseCommandLine({"wright", "check", "--device", "tpu"}).command,
                 CommandLine::Command::Error);
    }
};

QObject *makeTestText() {
    return new TestText;
}

#include "tst_text.moc"
