// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about the source: no include points up a layer, no source file is over 500 lines, nothing waits in
// the window's thread, `wright` loads no window, no link of a document leads nowhere. Each guard is first
// shown a fault, to see that it can fail.
#include "tests/guards/document_guard.h"
#include "tests/guards/frozen_lists.h"
#include "tests/guards/layer_guard.h"
#include "tests/guards/library_guard.h"
#include "tests/guards/link_guard.h"
#include "tests/guards/loop_guard.h"
#include "tests/guards/markdown_text.h"
#include "tests/guards/size_guard.h"
#include "tests/guards/verify_none.h"
#include "tests/toolchain/places.h"
#include "warpwright_version.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

class TestGuards : public QObject {
    Q_OBJECT

private slots:
    void findsAnIncludeThatMustNotBe_data();
    void findsAnIncludeThatMustNotBe();
    void noIncludePointsUpALayer();

    void findsAFileOver500Lines();
    void doesNotEnterBuildFolders();
    void samplesHaveTheTemplatesBindings();
    void noSourceFileIsOver500Lines();

    void findsALoopWithinTheLoop_data();
    void findsALoopWithinTheLoop();
    void nothingWaitsInTheWindow();

    void findsALibraryOfAWindow();
    void wrightLoadsNoWindow();

    void findsALinkThatLeadsNowhere();
    void findsADeadLink_data();
    void findsADeadLink();
    void linksLeadSomewhere();
    void installedDocumentsLeadSomewhere();

    void findsALongDocument();
    void documentsAreShort();
    void findsACitedEntryThatIsNotThere();
    void citedEntriesAreThere();
};

