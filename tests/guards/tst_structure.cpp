// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of exceptions, and what includes what: the order of wings, knots of includes. Each guard is first
// shown a fault. tests/guards/README.md says what is in the lists and how they are written anew.
#include "tests/guards/frozen_lists.h"
#include "tests/guards/knot_guard.h"
#include "tests/guards/strong_components.h"
#include "tests/guards/verify_none.h"
#include "tests/guards/wing_guard.h"
#include "warpwright_version.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

class TestStructure : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void allowListsMayOnlyShrink_data();
    void allowListsMayOnlyShrink();
    void readsWhatItWrites();
    void aListThatIsWrittenIsNotChecked();

    void findsAFileThatNoGuardReads();
    void guardsReadEveryFile();

    void findsAnIncludeAgainstTheOrder_data();
    void findsAnIncludeAgainstTheOrder();
    void findsWhatIsIncluded_data();
    void findsWhatIsIncluded();
    void findsAFaultyTable_data();
    void findsAFaultyTable();
    void includesObeyTheOrderOfWings();

    void findsKnots();
    void aKnotIsNotExchangedForAnother();
    void endsAtALongChain();
    void knotsOnlyShrink();

private:
    QVector<GuardFile> m_files; ///< all that a guard below asks for, read once
    QVector<GuardFile> m_layers;
    QVector<IncludeArrow> m_arrows;
};

static bool isRead(const QString &path) {
    return isCpp(path) || hasForeignEnding(path) || isTemplate(path);
}

void TestStructure::initTestCase() {
    m_files = GuardFile::readAll(buildSourceFolder(), isRead);
    m_layers = chosenFiles(m_files, isCppOfLayers);
    QVERIFY2(m_layers.size() > 100, "the source tree was not found");
    m_arrows = includeArrows(
        chosenFiles(m_files, [](const QString &path) { return isCpp(path) || isTemplate(path); }));
}

void TestStructure::allowListsMayOnlyShrink_data() {
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("key"); // empty: no fault
    QTest::addColumn<QVector<int>>("sizes");
    QTest::addColumn<QString>("complaint"); // empty: allowed
    const auto row = [](const char *name, const char *list, const char *key, const QVector<int> &sizes,
                        const char *complaint) {
        QTest::newRow(name) << QString(list) << QString(key) << sizes << QString(complaint);
    };
    row("no list", "", "a.h Dock", {700}, "the fault");
    row("another one", "b.h Dock 700", "a.h Dock", {700}, "the fault");
    row("as large", "# a comment\na.h Dock 700 # another", "a.h Dock", {700}, "");
    row("larger", "\na.h Dock 700", "a.h Dock", {701},
        "the fault (list:2 allows no more than \"a.h Dock 700\")");
    row("smaller", "a.h Dock 700", "a.h Dock", {699},
        "list:1: allows more than there is: write \"a.h Dock 699\"");
    row("gone", "\n\na.h Dock 700", "", {}, "list:3: no longer needed: delete the line \"a.h Dock 700\"");
    row("no sizes", "a.h", "a.h", {}, "");
    row("knots as large", "agent 67 3", "agent", {67, 3}, "");
    row("a larger knot", "agent 67 3", "agent", {67, 4}, "the fault");
    row("another knot", "agent 67 3", "agent", {3, 3, 2}, "the fault");
    row("a knot less", "agent 67 3", "agent", {67}, "write \"agent 67\"");
    row("twice", "a.h\na.h", "a.h", {}, "list:2: \"a.h\" a second time");
}

void TestStructure::allowListsMayOnlyShrink() {
    QFETCH(QString, list);
    QFETCH(QString, key);
    QFETCH(QVector<int>, sizes);
    QFETCH(QString, complaint);
    QVector<GuardFault> faults;
    if (!key.isEmpty())
        faults.append({key, sizes, "the fault"});
    const QStringList complaints = complaintsBeyond(AllowList::parse("list", list.split('\n')), faults);
    if (complaint.isEmpty())
        QCOMPARE(complaints.join('\n'), QString());
    else
        QVERIFY2(complaints.join('\n').contains(complaint), qPrintable(complaints.join('\n')));
}

