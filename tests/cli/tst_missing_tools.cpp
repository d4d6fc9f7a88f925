// SPDX-License-Identifier: GPL-3.0-or-later
// A machine that lacks something, and a candidate that does not compile: what compile alone can find out.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <unistd.h>

using namespace warpwright;

class TestMissingTools : public QObject {
    Q_OBJECT

private:
    static void verify(const CliOutcome &said, int exitCode, const QString &verdict,
                       const QStringList &words) {
        QVERIFY2(said.exitCode == exitCode, said.words());
        QVERIFY2(said.verdict() == verdict, said.words());
        const OrderedJson message = said.document["message"];
        const QString text = stringIn(message, "what") + stringIn(message, "thing") +
                             stringIn(message, "why") + stringIn(message, "advice");
        for (const QString &word : words)
            QVERIFY2(text.contains(word), said.words() + "\nlacks: " + word.toUtf8());
        const QString complaints = CliWorld::schemaComplaints(said.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void gccIsMissing() {
        CliWorld world;
        QDir(world.folder).mkdir("bin");
        world.environment.insert("PATH", world.path("bin"));
        verify(world.run({"check", world.workspace("base"), "--device", "cpu", "--json"}), 2, "environment",
               {"g++", "apt"});
    }

    void gccIsBroken() {
        CliWorld world;
        world.environment.insert(
            "CXX",
            world.write("g++", "#!/bin/sh\necho 'g++: internal error: it is Friday' >&2\nexit 4\n", true));
        verify(world.run({"check", world.workspace("base"), "--device", "cpu", "--json"}), 2, "environment",
               {world.path("g++")});
    }

    void aCompilerThatFailsWithoutAReadableError() {
        // It answers --version, then dies as on a machine that ran out of something.
        CliWorld world;
        world.environment.insert("CXX",
                                 world.write("g++",
                                             "#!/bin/sh\ncase \"$*\" in *-c\\ *) echo 'it is Friday' >&2; "
                                             "exit 4;; *) exec /usr/bin/g++ \"$@\";; esac\n",
                                             true));
        const CliOutcome said = world.run({"check", world.workspace("base"), "--device", "cpu", "--json"});
        verify(said, 2, "environment", {"Friday", "exit code 4"});
    }

    void nvccIsBroken() {
        CliWorld world;
        world.write("cuda/bin/nvcc", "#!/bin/sh\necho 'nvcc: cannot find cicc' >&2\nexit 1\n", true);
        world.write("config/warpwright/settings.json",
                    QStringLiteral("{\"cuda\": \"%1\"}").arg(world.path("cuda")).toUtf8());
        verify(world.run({"check", world.workspace("cuda-agent"), "--device", "cpu", "--json"}), 2,
               "environment", {world.path("cuda")});
    }

    void nvccIsMissing() {
        CliWorld world;
        world.write("config/warpwright/settings.json",
                    QStringLiteral("{\"cuda\": \"%1\"}").arg(world.path("nowhere")).toUtf8());
        verify(world.run({"check", world.workspace("cuda-agent"), "--device", "cpu", "--json"}), 2,
               "environment", {world.path("nowhere")});
    }

    void pythonIsMissing() {
        CliWorld world;
        const QString folder = world.workspace("base");
        verify(world.run({"check", folder, "--python", "/no/python", "--json"}), 2, "environment",
               {"/no/python", "--python"});
        // Nothing of the text was tried, so there is nothing to remember of it.
        const CliOutcome log = world.run({"log", folder});
        QVERIFY2(log.output.contains("No iterations yet."), log.words());
    }

    void torchIsMissing() {
        CliWorld world;
        const QString python = world.pythonWithTorch("none", "");
        QVERIFY(QDir(QFileInfo(python).path() + "/../lib/" +
                     QDir(QFileInfo(python).path() + "/../lib").entryList({"python3*"}).value(0) +
                     "/site-packages/torch")
                    .removeRecursively());
        verify(world.run({"check", world.workspace("base"), "--python", python, "--json"}), 2, "environment",
               {python, "no torch", "pip install"});
    }

    void torchIsTooOld() {
        CliWorld world;
        const QString python = world.pythonWithTorch("2.1.2", "");
        verify(world.run({"check", world.workspace("base"), "--python", python, "--json"}), 2, "environment",
               {python, "2.1.2", "2.6", "pip install"});
    }

    void torchHasNoCuda() {
        CliWorld world;
        const QString python = world.pythonWithTorch("2.11.0+cpu", "");
        verify(
            world.run({"check", world.workspace("base"), "--python", python, "--device", "cuda:0", "--json"}),
            2, "environment", {python, "built without CUDA", "--device cpu"});
    }

    void theDiskIsFull() {
        if (geteuid() != 0)
            QSKIP("only root may mount a file system of 1 MiB");
        CliWorld world;
        const QString small = world.path("small");
        QDir().mkpath(small);
        if (QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=1m", "tmpfs", small}) != 0)
            QSKIP("mounting is not allowed here");
        world.environment.insert("XDG_CACHE_HOME", small);
        const CliOutcome said =
            world.run({"check", world.workspace("base"), "--device", "cpu", "--stages", "compile", "--json"});
        QProcess::execute("umount", {"-l", small});
        verify(said, 2, "environment", {small});
        QVERIFY2(said.errors.contains("full") || said.errors.contains("No space"), said.words());
    }

    void aCandidateThatDoesNotCompile() {
        CliWorld world;
        const QString folder = world.workspace("twin-does-not-compile");
        const CliOutcome said =
            world.run({"check", folder, "--device", "cpu", "--stages", "compile", "--json"});
        verify(said, 3, "build-failed", {folder, "1 error"});
        QCOMPARE(said.document["reward"].get<int>(), -1);
        const OrderedJson first = said.document["compile"]["diagnostics"][0];
        QCOMPARE(stringIn(first, "file"), QString("kernels/gate.cpp"));
        QCOMPARE(first["line"].get<int>(), 8);
        const CliOutcome text = world.run({"check", folder, "--device", "cpu", "--stages", "compile"});
        QVERIFY2(text.output.contains("kernels/gate.cpp:8:") &&
                     text.output.contains("build-failed, reward -1"),
                 text.words());
    }

    void compileAloneIsNoPass() {
        CliWorld world;
        const CliOutcome said =
            world.run({"check", world.workspace("base"), "--device", "cpu", "--stages", "compile", "--json"});
        verify(said, 4, "not-run", {"only compile was asked for"});
        QVERIFY(said.document["reward"].is_null());
        QCOMPARE(stringIn(said.document["compile"], "status"), QString("passed"));
        QCOMPARE(said.document["compile"]["kernels"].size(), std::size_t(1));
    }

    void aWorkspaceOfCudaAgentIsNotTouched() {
        CliWorld world;
        const QString folder = world.workspace("cuda-agent");
        const auto listed = [&folder] {
            QProcess process;
            process.start(
                "sh",
                {"-c",
                 "cd \"$0\" && find . -path ./.warpwright -prune -o -type f -print | sort | xargs sha256sum",
                 folder});
            process.waitForFinished();
            return process.readAllStandardOutput();
        };
        const QByteArray before = listed();
        const CliOutcome said = world.run({"check", folder, "--device", "cpu", "--json"});
        verify(said, 4, "not-run", {"no CUDA device: not run", "blend.cu"});
        QCOMPARE(listed(), before);
        QCOMPARE(stringIn(said.document["compile"], "status"), QString("passed"));
        QCOMPARE(stringIn(said.document["verify"], "status"), QString("not-run"));
        QVERIFY(said.document["workspace"]["hasUtils"].get<bool>());
        QCOMPARE(said.document["compile"]["kernels"].size(), std::size_t(2));
    }
};

QObject *makeTestMissingTools() {
    return new TestMissingTools;
}

#include "tst_missing_tools.moc"
