// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QTest>

#include <unistd.h>

using namespace warpwright;

class TestWorkspace : public QObject {
    Q_OBJECT

private slots:
    void opensAFolderInCudaAgentsLayout() {
        const Scratch scratch;
        scratch.writeModel();
        for (const char *name : {"model_new.py", "binding.cpp", "binding_registry.h", "kernels/a.cu",
                                 "kernels/a.cpp", "kernels/b.cu", "kernels/a_binding.cpp",
                                 "kernels/deeper/c.cu", "utils/compile.py", "kernels/notes.txt"})
            scratch.write(QLatin1String(name), "x");
        const auto opened = Workspace::open(scratch.path() + "/", scratch.folders());
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        const Workspace &workspace = opened.value();
        QCOMPARE(workspace.folder, scratch.path());
        QCOMPARE(workspace.modelFile, scratch.path("model.py"));
        QCOMPARE(workspace.modelNewFile, scratch.path("model_new.py"));
        QCOMPARE(workspace.state, scratch.path(".warpwright"));
        QVERIFY(workspace.hasUtils && !workspace.isLoneFile);
        const std::vector<SourceFile> expected = {{"binding.cpp", SourceKind::Cpp},
                                                  {"kernels/a.cpp", SourceKind::Twin},
                                                  {"kernels/a.cu", SourceKind::Cuda},
                                                  {"kernels/a_binding.cpp", SourceKind::Cpp},
                                                  {"kernels/b.cu", SourceKind::Cuda}};
        QCOMPARE(workspace.sources, expected);
        QCOMPARE(workspace.cudaSourcesWithoutTwin(), QStringList{"kernels/b.cu"});
        QCOMPARE(workspace.task, TaskSettings());
        QVERIFY(!QDir(workspace.state).exists()); // opening changes nothing
        QCOMPARE(Workspace::open(scratch.path("model.py"), scratch.folders()).value(), workspace);
    }

    void opensALoneFile() {
        const Scratch scratch;
        const QString file =
            scratch.write("19_ReLU.py", "import torch\nclass Model(torch.nn.Module): pass\ndef get_inputs(): "
                                        "return []\ndef get_init_inputs(): return []\n");
        scratch.write("other.cu", "not mine");
        const auto opened = Workspace::open(file, scratch.folders());
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        QVERIFY(opened.value().isLoneFile);
        QCOMPARE(opened.value().name, QStringLiteral("19_ReLU"));
        QVERIFY(opened.value().sources.empty());
        QVERIFY(opened.value().modelNewFile.isEmpty());
        QVERIFY(opened.value().state.startsWith(scratch.path("data/workspaces/")));
    }