void TestStructure::readsWhatItWrites() {
    const QVector<GuardFault> faults{{"b.cpp f", {90}, ""}, {"agent", {67, 3}, ""}, {"a.h -> b.h", {}, ""}};
    const QString text = allowListText("Of three kinds.", faults);
    QVERIFY2(text.endsWith("\na.h -> b.h\nagent 67 3\nb.cpp f 90\n"), qPrintable(text));
    QCOMPARE(complaintsBeyond(AllowList::parse("list", text.split('\n')), faults), QStringList());
}

void TestStructure::aListThatIsWrittenIsNotChecked() {
    const QTemporaryDir folder;
    const QByteArray before = qgetenv("WARPWRIGHT_FREEZE");
    qputenv("WARPWRIGHT_FREEZE", folder.path().toLocal8Bit());
    const QStringList complaints = beyondAllowed("new.txt", "Of a test.", {{"a.h", {3}, ""}});
    qputenv("WARPWRIGHT_FREEZE", folder.filePath("none").toLocal8Bit());
    const QStringList unwritten = beyondAllowed("new.txt", "Of a test.", {});
    before.isEmpty() ? qunsetenv("WARPWRIGHT_FREEZE") : qputenv("WARPWRIGHT_FREEZE", before);
    const QString path = folder.filePath("new.txt");
    QCOMPARE(complaints,
             QStringList(
                 QString("WARPWRIGHT_FREEZE is set: \"%1\" was written, and nothing was checked").arg(path)));
    QVERIFY(AllowList::read(folder.path(), "new.txt").entries.contains("a.h"));
    QVERIFY2(unwritten.join(' ').startsWith("Cannot write "), qPrintable(unwritten.join(' ')));
}

static QStringList endingComplaints(const QVector<GuardFile> &files) {
    QStringList complaints;
    for (const GuardFile &file : chosenFiles(files, hasForeignEnding))
        complaints.append(file.path + ": guards read .h, .cpp, .cu and .cuh: give it such an ending");
    return complaints;
}

void TestStructure::findsAFileThatNoGuardReads() {
    QStringList found;
    for (const char *path : {"toolchain/a.inc", "app/ide/a.hpp", "agent/a.CC", "agent/a.cpp", "agent/a.cu.in",
                             "docs/a.c", "widgets/a.ipp", "widgets/a.cxx"})
        found += endingComplaints({{path, {}}});
    const QString why = ": guards read .h, .cpp, .cu and .cuh: give it such an ending";
    QCOMPARE(found, QStringList({"toolchain/a.inc" + why, "app/ide/a.hpp" + why, "agent/a.CC" + why,
                                 "widgets/a.ipp" + why, "widgets/a.cxx" + why}));
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("toolchain/base") && QDir(folder.path()).mkpath("build/deep"));
    QVERIFY(QFile::link(QDir::tempPath(), folder.filePath("toolchain/base/extra")));
    QVERIFY(QFile::link(folder.filePath("none"), folder.filePath("toolchain/gone.h")));
    QVERIFY(QFile::link(QDir::tempPath(), folder.filePath("build/deep/extra")));
    QVERIFY(QFile::link(folder.filePath("none"), folder.filePath("compile_commands.json")));
    const QString behind = ": a symbolic link, behind which no guard looks";
    QCOMPARE(GuardFile::linkComplaints(folder.path()),
             QStringList({"toolchain/base/extra" + behind, "toolchain/gone.h" + behind}));
}

void TestStructure::guardsReadEveryFile() {
    VERIFY_NONE(endingComplaints(m_files) + GuardFile::linkComplaints(buildSourceFolder()));
}

static const QStringList tableLines{"# the order",
                                    "root: toolchain",
                                    "base: -",
                                    "compile: base",
                                    "compile/passes: base",
                                    "check: base compile",
                                    ".: *",
                                    "root: app/ide",
                                    "kit:",
                                    "root: app",
                                    "cli: ide",
                                    "ide: -",
                                    "root: agent",
                                    "deep: frame.*",
                                    "frame.*: -",
                                    ".: *"};

