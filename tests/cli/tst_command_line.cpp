// SPDX-License-Identifier: GPL-3.0-or-later
// What `wright` says before any tool is needed: help, versions, bad words, bad folders.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

class TestCommandLine : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void helpExplainsTheExitCodes_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("wright") << QStringList{};
        QTest::newRow("wright --help") << QStringList{"--help"};
        QTest::newRow("wright check --help") << QStringList{"check", "--help"};
    }

    void helpExplainsTheExitCodes() {
        QFETCH(QStringList, arguments);
        const CliOutcome said = CliWorld().run(arguments);
        QCOMPARE(said.exitCode, 0);
        for (const char *word : {"pass", "build-failed", "130", "cancelled", "unverifiable", "check"})
            QVERIFY2(said.output.contains(word), said.words());
        QVERIFY2(said.errors.isEmpty(), said.words());
    }

    void versionNamesItsParts() {
        const CliOutcome said = CliWorld().run({"--version"});
        QCOMPARE(said.exitCode, 0);
        for (const char *word :
             {"warpwright 0.", "Qt 6.", "judge protocol 1", "warpwright.evaluation/1", "torch 2."})
            QVERIFY2(said.output.contains(word), said.words());
    }

    void versionIsACommandToo() {
        const CliOutcome said = CliWorld().run({"version"});
        QVERIFY2(said.exitCode == 0 && said.output.startsWith("warpwright 0."), said.words());
    }

    void helpNamesValuesOnce() {
        for (const QStringList &command :
             {QStringList{"show"}, {"tune"}, {"inspect"}, {"replay"}, {"bench", "clock"}}) {
            const CliOutcome said = CliWorld().run(command + QStringList{"--help"});
            QCOMPARE(said.exitCode, 0);
            for (const char *word : {":POSITIVE", ":NUMBER", ":INT", " in ["})
                QVERIFY2(!said.output.contains(word), said.words());
        }
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *name, const QStringList &arguments, const QStringList &words) {
            QTest::newRow(name) << arguments << words;
        };
        row("an unknown option", {"check", "--fast"}, {"--fast", "wright check --help"});
        row("an unknown option before what is missing", {"new", "--lessn=gemm"},
            {"--lessn=gemm", "wright new --help"});
        row("an unknown option in a group", {"bench", "tasks", "--fast"},
            {"--fast", "wright bench tasks --help"});
        row("a group without its verb", {"bench"}, {"wright bench --help"});
        row("half a number", {"tune", "empty", "--iterations", "1.5"},
            {"\"1.5\" is no whole number from 1 on"});
        row("half a token", {"tune", "empty", "--tokens", "1.5"}, {"\"1.5\" is no whole number from 1 on"});
        row("half an iteration", {"findings", "empty", "--iteration", "1.5"},
            {"\"1.5\" is no whole number from 1 on", "wright findings --help"});
        row("too large a number", {"replay", "empty", "--to", "99999999999999999999"},
            {"is no whole number from 1 on"});
        row("for ever", {"tune", "empty", "--minutes", "inf"}, {"\"inf\" is no number above zero"});
        row("a number and a space", {"tune", "empty", "--minutes", "1 "}, {"\"1 \" is no number above zero"});
        row("an unknown command", {"chek"},
            {"there is no command \"chek\" (did you mean check?)", "wright --help"});
        row("a command that is none", {"frobnicate"}, {"there is no command \"frobnicate\". Run"});
        row("a device that is none", {"check", "--device", "gpu"}, {"\"gpu\"", "auto, cpu or cuda:N"});
        row("a tier that is none", {"check", "--tier", "slow"}, {"\"slow\"", "quick or certify"});
        row("a stage without the one before", {"check", "--stages", "profile"},
            {"\"profile\"", "--stages compile"});
        row("show the wrong way round", {"show", "3", "empty"},
            {"ITERATION", "\"empty\" is no number of an iteration", "the workspace comes first"});
        row("show iteration zero", {"show", "empty", "0"}, {"\"0\" is no number of an iteration"});
        row("a limit below zero", {"tune", "empty", "--agent", "playbook", "--minutes", "-1"},
            {"--minutes", "\"-1\" is no number above zero"});
        row("two folders", {"check", "a", "b"}, {"b", "wright check --help"});
        row("no such folder", {"check", "no-such-folder"},
            {"no-such-folder\"", "there is no such file or folder", "model.py"});
        row("a folder without model.py", {"check", "empty"},
            {"/empty\"", "it holds no model.py", "wright new"});
        row("the current folder, without model.py", {"check"}, {"it holds no model.py"});
        row("no Python file", {"check", "notes.txt"}, {"notes.txt\"", "neither a folder nor a Python file"});
        row("a lone file without Model", {"check", "lone.py"}, {"lone.py\"", "does not define Model"});
        row("a broken task.json", {"check", "broken-task"}, {"task.json\"", "TF64", "Correct the file"});
        row("new without a reference", {"new", "w"}, {"--from", "--lesson", "wright new --help"});
        row("new from two", {"new", "w", "--from", "x.py", "--lesson", "gemm"}, {"--lesson", "--from"});
        row("prepare without its request", {"prepare", "--request", "gone.request"}, {"gone.request\""});
        row("prepare with another file", {"prepare", "--request", "notes.txt"},
            {"Cannot use \"", "notes.txt\" as a request"});
        row("new from nothing", {"new", "w", "--from", "gone.py"}, {"gone.py\""});
    }

    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, words);
        CliWorld world;
        QDir(world.folder).mkdir("empty");
        world.write("notes.txt", "x = 1\n");
        world.write("lone.py", "def get_inputs():\n    return []\n\ndef get_init_inputs():\n    return []\n");
        copyFolder(world.workspace("base"), world.path("broken-task"));
        world.write("broken-task/.warpwright/task.json", R"({"allow": ["TF64"]})");
        const CliOutcome said = world.run(arguments);
        QCOMPARE(said.exitCode, 2);
        for (const QString &word : words)
            QVERIFY2(said.errors.contains(word), said.words() + "\nlacks: " + word.toUtf8());
        if (arguments.first() != QLatin1String("check"))
            return;
        // The same for programs: a document that obeys the schema, and the sentence still on standard error.
        const CliOutcome json = world.run(arguments + QStringList{"--json"});
        QCOMPARE(json.exitCode, 2);
        QCOMPARE(json.verdict(), QString("usage"));
        QVERIFY2(json.errors.contains(words.first()), json.words());
        const QString complaints = CliWorld::schemaComplaints(json.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    void aBrokenSettingsFileIsNamed() {
        CliWorld world;
        world.write("config/warpwright/settings.json", "{\"python\": 3}");
        const CliOutcome said = world.run({"check", world.workspace("base")});
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.errors.contains("settings.json\"") && said.errors.contains("\"python\" is no text"),
                 said.words());
    }

    void newFillsAFolderAndOverwritesNothing() {
        CliWorld world;
        const QString lone = world.workspace("lone") + "/problem.py";
        const CliOutcome made = world.run({"new", "made", "--from", lone});
        QVERIFY2(made.exitCode == 0, made.words());
        for (const char *name : {"model.py", "model_new.py", "binding.cpp", "binding_registry.h"})
            QVERIFY2(QFile::exists(world.path(QString("made/") + name)), name);
        QVERIFY2(made.output.contains("wright check made"), made.words());
        world.write("made/model_new.py", "mine\n");
        const CliOutcome again = world.run({"new", "made", "--from", lone});
        QCOMPARE(again.exitCode, 2);
        QVERIFY2(again.errors.contains("made"), again.words());
        QFile mine(world.path("made/model_new.py"));
        QVERIFY(mine.open(QIODevice::ReadOnly));
        QCOMPARE(mine.readAll(), QByteArray("mine\n"));
    }

    void doctorFindsWhatIsHere() {
        const CliOutcome said = CliWorld().run({"doctor"});
        for (const char *word : {"g++", "nvcc", "torch", "judge", "Landlock", "disk", "device cpu"})
            QVERIFY2(said.output.contains(word), said.words());
        const CliOutcome json = CliWorld().run({"doctor", "--json"});
        QCOMPARE(stringIn(json.document, "schema"), QString("warpwright.doctor/1"));
        QVERIFY2(json.document["findings"].size() > 10, json.words());
        QCOMPARE(json.exitCode, json.document["fit"].get<bool>() ? 0 : 2);
    }
};

QObject *makeTestCommandLine() {
    return new TestCommandLine;
}

#include "tst_command_line.moc"
