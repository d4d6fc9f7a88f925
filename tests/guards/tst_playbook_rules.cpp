// SPDX-License-Identifier: GPL-3.0-or-later
// Guards how the playbook is written: its words, where structured ops are distinguished, decisions that write
// no code, writers that parse none. Each guard is first shown a fault. tests/guards/README.md says what is in
// the lists and how they are written anew.
#include "tests/guards/chip_guard.h"
#include "tests/guards/code_text.h"
#include "tests/guards/dispatch_guard.h"
#include "tests/guards/emission_guard.h"
#include "tests/guards/frozen_lists.h"
#include "tests/guards/verify_none.h"
#include "tests/guards/word_guard.h"
#include "warpwright_version.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestPlaybookRules : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void readsCommentsAndLiterals();

    void findsAnOldWord_data();
    void findsAnOldWord();
    void findsAFaultyListOfWords();
    void oldWordsOnlyBecomeFewer();

    void findsADispatch_data();
    void findsADispatch();
    void findsAFaultyDispatch();
    void dispatchesOnlyBecomeFewer();

    void findsADecisionThatWritesText_data();
    void findsADecisionThatWritesText();
    void decisionsWriteNoText();

    void findsTextThatIsParsed_data();
    void findsTextThatIsParsed();
    void textIsNotParsed();

    void findsAFigureOfAChip_data();
    void findsAFigureOfAChip();
    void figuresOfChipsStandInRows();

private:
    QVector<GuardFile> m_files; ///< the playbook and its tests
};

static QStringList linesOf(const QString &path) {
    QFile file(QDir(buildSourceFolder()).filePath(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n') : QStringList();
}

/// Keys with their sizes, as a list has them.
static QString foundIn(const QVector<GuardFault> &faults) {
    QStringList lines = allowListText("", faults).split('\n', Qt::SkipEmptyParts);
    return lines.mid(2).join('\n');
}

void TestPlaybookRules::initTestCase() {
    m_files = GuardFile::readAll(buildSourceFolder(), isPlaybookText);
    QVERIFY2(m_files.size() > 100, "the playbook was not found");
}

void TestPlaybookRules::readsCommentsAndLiterals() {
    const QStringList lines{"#include \"a.h\" // no",      "int a = 1'000; // {",     "/* b",
                            "  c */ f(\"x\\\"y\", u8R\"(", "raw)\", 'q'); // \"no\"", "g(\"\");"};
    QStringList found;
    for (const CodePiece &piece : codePieces(lines))
        found.append(QString("%1 %2 %3").arg(piece.line).arg(int(piece.kind)).arg(piece.text));
    QCOMPARE(found, QStringList({"1 3 #include \"a.h\" // no", "2 0 // {", "3 0 /* b\n  c */",
                                 "4 1 \"x\\\"y\"", "4 2 \"(\nraw)\"", "5 0 // \"no\"", "6 1 \"\""}));
}

void TestPlaybookRules::findsAnOldWord_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("key"); // empty: allowed
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char *name, const char *path, const char *text, const char *key,
                        const char *complaint) {
        QTest::newRow(name) << QString(path) << QString(text) << QString(key) << QString(complaint);
    };
    const char *const a = "agent/playbook/a.cpp";
    row("a name", a, "\nint leafCount;", "agent/playbook/a.cpp leafCount",
        "agent/playbook/a.cpp:2: the name leafCount: say \"input\" instead of \"leaf\"");
    row("a member", a, "m_leaf = 1;", "agent/playbook/a.cpp m_leaf", ":1: the name m_leaf");
    row("a type", a, "struct KernelLeaf {};", "agent/playbook/a.cpp KernelLeaf", ":1: ");
    row("twice", a, "leafOf(); leafOf();", "agent/playbook/a.cpp leafOf", ":1: ");
    row("two words", a, "int keptRows2;", "agent/playbook/a.cpp keptRows2",
        "say \"cached row\" instead of \"kept rows\"");
    row("one of them", a, "int kept, rows, rowKept, overleaf;", "", "");
    row("a file", "agent/playbook/own_leaf.h", "", "agent/playbook/own_leaf.h own_leaf",
        "agent/playbook/own_leaf.h: the name own_leaf: ");
    row("a template's file", "agent/playbook/leaf.cu.in", "leaf", "agent/playbook/leaf.cu.in leaf", ": ");
    row("a template's text", "agent/playbook/a.cu.in", "leaf", "", "");
    row("in place", a, "bool isInPlace; // in place", "", "");
    row("a place", a, "int placeOf;", "agent/playbook/a.cpp placeOf", "say \"index\" instead of \"place\"");
    row("of the library", a, "std::leaf_type a; std::chrono::leaf b;", "", "");
    row("the same of ours", a, "ours::leafOf a;", "agent/playbook/a.cpp leafOf", ":1: ");
    row("a string", a, "f(\"leaf\"); // a leaf", "", "");
    row("a sentence in a test", "tests/playbook/a.cpp", "void aLeafIsReadOnce() {}", "", "");
    row("a name in a test", "tests/playbook/a.cpp", "int leafOf;", "tests/playbook/a.cpp leafOf", ":1: ");
    row("the same in code", a, "void aLeafIsReadOnce() {}", "agent/playbook/a.cpp aLeafIsReadOnce", ":1: ");
    row("a comment", a, "int b; // By the Matrix units.", "agent/playbook/a.cpp \"matrix units\"",
        "agent/playbook/a.cpp:1: a comment: say \"tensor cores\" instead of \"matrix units\"");
    row("across lines", a, "/// matrix\n/// units", "agent/playbook/a.cpp \"matrix units\"", ":1: ");
    row("in two sentences", a, "// of a matrix. Units\n// matrix\nint a;\n\n// units", "", "");
    row("not in code", a, "matrix units;", "", "");
}

