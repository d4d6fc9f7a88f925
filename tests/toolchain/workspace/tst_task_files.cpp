// SPDX-License-Identifier: GPL-3.0-or-later
// Files as they come: what belongs to a reference.
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "tests/toolchain/workspace/task_texts.h"
#include "toolchain/base/folder_copy.h"
#include "toolchain/text/python_text.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/inputs_hash.h"
#include "toolchain/workspace/kernelbench_folder.h"
#include "toolchain/workspace/task_files.h"
#include "toolchain/workspace/text_refusal.h"
#include "toolchain/workspace/workspace_template.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

namespace {

QStringList namesOf(const std::vector<TaskFile> &files) {
    QStringList names;
    for (const TaskFile &file : files)
        names << file.name;
    return names;
}

QString hashOf(const Workspace &workspace) {
    HashedInputs inputs;
    return addWorkspaceTexts(inputs, workspace).hasValue() ? inputsHash(inputs) : QString();
}

} // namespace

class TestTaskFiles : public QObject {
    Q_OBJECT

private slots:
    void readsWhatAPythonTextNames_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("imports");
        QTest::addColumn<QStringList>("strings");
        const auto row = [](const char *name, const char *text, const QStringList &imports,
                            const QStringList &strings) {
            QTest::newRow(name) << QByteArray(text) << imports << strings;
        };
        row("plain", "import a, b.c as d\n", {"a", "b.c"}, {});
        row("from", "from a.b import c\nfrom . import d, e\nfrom .f import g\n", {"a.b", "d", "e", "f"}, {});
        row("in brackets", "from . import (\n    one,\n    two)\n", {"one", "two"}, {});
        row("after a colon", "try: import fast\nexcept: pass\n", {"fast"}, {});
        row("line ends of Windows", "\xef\xbb\xbfimport a\r\nfrom b import c\r\n", {"b", "a"}, {});
        row("no comment and no string", "# import a\nx = 'import b'\n\"\"\"\nimport c\n\"\"\"\n", {},
            {"import b", "\nimport c\n"});
        row("strings", "open(\"a.json\"); s = 'it\\'s'; r = r'x#y'  # 'no'\n", {},
            {"a.json", "it\\'s", "x#y"});
    }

    void readsWhatAPythonTextNames() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, imports);
        QFETCH(QStringList, strings);
        const PythonText read = readPythonText(text);
        QCOMPARE(read.imports, imports);
        QCOMPARE(read.strings, strings);
        QCOMPARE(read.code.count(QLatin1Char('\n')), text.count('\n'));
    }

    void aTaskNeedsNoInitInputs_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("missing");
        QTest::newRow("all") << reference << QStringList();
        QTest::newRow("CR LF and a mark")
            << "\xef\xbb\xbf" + QByteArray(reference).replace("\n", "\r\n") << QStringList();
        QTest::newRow("blanks at the ends")
            << QByteArray(reference).replace(":\n", ":   \n") << QStringList();
        QTest::newRow("in branches")
            << QByteArray("try:\n    import x\n    class Model:\n        pass\nexcept ImportError:\n"
                          "    class Model:\n        pass\nif x:\n    def get_inputs():\n        pass\n")
            << QStringList();
        QTest::newRow("in a function")
            << QByteArray("def f():\n    if x:\n        class Model:\n            pass\n"
                          "    return get_inputs\n")
            << QStringList{"Model"};
        QTest::newRow("by another name")
            << QByteArray("from b import B\nModel = B\nget_inputs = B.inputs\n") << QStringList();
        QTest::newRow("everything of a neighbour") << QByteArray("from b import *\n") << QStringList();
        QTest::newRow("in a comment")
            << QByteArray("# class Model\n'''\nclass Model:\n'''\n") << QStringList{"Model", "get_inputs"};
        QTest::newRow("a candidate") << candidate << QStringList{"Model", "get_inputs"};
    }

    void aTaskNeedsNoInitInputs() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, missing);
        QCOMPARE(missingTaskNames(text), missing);
    }

    void findsTheNeighboursOfAReference() {
        const Scratch scratch;
        scratch.write("model.py", "import torch, math\nfrom blocks.norms import Norm\nimport settings\n" +
                                      reference + "import model_new\n");
        scratch.write("settings.py", "import json\nS = json.load(open(\"sizes.json\"))\n"
                                     "T = 'tables' + '/' + 'sines.txt'\n");
        scratch.write("sizes.json", "{}");
        scratch.write("tables/sines.txt", "0 1");
        scratch.write("blocks/__init__.py", "");
        scratch.write("blocks/norms.py", "from .deep import x\nimport helper\nn = 'table.csv'\n");
        scratch.write("blocks/deep/__init__.py", "x = 1\n");
        scratch.write("blocks/table.csv", "1,2");
        scratch.write("blocks/__pycache__/norms.pyc", "");
        scratch.write("helper.py", "");
        scratch.write("stranger.py", "");
        scratch.write("notes.json", "{}");
        scratch.write("model_new.py", candidate);
        scratch.write("math.txt", "");
        QCOMPARE(
            namesOf(neighboursOf(scratch.path("model.py"))),
            (QStringList{"blocks/__init__.py", "blocks/deep/__init__.py", "blocks/norms.py",
                         "blocks/table.csv", "helper.py", "settings.py", "sizes.json", "tables/sines.txt"}));
    }

    void aLinkedReferenceHasTheNeighboursOfItsFile() {
        const Scratch scratch;
        scratch.write("from/model.py", "import settings\n" + reference);
        scratch.write("from/settings.py", "");
        QDir().mkpath(scratch.path("w"));
        QVERIFY(QFile::link(scratch.path("from/model.py"), scratch.path("w/model.py")));
        const auto files = neighboursOf(scratch.path("w/model.py"));
        QCOMPARE(namesOf(files), QStringList{"settings.py"});
        QCOMPARE(files.front().path, scratch.path("from/settings.py"));
        // Both where the folder is a workspace and where the file is alone.
        QVERIFY(readCandidateTexts(opened(scratch, "w")).value().count("settings.py") == 1);
        QVERIFY(readCandidateTexts(opened(scratch, "w/model.py")).value().count("settings.py") == 1);
    }

    void aChangedNeighbourIsAChangedTask_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("changed");
        for (const char *path : {"", "model.py"})
            for (const char *changed : {"blocks/norms.py", "sizes.json"})
                QTest::addRow("%s in %s", changed, *path ? path : "a folder")
                    << QString(path) << QString(changed);
    }

    void aChangedNeighbourIsAChangedTask() {
        QFETCH(QString, path);
        QFETCH(QString, changed);
        const Scratch scratch;
        scratch.write("model.py", "from blocks.norms import Norm\ns = open('sizes.json')\n" + reference);
        scratch.write("blocks/norms.py", "Norm = 1\n");
        scratch.write("sizes.json", "{}");
        const Workspace workspace = opened(scratch, path);
        QVERIFY(workspace.isLoneFile == !path.isEmpty());
        const QString inputs = hashOf(workspace);
        const QString text = textHashOf(readCandidateTexts(workspace).value());
        scratch.write("stranger.json", "1");
        QCOMPARE(hashOf(workspace), inputs);
        scratch.write(changed, "Norm = 2\n");
        QVERIFY(hashOf(workspace) != inputs);
        QVERIFY(textHashOf(readCandidateTexts(workspace).value()) != text);
    }

    void aNewWorkspaceTakesTheNeighboursAlong() {
        const Scratch scratch;
        const QString model =
            scratch.write("from/model.py", "import settings\nx = 'sizes.json'\n" + reference);
        scratch.write("from/settings.py", "S = 1\n");
        scratch.write("from/sizes.json", "{\"a\": 1}");
        scratch.write("from/stranger.py", "");
        const QString resources = scratch.folders().resources;
        const auto made = createWorkspace(scratch.path("w"), model, resources);
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        QCOMPARE(textOf(scratch.path("w/settings.py")), QByteArray("S = 1\n"));
        QCOMPARE(textOf(scratch.path("w/sizes.json")), QByteArray("{\"a\": 1}"));
        QVERIFY(!QFileInfo::exists(scratch.path("w/stranger.py")));
        // In its own folder they are there already.
        const auto here = createWorkspace(scratch.path("from"), model, resources);
        QVERIFY2(here.hasValue(), qPrintable(here.message()));
        QVERIFY(!here.value().contains("settings.py") && !here.value().contains("model.py"));
        scratch.write("odd/model.py", "x = 'README.md'\n" + reference);
        scratch.write("odd/README.md", "");
        // A project's own README stays, and is no reason to make none.
        const QString own = scratch.writeModel("own");
        scratch.write("own/README.md", "mine\n");
        const auto beside = createWorkspace(scratch.path("own"), own, resources);
        QVERIFY2(beside.hasValue(), qPrintable(beside.message()));
        QVERIFY(!beside.value().contains("README.md") && beside.value().contains("model_new.py"));
        QCOMPARE(textOf(scratch.path("own/README.md")), QByteArray("mine\n"));
        const auto odd = createWorkspace(scratch.path("v"), scratch.path("odd/model.py"), resources);
        QVERIFY2(odd.message().contains("takes \"README.md\" from beside it"), qPrintable(odd.message()));
        QVERIFY(odd.message().endsWith("Give that file another name."));
    }

    void aConfigurationThatNobodyReadsIsNamed() {
        const Scratch scratch;
        scratch.write("model.py", "x = open('config_used.json')\n" + reference);
        scratch.write("config_used.json", "{}");
        scratch.write("config_forward.json", "{}");
        const QStringList doubts = doubtsOfFiles(opened(scratch));
        QCOMPARE(doubts.size(), 1);
        QVERIFY(doubts.front().startsWith("config_forward.json beside model.py is not read: "));
    }

    void bothModelsMayStandInOneFile_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("model.py") << "model.py";
        QTest::newRow("model_new.py") << "model_new.py";
    }

    void bothModelsMayStandInOneFile() {
        QFETCH(QString, name);
        const Scratch scratch;
        const QString file = scratch.write(name, reference + candidate);
        scratch.write("kernels/a.cpp", "");
        const Workspace workspace = opened(scratch);
        QCOMPARE(workspace.modelFile, file);
        QCOMPARE(workspace.modelNewFile, file);
        QCOMPARE(sourceOfPython(workspace.folder, "model_new.py"), file);
        QVERIFY(
            doubtsOfFiles(workspace).value(0).contains("who may edit the candidate may edit the reference"));
        QVERIFY(!whyNotCheckable(workspace, false));
    }

    void aFolderOfManyListsTasksWithoutInitInputs() {
        const Scratch scratch;
        scratch.write("p/1_Plain.py", reference);
        scratch.write("p/2_Marked.py", "\xef\xbb\xbf" + QByteArray(reference).replace("\n", "\r\n"));
        scratch.write("p/3_Candidate.py", candidate);
        const auto listed = listKernelBench(scratch.path("p"));
        QVERIFY2(listed.hasValue(), qPrintable(listed.message()));
        QCOMPARE(listed.value().problems.size(), std::size_t{2});
        QCOMPARE(listed.value().skipped.size(), 1);
    }

    void linksAreFollowed() {
        const Scratch scratch;
        scratch.write("far/model.py", reference);
        scratch.write("far/kernels/a.cu", "");
        scratch.write("far/kernels/a.cpp", "");
        QDir().mkpath(scratch.path("w"));
        for (const char *name : {"model.py", "kernels"})
            QVERIFY(QFile::link(scratch.path(QString("far/") + name), scratch.path(QString("w/") + name)));
        const Workspace workspace = opened(scratch, "w");
        QCOMPARE(workspace.sources.size(), std::size_t{2});
        QVERIFY(workspace.cudaSourcesWithoutTwin().isEmpty());
        QCOMPARE(readCandidateTexts(workspace).value().size(), std::size_t{3});
        QVERIFY(copyWorkspace(scratch.path("w"), scratch.path("copy")).hasValue());
        QCOMPARE(textOf(scratch.path("copy/model.py")), reference);
        QVERIFY(QFileInfo::exists(scratch.path("copy/kernels/a.cu")));
        // One that leads nowhere is a source that cannot be read, and not no source.
        QVERIFY(QFile::link(scratch.path("nowhere.cu"), scratch.path("far/kernels/b.cu")));
        QCOMPARE(opened(scratch, "w").sources.size(), std::size_t{3});
    }
};

QObject *makeTestTaskFiles() {
    return new TestTaskFiles;
}

#include "tst_task_files.moc"