void TestGuards::findsAnIncludeThatMustNotBe_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("complaint"); // empty: allowed
    const auto row = [](const char *name, const char *path, const char *line, const char *complaint) {
        QTest::newRow(name) << QString(path) << QString(line) << QString(complaint);
    };
    row("down", "app/cli/main.cpp", "#include \"toolchain/base/result.h\"", "");
    row("up", "toolchain/a.cpp", "#include \"app/cli/b.h\"", "toolchain may not use app");
    row("up, with blanks", "agent/a.h", "  #  include \"widgets/b.h\"", "agent may not use widgets");
    row("sideways", "widgets/a.h", "#include \"toolchain/b.h\"", "widgets may not use toolchain");
    row("views use the toolchain", "profiler_views/a.h", "#include \"toolchain/b.h\"", "");
    row("views use no agent", "profiler_views/a.h", "#include \"agent/b.h\"",
        "profiler_views may not use agent");
    row("no layer uses the tests", "app/a.h", "#include \"tests/b.h\"", "app may not use tests");
    row("tests use every layer", "tests/a.cpp", "#include \"app/b.h\"", "");
    row("without its folder", "toolchain/a.cpp", "#include \"result.h\"", "from the repository root");
    row("version header", "toolchain/a.cpp", "#include \"warpwright_version.h\"", "");
    row("moc", "tests/a.cpp", "#include \"tst_a.moc\"", "");
    row("referee, own folder", "toolchain/referee/a.cpp", "#include \"b.h\"", "");
    row("referee, its own root", "toolchain/referee/a.cpp", "#include \"referee/b.h\"", "");
    row("toolchain uses the referee's root", "toolchain/a.cpp", "#include \"referee/b.h\"",
        "toolchain may not use toolchain/referee");
    row("referee uses the toolchain", "toolchain/referee/a.cpp", "#include \"toolchain/b.h\"",
        "toolchain/referee may not use toolchain");
    row("toolchain uses the referee", "toolchain/a.cpp", "#include \"toolchain/referee/b.h\"",
        "toolchain may not use toolchain/referee");
    row("Qt in the judge", "toolchain/referee/a.cpp", "#include <QString>", "the judge has none");
    row("torch in the referee", "toolchain/referee/a.cpp", "#include <torch/torch.h>", "");
    row("torch beside emulated kernels", "tests/playbook/emulator/a.cpp", "#include <c10/core/Allocator.h>",
        "");
    row("torch beside Qt", "toolchain/a.cpp", "#include <torch/torch.h>", "belong to toolchain/referee");
    row("window in the toolchain", "toolchain/a.cpp", "#include <QWidget>", "has no window");
    row("window in the terminal program", "app/cli/a.cpp", "#include <QApplication>", "has no window");
    row("window in the app", "app/ide/a.cpp", "#include <QWidget>", "");
    row("network in the toolchain", "toolchain/a.cpp", "#include <QNetworkReply>", "has no network");
    row("network in the agents", "agent/a.cpp", "#include <QNetworkReply>", "");
    row("keyring in the agents", "agent/endpoints/a.cpp", "#include <qt6keychain/keychain.h>", "");
    row("keyring in the toolchain", "toolchain/a.cpp", "#include <qt6keychain/keychain.h>", "has no network");
    row("a comment", "toolchain/a.cpp", "// #include \"app/cli/b.h\"", "");
    row("within a comment", "toolchain/a.cpp", "/*\n#include \"app/cli/b.h\"\n*/", "");
    row("within a raw literal", "toolchain/a.cpp", "a = R\"(\n#include \"app/cli/b.h\"\n)\";", "");
    row("up, in angles", "toolchain/a.cpp", "#include <app/cli/b.h>", "write what is ours in quotes");
    row("the judge in angles", "toolchain/a.cpp", "#include <referee/b.h>", "write what is ours in quotes");
    row("detour above", "toolchain/a.cpp", "#include \"toolchain/../app/b.h\"", "without detours");
    row("detour in its folder", "toolchain/a.cpp", "#include \"toolchain/./b.h\"", "without detours");
    row("two slashes", "toolchain/a.cpp", "#include \"toolchain//b.h\"", "without detours");
    row("the referee's folder above", "toolchain/referee/a/a.cpp", "#include \"../b/c.h\"",
        "without detours");
    row("from the disk's root", "toolchain/a.cpp", "#include </usr/include/b.h>", "without detours");
    row("a macro", "toolchain/a.cpp", "#include B_H", "no name in quotes or angles: B_H");
    row("other words", "toolchain/a.cpp", "#import \"app/cli/b.h\"", "toolchain may not use app");
    row("the next one", "toolchain/a.cpp", "#include_next \"app/cli/b.h\"", "toolchain may not use app");
    row("a digraph", "toolchain/a.cpp", "%:include \"app/cli/b.h\"", "toolchain may not use app");
    row("behind a tab", "toolchain/a.cpp", "\t#include \"app/cli/b.h\"", "toolchain may not use app");
    row("behind a comment", "toolchain/a.cpp", "/**/ # /* a */ include/**/\"app/cli/b.h\"",
        "may not use app");
    row("in two lines", "toolchain/a.cpp", "#include \\\n    \"app/cli/b.h\"", "toolchain may not use app");
    row("no include", "toolchain/a.cpp", "#define A \"/*\" // include\n#if __has_include(\"app/cli/b.h\")",
        "");
    row("Qt in the judge, in quotes", "toolchain/referee/a.cpp", "#include \"QtCore/QString\"",
        "the judge has none");
}

void TestGuards::findsAnIncludeThatMustNotBe() {
    QFETCH(QString, path);
    QFETCH(QString, line);
    QFETCH(QString, complaint);
    QVERIFY(isLayeredSource(path));
    const QStringList complaints = layerComplaints({{path, ("#pragma once\n" + line).split('\n')}});
    QCOMPARE(complaints.size(), complaint.isEmpty() ? 0 : 1);
    if (!complaint.isEmpty()) {
        QVERIFY2(complaints.first().startsWith(path + ":2: "), qPrintable(complaints.first()));
        QVERIFY2(complaints.first().contains(complaint), qPrintable(complaints.first()));
    }
}

void TestGuards::noIncludePointsUpALayer() {
    const QVector<GuardFile> files = GuardFile::readAll(buildSourceFolder(), isLayeredSource);
    QVERIFY2(files.size() > 5, "the source tree was not found");
    const QStringList complaints = layerComplaints(files);
    QVERIFY2(complaints.isEmpty(), qPrintable("\n" + complaints.join('\n')));
}

static void writeLines(const QString &path, int count) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("x\n").repeated(count));
}

void TestGuards::findsAFileOver500Lines() {
    QTemporaryDir folder;
    writeLines(folder.filePath("app/long.cpp"), 501);
    writeLines(folder.filePath("app/full.cpp"), 500);
    writeLines(folder.filePath("packaging/long"), 501);
    writeLines(folder.filePath("resources/data.json"), 501);
    QCOMPARE(
        fileSizeComplaints(GuardFile::readAll(folder.path(), isSizedSource)),
        QStringList({"app/long.cpp: 501 lines, more than 500", "packaging/long: 501 lines, more than 500"}));
}