void TestStructure::findsAnIncludeAgainstTheOrder_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("complaint"); // empty: allowed
    const auto row = [](const char *name, const char *from, const char *to, const char *complaint) {
        QTest::newRow(name) << QString(from) << QString(to) << QString(complaint);
    };
    row("itself", "toolchain/base/a.cpp", "toolchain/base/b.h", "");
    row("down", "toolchain/check/a.cpp", "toolchain/base/b.h", "");
    row("up", "toolchain/base/a.cpp", "toolchain/check/b.h", "the wing base may not use check");
    row("a folder below", "toolchain/base/deep/a.cpp", "toolchain/check/b.h",
        "the wing base may not use check");
    row("its own folder below", "toolchain/base/a.cpp", "toolchain/base/deep/b.h", "");
    row("a wing below", "toolchain/compile/a.cpp", "toolchain/compile/passes/b.h",
        "the wing compile may not use compile/passes");
    row("the wing above", "toolchain/compile/passes/a.cpp", "toolchain/compile/b.h",
        "the wing compile/passes may not use compile");
    row("the root uses all", "toolchain/a.cpp", "toolchain/compile/passes/b.h", "");
    row("not the root", "toolchain/base/a.cpp", "toolchain/b.h", "the wing base may not use .");
    row("a module of the root", "agent/deep/a.cpp", "agent/frame.h", "");
    row("another one", "agent/deep/a.cpp", "agent/frames.h", "the wing deep may not use .");
    row("what it uses", "agent/frame.cpp", "agent/deep/a.h", "the wing frame.* may not use deep");
    row("its root", "agent/frame.cpp", "agent/a.h", "the wing frame.* may not use .");
    row("the root uses both", "agent/a.cpp", "agent/frame.h", "");
    row("another root", "app/ide/kit/a.cpp", "toolchain/check/b.h", "");
    row("the outer root's order", "app/ide/kit/a.cpp", "app/cli/b.h", "in app the wing ide may not use cli");
    row("no root", "tests/a.cpp", "toolchain/check/b.h", "");
}

void TestStructure::findsAnIncludeAgainstTheOrder() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, complaint);
    const WingTable table = WingTable::parse("wings", tableLines);
    QCOMPARE(table.complaints, QStringList());
    const QVector<GuardFile> files{{from, {"#pragma once", "  # include \"" + to + "\""}},
                                   {to, {"#pragma once"}}};
    const QVector<GuardFault> faults = wingFaults(table, includeArrows(files));
    QCOMPARE(faults.size(), complaint.isEmpty() ? 0 : 1);
    if (complaint.isEmpty())
        return;
    QCOMPARE(faults.first().key, from + " -> " + to);
    QVERIFY2(faults.first().complaint.startsWith(from + ":2: "), qPrintable(faults.first().complaint));
    QVERIFY2(faults.first().complaint.endsWith(complaint), qPrintable(faults.first().complaint));
}

void TestStructure::findsWhatIsIncluded_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("found"); // empty: no arrow
    const auto row = [](const char *name, const char *line, const char *found) {
        QTest::newRow(name) << QString(line) << QString(found);
    };
    row("from the root", "#include \"agent/ir/b.h\"", "agent/ir/b.h");
    row("its own folder", "#include \"a.h\"", "agent/kit/a.h");
    row("a folder above", "#include \"../ir/b.h\"", "agent/ir/b.h");
    row("a detour", "#include \"agent/kit/..//./ir/b.h\"", "agent/ir/b.h");
    row("in angles", "#include <agent/ir/b.h>", "agent/ir/b.h");
    row("another word", "%:import \"agent/ir/b.h\"", "agent/ir/b.h");
    row("made of a template", "#include \"agent/ir/templates/c.h\"", "agent/ir/templates/c.h");
    row("of no template", "#include \"agent/ir/templates/d.h\"", "");
    row("in a comment", "/*\n#include \"agent/ir/b.h\"\n*/", "");
    row("in a literal", "a = R\"(\n#include \"agent/ir/b.h\"\n)\";", "");
    row("behind a quote", "'\"';\n#include \"agent/ir/b.h\"", "agent/ir/b.h");
}

void TestStructure::findsWhatIsIncluded() {
    QFETCH(QString, line);
    QFETCH(QString, found);
    const QString from = "agent/kit/a.cpp";
    const QVector<IncludeArrow> arrows =
        includeArrows({{from, line.split('\n')},
                       {"agent/kit/a.h", {}},
                       {"agent/ir/b.h", {}},
                       {"agent/ir/templates/c.cu.in", {"#include \"agent/ir/b.h\""}}});
    QCOMPARE(arrows.size(), found.isEmpty() ? 0 : 1);
    if (!found.isEmpty())
        QCOMPARE(arrows.first().to, found);
}