void TestPlaybookRules::findsAnOldWord() {
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(QString, key);
    QFETCH(QString, complaint);
    const WordTable table = WordTable::parse("words", {"# a comment", "list: names", "leaf|leaves: input",
                                                       "place: index", "kept row|rows: cached row",
                                                       "list: comments", "matrix unit|units: tensor cores"});
    QCOMPARE(table.complaints, QStringList());
    QVERIFY(isPlaybookText(path) && !isPlaybookText("agent/playbook/README.md"));
    const QVector<GuardFault> faults = wordFaults(table, {{path, text.split('\n')}});
    QCOMPARE(foundIn(faults), key);
    if (!faults.isEmpty())
        QVERIFY2(faults.first().complaint.contains(complaint), qPrintable(faults.first().complaint));
}

void TestPlaybookRules::findsAFaultyListOfWords() {
    const QString wanted = ": expected \"list: names\" or \"list: comments\", and below it \"OLD: NEW\"";
    QCOMPARE(WordTable::parse("words", {"leaf: input", "list: names", "leaf", ": input", "list: texts"})
                 .complaints,
             QStringList({"words:1" + wanted, "words:3" + wanted, "words:4" + wanted}));
}

void TestPlaybookRules::oldWordsOnlyBecomeFewer() {
    const WordTable table = WordTable::parse("tests/guards/words.txt", linesOf("tests/guards/words.txt"));
    QVERIFY(!table.names.isEmpty() && !table.comments.isEmpty());
    VERIFY_NONE(table.complaints + beyondAllowed("words.txt",
                                                 "Names and phrases of the playbook with words of words.txt.",
                                                 wordFaults(table, m_files)));
}

static DispatchTable operations() {
    return DispatchTable::parse("dispatches", {"# a comment", "Op agent/ir \\bOp::(?!None\\b)\\w+"});
}

void TestPlaybookRules::findsADispatch_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("key"); // empty: allowed
    const auto row = [](const char *name, const char *path, const char *text, const char *key) {
        QTest::newRow(name) << QString(path) << QString(text) << QString(key);
    };
    row("an alternative", "agent/ir/a.cpp", "\nif (op == Op::Matmul || op == Op::Sort)",
        "agent/ir/a.cpp Op 2");
    row("none", "agent/ir/a.cpp", "if (op == Op::None)", "");
    row("another type", "agent/ir/a.cpp", "KernelOp::Matmul", "");
    row("a comment", "agent/ir/a.cpp", "// Op::Matmul", "");
    row("another folder", "agent/irx/a.cpp", "Op::Matmul", "");
}

void TestPlaybookRules::findsADispatch() {
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(QString, key);
    const QVector<GuardFault> faults = dispatchFaults(operations(), {{path, text.split('\n')}});
    QCOMPARE(foundIn(faults), key);
    if (!key.isEmpty())
        QVERIFY2(faults.first().complaint.startsWith(
                     "agent/ir/a.cpp:2: tells apart what Op is (Op::Matmul), in 2 places: "),
                 qPrintable(faults.first().complaint));
}