// A workspace is complete by itself, so each sample has a copy: of one text.
void TestGuards::samplesHaveTheTemplatesBindings() {
    const QDir resources(QString(buildSourceFolder()) + "/resources");
    const auto read = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QStringList samples =
        QDir(resources.filePath("samples")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QVERIFY(samples.size() >= 9);
    for (const char *name : {"binding.cpp", "binding_registry.h"}) {
        const QByteArray wanted = read(resources.filePath(QString("templates/workspace/%1").arg(name)));
        QVERIFY(!wanted.isEmpty());
        for (const QString &sample : samples)
            QVERIFY2(read(resources.filePath(QString("samples/%1/%2").arg(sample, name))) == wanted,
                     qPrintable(sample + '/' + name));
    }
}

void TestGuards::doesNotEnterBuildFolders() {
    QTemporaryDir folder;
    writeLines(folder.filePath("build/dev/a.cpp"), 501);
    writeLines(folder.filePath("resources/samples/one/.warpwright/build/a.cpp"), 501);
    writeLines(folder.filePath("tests/data/nvcc/a.cpp"), 501);
    writeLines(folder.filePath(".cache/a.cpp"), 501);
    QVERIFY(GuardFile::readAll(folder.path(), isSizedSource).isEmpty());
    writeLines(folder.filePath("app/build/a.cpp"), 501);
    writeLines(folder.filePath("app/.cache/b.cpp"), 501);
    QCOMPARE(GuardFile::readAll(folder.path(), isSizedSource).size(), 2);
}

void TestGuards::noSourceFileIsOver500Lines() {
    const QVector<GuardFile> files = GuardFile::readAll(buildSourceFolder(), isSizedSource);
    QVERIFY2(files.size() > 5, "the source tree was not found");
    const QStringList complaints = fileSizeComplaints(files);
    QVERIFY2(complaints.isEmpty(), qPrintable("\n" + complaints.join('\n')));
}

void TestGuards::findsALoopWithinTheLoop_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("found"); // empty: allowed
    const auto row = [](const char *name, const char *line, const char *found) {
        QTest::newRow(name) << QString(line) << QString(found);
    };
    row("a file asked for", "const QString file = QFileDialog::getOpenFileName(this);", "getOpenFileName");
    row("a question", "if (QMessageBox::question(this, a, b) == yes)", "question");
    row("a number asked for", "QInputDialog::getInt(this, a, b);", "getInt");
    row("a loop", "    QEventLoop loop;", "QEventLoop");
    row("a dialog", "dialog.exec();", "exec");
    row("a menu", "menu->exec(place);", "exec");
    row("events", "QCoreApplication::processEvents();", "processEvents");
    row("a process", "git.waitForFinished(100);", "waitForFinished");
    row("opened", "dialog->open();", "");
    row("a dialog's mode", "dialog->setFileMode(QFileDialog::Directory);", "");
    row("a box's icon", "new QMessageBox(QMessageBox::Question, title, text);", "");
    row("a comment", "    // without processEvents", "");
    row("a comment behind", "a(); // no exec(): it would wait", "");
    row("a literal", "const char *t = \"exec(open(a))\";", "");
    row("another word", "executed(); prepareExec(); executable(); sleepy();", "");
    row("a dialog, with a blank", "dialog.exec ();", "exec");
    row("a connected loop", "connect(a, &QAction::triggered, b, &QDialog::exec);", "&QDialog::exec");
    row("a program", "QProcess::execute(\"git\", {});", "execute");
    row("a shell", "std::system(\"make\");", "std::system");
    row("a pipe", "popen(\"make\", \"r\");", "popen");
    row("a pause", "QThread::msleep(500);", "msleep");
    row("a pause of the library", "std::this_thread::sleep_for(1s);", "sleep_for");
    row("a pause until then", "std::this_thread::sleep_until(then);", "sleep_until");
    row("a socket", "socket.waitForConnected();", "waitForConnected");
    row("a pool", "m_pool.waitForDone();", "waitForDone");
    row("as in a test", "QTest::qWait(100);", "qWait");
}