void TestStructure::findsAFaultyTable_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char *name, const char *text, const char *complaint) {
        QTest::newRow(name) << QString(text) << QString(complaint);
    };
    row("no root", "base: -", "wings:1: expected \"root: FOLDER\"");
    row("no colon", "root: app\nbase", "wings:2: expected");
    row("an unknown wing", "root: app\nbase: bass", "base may use bass, which has no line in root app");
    row("twice", "root: app\nbase: -\nbase: -", "wings:3: base a second time");
    row("a circle", "root: app\na: b\nb: c\nc: a", "in a circle, which is no order: a b c");
    row("a folder in no wing", "root: app\nbase: -", "app/ide: this folder is in no wing of root app");
    row("a wing without files", "root: app\nide: -\nbase: -", "root app: the wing base has no file");
}

void TestStructure::findsAFaultyTable() {
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    const QStringList complaints =
        wingTableComplaints(WingTable::parse("wings", text.split('\n')), {{"app/ide/a.h", {"#pragma once"}}});
    QVERIFY2(complaints.join('\n').contains(complaint), qPrintable(complaints.join('\n')));
}

void TestStructure::includesObeyTheOrderOfWings() {
    QFile file(QDir(buildSourceFolder()).filePath("tests/guards/wings.txt"));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
    const WingTable table =
        WingTable::parse("tests/guards/wings.txt", QString::fromUtf8(file.readAll()).split('\n'));
    QVERIFY(!table.roots.isEmpty());
    VERIFY_NONE(beyondAllowed("includes.txt", "Includes against the order of wings.txt.",
                              wingFaults(table, m_arrows)) +
                wingTableComplaints(table, m_layers));
}

void TestStructure::findsKnots() {
    const QVector<GuardFile> files{
        {"agent/playbook/a.h", {"#include \"agent/playbook/b.h\""}},
        {"agent/playbook/b.h", {"#pragma once"}},
        {"agent/playbook/b.cpp", {"#include \"agent/playbook/b.h\"", "#include \"agent/playbook/a.h\""}},
        {"agent/playbook/c.cpp", {"#include \"agent/playbook/a.h\""}},
        {"toolchain/referee/d.h", {"#include \"referee/e.h\""}},
        {"toolchain/referee/e.h", {"#include \"f.h\""}},
        {"toolchain/referee/f.h", {"#include \"toolchain/referee/d.h\""}},
        {"app/cli/g.h", {"#include \"app/ide/h.h\""}},
        {"app/ide/h.h", {"#include \"app/cli/g.h\""}}};
    const QVector<GuardFault> faults = knotFaults(includeArrows(files));
    QStringList keys;
    for (const GuardFault &fault : faults)
        keys.append(fault.key);
    keys.sort();
    QCOMPARE(keys, QStringList({"agent/playbook/a agent/playbook/b", "app/cli/g app/ide/h",
                                "toolchain/referee/d toolchain/referee/e toolchain/referee/f"}));
    QVERIFY2(faults.first().complaint.endsWith("in a circle: " + faults.first().key),
             qPrintable(faults.first().complaint));
}

void TestStructure::aKnotIsNotExchangedForAnother() {
    const QVector<GuardFault> other = knotFaults(includeArrows(
        {{"agent/c.h", {"#include \"agent/d.h\""}}, {"agent/d.h", {"#include \"agent/c.h\""}}}));
    const QString found = complaintsBeyond(AllowList::parse("list", {"agent/a agent/b"}), other).join('\n');
    QVERIFY2(found.contains("in a circle: agent/c agent/d"), qPrintable(found));
    QVERIFY2(found.contains("delete the line \"agent/a agent/b\""), qPrintable(found));
}

void TestStructure::endsAtALongChain() {
    const int last = 200000;
    QVector<QVector<int>> arrows(last + 1);
    for (int node = 0; node < last; ++node)
        arrows[node] = {node + 1};
    arrows[last] = {last - 1, last - 2};
    const QVector<int> circle{last - 2, last - 1, last};
    QCOMPARE(strongComponents(arrows), QVector<QVector<int>>(1, circle));
}

void TestStructure::knotsOnlyShrink() {
    VERIFY_NONE(beyondAllowed("knots.txt", "Modules that include each other in a circle, a line each.",
                              knotFaults(m_arrows)));
}

QTEST_GUILESS_MAIN(TestStructure)
#include "tst_structure.moc"