void TestPlaybookRules::findsAFaultyDispatch() {
    QCOMPARE(DispatchTable::parse("dispatches", {"Op agent/ir", "Op agent (", "Op agent Op::"}).complaints,
             QStringList({"dispatches:1: expected \"NAME FOLDER PATTERN\"",
                          "dispatches:2: expected \"NAME FOLDER PATTERN\""}));
    QCOMPARE(dispatchTableComplaints(operations(), {}),
             QStringList("Op: its pattern is nowhere in agent/ir: let it follow the code"));
}

void TestPlaybookRules::dispatchesOnlyBecomeFewer() {
    const DispatchTable table =
        DispatchTable::parse("tests/guards/dispatches.txt", linesOf("tests/guards/dispatches.txt"));
    const QVector<GuardFault> faults = dispatchFaults(table, chosenFiles(m_files, isCppOfLayers));
    VERIFY_NONE(dispatchTableComplaints(table, faults) +
                beyondAllowed("dispatches.txt",
                              "Files that tell apart what dispatches.txt names, and how often.", faults));
}

void TestPlaybookRules::findsADecisionThatWritesText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("count");
    const auto row = [](const char *name, const char *text, int count) {
        QTest::newRow(name) << QString(text) << count;
    };
    row("a statement", "f(\"int a = 1;\"); g(\"b;\\n\"); h(\"c; \");", 3);
    row("a raw literal", "f(R\"(a)\");", 1);
    row("a word of CUDA", "f(\"__global__ void\");", 1);
    row("a pragma", "f(\"#pragma unroll\\n\");", 1);
    row("a sentence", "f(\"half of it; the rest\", \"a_b\", ';');", 0);
    row("a comment", "// \"a;\" and R\"(b)\"", 0);
    row("an include", "#pragma once\n#include \"a__b.h\"", 0);
}

void TestPlaybookRules::findsADecisionThatWritesText() {
    QFETCH(QString, text);
    QFETCH(int, count);
    QVERIFY(isDecision("agent/playbook/schedule/matmul/a.cpp") && isDecision("agent/playbook/ir/a.h"));
    QVERIFY(!isDecision("agent/playbook/codegen/a.cpp") && !isDecision("agent/playbook/tuning/a.cpp"));
    const QString path = "agent/playbook/fusion/a.cpp";
    const QVector<GuardFault> faults = writtenTextFaults({{path, text.split('\n')}});
    QCOMPARE(foundIn(faults), count > 0 ? QString("%1 %2").arg(path).arg(count) : QString());
    if (count > 0)
        QVERIFY2(faults.first().complaint.startsWith(path + ":1: a decision writes text, "),
                 qPrintable(faults.first().complaint));
}

void TestPlaybookRules::decisionsWriteNoText() {
    VERIFY_NONE(beyondAllowed("written_text.txt",
                              "Decisions of the playbook that write code, and how many literals of it.",
                              writtenTextFaults(chosenFiles(m_files, isDecision))));
}

void TestPlaybookRules::findsTextThatIsParsed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("count");
    const auto row = [](const char *name, const char *text, int count) {
        QTest::newRow(name) << QString(text) << count;
    };
    row("a pattern", "static const QRegularExpression word(\"a\");", 1);
    row("a search", "a.indexOf(b) + c->indexOf(d);", 2);
    row("a patch", "text\n    .replace(a, b)\n    .replace(c, d);", 2);
    row("std::replace", "std::replace(a, b, 1, 2); replaced(c);", 0);
    row("an include", "#include <QRegularExpression>", 0);
    row("a string", "f(\".replace(\"); // .replace(", 0);
}

void TestPlaybookRules::findsTextThatIsParsed() {
    QFETCH(QString, text);
    QFETCH(int, count);
    QVERIFY(isCodegen("agent/playbook/codegen/cuda/loops/a.cpp") && isCodegen("agent/playbook/codegen/a.h"));
    QVERIFY(!isCodegen("agent/playbook/codegen/template_fill.cpp") &&
            !isCodegen("agent/playbook/codegen/cuda_printer.h") && !isCodegen("agent/playbook/tuning/a.cpp"));
    const QString path = "agent/playbook/codegen/a.cpp";
    const QVector<GuardFault> faults = parsedTextFaults({{path, text.split('\n')}});
    QCOMPARE(foundIn(faults), count > 0 ? QString("%1 %2").arg(path).arg(count) : QString());
}