void TestGuards::findsALoopWithinTheLoop() {
    QFETCH(QString, line);
    QFETCH(QString, found);
    const QVector<GuardFault> faults = loopFaults({{"widgets/a.cpp", {"#pragma once", line}}});
    QCOMPARE(faults.size(), found.isEmpty() ? 0 : 1);
    if (found.isEmpty())
        return;
    QVERIFY2(faults.first().complaint.startsWith("widgets/a.cpp:2: ") &&
                 faults.first().complaint.contains(found),
             qPrintable(faults.first().complaint));
    QCOMPARE(faults.first().sizes, QVector<int>{1});
}

void TestGuards::nothingWaitsInTheWindow() {
    QVERIFY(isWindowSource("app/ide/files/a.cpp") && isWindowSource("widgets/a.h"));
    QVERIFY(!isWindowSource("app/cli/a.cpp") && !isWindowSource("app/ide/shell/main.cpp"));
    const QVector<GuardFile> files = GuardFile::readAll(buildSourceFolder(), isWindowSource);
    QVERIFY2(files.size() > 5, "the source tree was not found");
    VERIFY_NONE(
        beyondAllowed("waits.txt", "What waits in the window's thread, and how often.", loopFaults(files)));
}

void TestGuards::findsALibraryOfAWindow() {
    const QString text =
        "\tlinux-vdso.so.1 (0x1)\n\tlibQt6Core.so.6 => /lib/libQt6Core.so.6 (0x2)\n"
        "\tlibQt6Widgets.so.6 => /lib/libQt6Widgets.so.6 (0x3)\n\tlibglib-2.0.so.0 => /lib/a (0x4)\n"
        "\tlibX11.so.6 => not found\n";
    QCOMPARE(windowLibraries(text), QStringList({"libQt6Widgets.so.6", "libX11.so.6"}));
}

void TestGuards::wrightLoadsNoWindow() {
#ifdef HAS_WRIGHT
    QProcess ldd;
    ldd.start("ldd", {wrightProgram()});
    QVERIFY2(ldd.waitForFinished(), qPrintable(ldd.errorString()));
    const QString text = ldd.readAllStandardOutput();
    QVERIFY2(text.contains("libQt6Core"), qPrintable(text));
    QCOMPARE(windowLibraries(text).join(' '), QString());
#else
    QSKIP("wright is not built here");
#endif
}