    void keepsItsStateElsewhereWhereItMayNotWrite() {
        if (geteuid() == 0)
            QSKIP("root may write everywhere");
        const Scratch scratch;
        scratch.writeModel("ro");
        QFile::setPermissions(scratch.path("ro"), QFileDevice::ReadOwner | QFileDevice::ExeOwner);
        QVERIFY(Workspace::open(scratch.path("ro"), scratch.folders())
                    .value()
                    .state.startsWith(scratch.path("data/workspaces/")));
        QFile::setPermissions(scratch.path("ro"),
                              QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }

    void readsTheHistoryWhereItMayNotWrite() {
        if (geteuid() == 0)
            QSKIP("root may write everywhere");
        const Scratch scratch;
        scratch.writeModel("ro");
        scratch.write("ro/.warpwright/history.git/HEAD", "ref: refs/heads/iteration-1\n");
        const QString state = scratch.path("ro/.warpwright");
        QFile::setPermissions(state, QFileDevice::ReadOwner | QFileDevice::ExeOwner);
        const auto stateNow = [&scratch] {
            return Workspace::open(scratch.path("ro"), scratch.folders()).value().state;
        };
        const QString read = stateNow();
        // What was kept elsewhere already goes on there.
        QFile::setPermissions(state,
                              QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
        QVERIFY(QDir(state + "/history.git").removeRecursively());
        QFile::setPermissions(state, QFileDevice::ReadOwner | QFileDevice::ExeOwner);
        const QString elsewhere = stateNow();
        QFile::setPermissions(state,
                              QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
        QCOMPARE(read, state);
        QVERIFY2(elsewhere.startsWith(scratch.path("data/workspaces/")), qPrintable(elsewhere));
    }

    void readsTheTaskSettings() {
        const Scratch scratch;
        scratch.writeModel();
        scratch.write(
            ".warpwright/task.json",
            R"({"allow": ["FP32"], "flags": {"nvcc": ["-maxrregcount=64"], "cxx": ["-g"]}, "architecture": "sm_120a", "mode": "train", "more": 1})");
        const TaskSettings task = Workspace::open(scratch.path(), scratch.folders()).value().task;
        QCOMPARE(task.allow, QStringList{"FP32"});
        QCOMPARE(task.nvccFlags, QStringList{"-maxrregcount=64"});
        QCOMPARE(task.cxxFlags, QStringList{"-g"});
        QVERIFY(task.trains);
        QCOMPARE(task.architecture, QStringLiteral("sm_120a"));
    }

    void saysWhatIsWrongWithTheTaskSettings_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("no JSON") << QByteArray("{") << "parse error";
        QTest::newRow("no object") << QByteArray("3") << "it is no JSON object";
        QTest::newRow("unknown precision") << QByteArray(R"({"allow": ["FP31"]})") << "\"FP31\"";
        QTest::newRow("nothing allowed") << QByteArray(R"({"allow": []})") << "\"allow\" is empty";
        QTest::newRow("no mode") << QByteArray(R"({"mode": "training"})")
                                 << "\"mode\" is neither \"eval\" nor \"train\"";
        QTest::newRow("allow is a text")
            << QByteArray(R"({"allow": "FP32"})") << "\"allow\" is no list of texts";
        QTest::newRow("flags are a list") << QByteArray(R"({"flags": ["-g"]})") << "\"flags\" is no object";
        QTest::newRow("flags of nvcc are a text")
            << QByteArray(R"({"flags": {"nvcc": "-g"}})") << "\"flags.nvcc\" is no list of texts";
        QTest::newRow("odd architecture")
            << QByteArray(R"({"architecture": "hopper"})") << "has not the form \"sm_90a\"";
    }

    void saysWhatIsWrongWithTheTaskSettings() {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        const Scratch scratch;
        scratch.writeModel();
        const QString file = scratch.write(".warpwright/task.json", text);
        const auto opened = Workspace::open(scratch.path(), scratch.folders());
        QVERIFY(!opened.hasValue());
        QVERIFY2(opened.message().contains(words) && opened.message().contains(file),
                 qPrintable(opened.message()));
    }

    void saysWhatCannotBeOpened_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing there") << "nowhere"
                                       << "there is no such file or folder";
        QTest::newRow("an empty folder") << "empty"
                                         << "it holds no model.py";
        QTest::newRow("model.py is a folder") << "odd"
                                              << "it holds no model.py";
        QTest::newRow("not Python") << "text.txt"
                                    << "it is neither a folder nor a Python file";
        QTest::newRow("some other Python") << "other.py"
                                           << "the file does not define Model, get_inputs";
        QTest::newRow("half a task") << "half.py"
                                     << "the file does not define get_inputs";
    }

    void saysWhatCannotBeOpened() {
        QFETCH(QString, name);
        QFETCH(QString, words);
        const Scratch scratch;
        QDir(scratch.path()).mkpath("empty");
        QDir(scratch.path()).mkpath("odd/model.py");
        scratch.write("text.txt", "class Model: pass");
        scratch.write("other.py", "print(1)\n");
        scratch.write("half.py", "class Model:\n    pass\n");
        const auto opened = Workspace::open(scratch.path(name), scratch.folders());
        QVERIFY(!opened.hasValue());
        QVERIFY2(opened.message().startsWith(
                     QStringLiteral("Cannot open the workspace \"%1\": %2. ").arg(scratch.path(name), words)),
                 qPrintable(opened.message()));
    }
};

QObject *makeTestWorkspace() {
    return new TestWorkspace;
}

#include "tst_workspace.moc"