void TestPlaybookRules::textIsNotParsed() {
    VERIFY_NONE(beyondAllowed("parsed_text.txt", "Writers of kernels that read or patch text, and how often.",
                              parsedTextFaults(chosenFiles(m_files, isCodegen))));
}

void TestPlaybookRules::findsAFigureOfAChip_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found"); // "name count", empty: allowed
    QTest::addColumn<QString>("figure");
    const auto row = [](const char *text, const char *found, const char *figure) {
        QTest::newRow(text) << QString(text) << QString(found) << QString(figure);
    };
    for (const char *figure : {"132",
                               "132u",
                               "132L",
                               "132.0",
                               "0x84",
                               "264",
                               "528",
                               "227 * 1024",
                               "227*1024",
                               "1024 * 227",
                               "227 * 1'024",
                               "227u * 1024u",
                               "228 << 10",
                               "64 * 1024",
                               "232448",
                               "232'448u",
                               "0x38C00",
                               "233472",
                               "3.35e12",
                               "3.35E12",
                               "3.35e+12",
                               "3350e9",
                               "3'350'000'000'000.0",
                               "989e12f",
                               ".989e15",
                               "3.35e12L"}) {
        const QString text = QString("constexpr auto n = %1;").arg(figure);
        QTest::newRow(figure) << text << "figures 1" << QString(figure);
    }
    row("constexpr double all = 132 * 1024; // of 132", "figures 1", "132");
    row("int a[132] = {132};", "figures 2", "132");
    row("#define SMS 132 // of an H100", "figures 1", "132");
    row("#define BYTES(a) \\\n    (227 * 1024)", "figures 1", "227 * 1024");
    row("constexpr double launchBytes = 8e6; ///< that an H200 moves", "launchBytes 1",
        "launchBytes, as its comment");
    row("/// Of an H100.\nstatic constexpr int threads{32768};", "threads 1", "threads, as its comment");
    row("// Eight of each of an H100's SMs,\n// at least.\nconst int threads = 96;\nconst int b = 3;",
        "threads 1", "threads,");
    row("// On an H100 4 took 3 ms.\nconstexpr int most = 8; // an H200 says 9", "", "");
    row("constexpr int n = 96; // of a device\n// an H100 has more\n\nconst int m = 3;", "", "");
    row("// an H100 has 132 and 227 * 1024 bytes, 3e12 a second\ntext = \"64 * 1024 / kRegisters\";", "", "");
    row("#include \"132.h\"\n#define TEXT \"132\"", "", "");
    row("constexpr double most = 9.2e18 + 1132 + 1e9 + 65536 + 1320 + x132 + 1e20;", "", "");
    row("const int threads = 32 * 1024;", "", "");
}

void TestPlaybookRules::findsAFigureOfAChip() {
    QFETCH(QString, text);
    QFETCH(QString, found);
    QFETCH(QString, figure);
    QVERIFY(isWithoutChips("agent/playbook/schedule/a.cpp") && isWithoutChips("agent/playbook/a.h"));
    QVERIFY(!isWithoutChips("agent/playbook/target/plan_device.h") &&
            !isWithoutChips("toolchain/base/a.cpp"));
    const QVector<GuardFault> faults = chipFaults({{"agent/playbook/a.cpp", text.split('\n')}});
    QCOMPARE(foundIn(faults), found.isEmpty() ? QString() : "agent/playbook/a.cpp " + found);
    if (!faults.isEmpty())
        QVERIFY2(faults.first().complaint.contains(": " + figure) &&
                     faults.first().complaint.contains(
                         "is a figure of one chip: a row of resources/playbook/devices"),
                 qPrintable(faults.first().complaint));
}

void TestPlaybookRules::figuresOfChipsStandInRows() {
    VERIFY_NONE(beyondAllowed("chips.txt", "Figures of a chip, or that look like one, and how many.",
                              chipFaults(chosenFiles(m_files, isWithoutChips))));
}

QTEST_GUILESS_MAIN(TestPlaybookRules)
#include "tst_playbook_rules.moc"