void TestGuards::findsALinkThatLeadsNowhere() {
    QTemporaryDir folder;
    QDir(folder.path()).mkpath("docs");
    QFile file(folder.filePath("docs/a.md"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# A\n[there](../docs/a.md), [below](#a), [net](https://example.org/a.md)\n![gone](b.png)\n");
    file.close();
    QCOMPARE(deadLinks(folder.path()), QStringList{"docs/a.md:3: b.png"});
}

void TestGuards::findsADeadLink_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("dead"); // empty: none
    const auto row = [](const char *line, const char *dead) {
        QTest::newRow(line) << QString(line) << QString(dead);
    };
    row("[a](b.md), [a](../docs/b.md#two-words), [a](#sub), ![a](../app/) and [a](https://a.org/#b)", "");
    row("[a](c.md)", "c.md");
    row("![a](<c.png> \"title\")", "c.png");
    row("[a](#gone)", "#gone");
    row("[a](b.md#gone)", "b.md#gone");
    row("[a](b.md#second), [a](b.md#second-1), [a](b.md#named)", "");
    row("[a](b.md#second-2)", "b.md#second-2");
    row("[a](b.md#in-code)", "b.md#in-code");
    row("[a](../app/#any)", "");
    row("[a][one]\n\n[One]: b.md#second", "");
    row("[a][one]", "[one]");
    row("[a][one]\n\n[one]: c.md", "c.md");
    row("`[a](c.md)` and ``[a](`c.md)``", "");
    row("```\n[a](c.md)\n```", "");
    row("```\n```\n[a](c.md)", "c.md");
    row("~~~~ text\n```\n~~~\n[a](c.md)\n~~~~", "");
    row("``` a ```\n[a](c.md)", "c.md");
}

void TestGuards::findsADeadLink() {
    QFETCH(QString, line);
    QFETCH(QString, dead);
    const QVector<GuardFile> documents{{"docs/a.md", (line + "\n### Sub").split('\n')},
                                       {"docs/b.md",
                                        {"# [Two](a.md) `words`!", "## Second", "## Second", "```",
                                         "# In code", "```", "<a id=\"named\"></a>"}}};
    QStringList found = deadLinks(documents, [](const QString &path) { return path == "app"; });
    found.replaceInStrings(QRegularExpression("^docs/a\\.md:\\d+: "), "");
    QCOMPARE(found.join(' '), dead);
}

void TestGuards::linksLeadSomewhere() {
    const QDir root(buildSourceFolder());
    const QVector<GuardFile> documents = GuardFile::readAll(root.path(), isMarkdown);
    QVERIFY2(documents.size() > 5, "the documents were not found");
    VERIFY_NONE(deadLinks(documents, [&root](const QString &path) { return root.exists(path); }));
}

// As a package holds them: laid out by the rules that make one.
void TestGuards::installedDocumentsLeadSomewhere() {
    QTemporaryDir folder;
    QProcess cmake;
    cmake.start(WARPWRIGHT_CMAKE, {"--install", WARPWRIGHT_BUILD_FOLDER, "--component", "documents",
                                   "--prefix", folder.path()});
    QVERIFY2(cmake.waitForFinished(), qPrintable(cmake.errorString()));
    QVERIFY2(cmake.exitCode() == 0, cmake.readAllStandardError().constData());
    const QString documents = folder.filePath("share/doc/warpwright");
    for (const char *name : {"README.md", "LICENSE", "HACKING.md", "resources/lessons/WRITING.md"})
        QVERIFY2(QFile::exists(documents + '/' + name), name);
    QCOMPARE(deadLinks(documents).join('\n'), QString());
}

void TestGuards::findsALongDocument() {
    QVERIFY(isDocument("docs/a.md") && !isDocument("docs/notebook/a.md") && !isDocument("a.txt"));
    const QString wide(161, 'x');
    const QVector<GuardFile> documents{{"docs/full.md", QStringList(300, QString(160, 'x'))},
                                       {"docs/long.md", QStringList(301, "x")},
                                       {"docs/short.md", {"x"}},
                                       {"docs/wide.md", {"x", wide}}};
    QCOMPARE(documentComplaints(documents), QStringList({"docs/long.md: 301 lines, more than 300",
                                                         "docs/wide.md:2: 161 characters, more than 160"}));
}

void TestGuards::documentsAreShort() {
    const QVector<GuardFile> documents = GuardFile::readAll(buildSourceFolder(), isDocument);
    QVERIFY2(documents.size() > 5, "the documents were not found");
    const QStringList complaints = documentComplaints(documents);
    QVERIFY2(complaints.isEmpty(), qPrintable("\n" + complaints.join('\n')));
}

void TestGuards::findsACitedEntryThatIsNotThere() {
    const QString day = "docs/notebook"
                        "/2026-01-02.md"; // in two: this file is read as well
    const QVector<GuardFile> files{
        {"agent/a.cpp", {"// " + day + "#aa-of-the-quick-tier", "// " + day + "#gone", "// " + day}},
        {"agent/b.cpp", {"// docs/notebook" + QString("/2026-01-03.md#aa-of-the-quick-tier")}},
        {"docs/a.md", {"[all](" + day.mid(5) + "), [one](" + day.mid(5) + "#twice), [no](" + day + "#none)"}},
        {day, {"# A day", "## A/A of the `quick` tier", "## Twice", "## Twice", "```", "## None", "```"}}};
    QCOMPARE(notebookComplaints(files),
             QStringList({day + ":4: a second entry #twice", "agent/a.cpp:2: " + day + " has no entry #gone",
                          "agent/a.cpp:3: names no entry of " + day,
                          "agent/b.cpp:1: there is no docs/notebook" + QString("/2026-01-03.md"),
                          "docs/a.md:1: " + day + " has no entry #none"}));
}

void TestGuards::citedEntriesAreThere() {
    const QVector<GuardFile> files = GuardFile::readAll(buildSourceFolder(), citesNotebook);
    QVERIFY2(files.size() > 5, "the source tree was not found");
    const QStringList complaints = notebookComplaints(files);
    QVERIFY2(complaints.isEmpty(), qPrintable("\n" + complaints.join('\n')));
}

QTEST_GUILESS_MAIN(TestGuards)
#include "tst_guards.moc"
