// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/setup/environment_setup.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace warpwright;

namespace {

/// Stands in for python3: makes an environment whose python is itself, and does as $BEHAVE says.
const char *fakePython = R"sh(#!/bin/sh
case "$*" in
*sys.version*) echo "3.11.2 (fake)"; exit 0 ;;
*"-m venv"*)
    [ "$BEHAVE" != no-venv ] || { echo "The virtual environment was not created successfully because ensurepip is not"
        echo "available.  On Debian/Ubuntu systems, you need to install the python3-venv package"
        echo "ensurepip is not available."; exit 1; }
    for folder; do :; done
    mkdir -p "$folder/bin" && cp "$0" "$folder/bin/python" && : > "$folder/pyvenv.cfg"; exit ;;
*"pip --version"*) echo "pip 23"; exit 0 ;;
*"pip install"*)
    echo "Collecting torch==2.11.0"
    case $BEHAVE in
    network) echo "WARNING: Retrying: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"
        echo "ERROR: No matching distribution found for torch==2.11.0" ; exit 1 ;;
    disk) echo "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"; exit 1 ;;
    wheel) echo "ERROR: No matching distribution found for torch==2.11.0"; exit 1 ;;
    silent) printf '\n'; exit 3 ;;
    killed) kill -9 $$ ;;
    hang) echo $$ > "$PID_FILE"; sleep 100 ;;
    esac
    exit 0 ;;
*"import torch"*)
    [ "$BEHAVE" != no-torch ] || { echo "ImportError: libcudart.so.13: cannot open shared object file"; exit 1; }
    echo "torch 2.11.0"; exit 0 ;;
esac
exit 9
)sh";

struct World {
    explicit World(const QString &behaviour = {}) {
        request.folders = scratch.folders();
        request.requirements =
            scratch.write("requirements.txt", "# wheels\ntorch==2.11.0   # pinned\n\nnumpy\n");
        request.basePython = scratch.writeProgram("python3", fakePython);
        request.neededBytes = 0;
        request.environment.insert("BEHAVE", behaviour);
        request.environment.insert("PID_FILE", scratch.path("pid"));
    }
    Scratch scratch;
    EnvironmentSetup::Request request;
    [[nodiscard]] QString folder() const { return request.folders.pythonEnvironment; }
};

struct Run {
    explicit Run(const EnvironmentSetup::Request &request, int limitMs = 10000) : setup(request) {
        QObject::connect(&setup, &EnvironmentSetup::progress, &setup, [this](const EnvironmentProgress &now) {
            if (stages.isEmpty() || stages.back() != now.stage)
                stages << now.stage;
            lines << now.line;
        });
        setup.start();
        if (limitMs > 0)
            wait(limitMs);
    }
    void wait(int limitMs) {
        (void)QTest::qWaitFor([this] { return finished.size() + failed.size() > 0; }, limitMs);
    }
    [[nodiscard]] QString message() const { return failed.isEmpty() ? QString() : failed[0][0].toString(); }

    EnvironmentSetup setup;
    QSignalSpy finished{&setup, &EnvironmentSetup::finished};
    QSignalSpy failed{&setup, &EnvironmentSetup::failed};
    QStringList stages;
    QStringList lines;
};

} // namespace

class TestEnvironmentSetup : public QObject {
    Q_OBJECT

private slots:
    void goesThroughItsStagesOnce() {
        const World world;
        Run first(world.request);
        QVERIFY2(first.failed.isEmpty(), qPrintable(first.message()));
        QCOMPARE(first.finished[0][0].toString(), world.folder() + "/bin/python");
        QCOMPARE(first.stages, (QStringList{"look at what is there", "make a virtual environment",
                                            "install the wheels", "try whether torch loads"}));
        QVERIFY(first.lines.contains("Collecting torch==2.11.0"));
        QVERIFY(textOf(first.setup.log()).contains("torch 2.11.0"));
        // The stamp that packaging/start writes and looks for.
        QProcess shell;
        shell.start("sh",
                    {"-c", "printf 'torch==2.11.0\\nnumpy\\n3.11.2 (fake)\\n' | sha256sum | cut -c 1-32"});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(textOf(world.folder() + "/.stamp-requirements"), shell.readAllStandardOutput());

        const Run second(world.request);
        QCOMPARE(second.finished.size(), 1);
        QCOMPARE(second.stages, QStringList{"look at what is there"});
        // Other wheels: only what is missing is done again.
        world.scratch.write("requirements.txt", "torch==2.12.0\n");
        const Run third(world.request);
        QCOMPARE(third.stages,
                 (QStringList{"look at what is there", "install the wheels", "try whether torch loads"}));
    }

    void saysWhatFailed_data() {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("advice");
        QTest::newRow("no network")
            << "network"
            << "Cannot install the wheels into the Python environment"
            << "the network, or the host that has the wheels, cannot be reached. Check the "
               "network and start again: what was fetched is kept.";
        QTest::newRow("a full disk") << "disk"
                                     << "Cannot install the wheels"
                                     << "the disk is full. Free some space";
        QTest::newRow("no such wheel") << "wheel"
                                       << "Cannot install the wheels"
                                       << "No matching distribution found for torch==2.11.0. This Python";
        QTest::newRow("no venv") << "no-venv"
                                 << "Cannot make the Python environment"
                                 << "venv is missing. Run: sudo apt-get install -y python3-venv";
        QTest::newRow("silence")
            << "silent"
            << "Cannot install the wheels"
            << "failed without a reason, after the line \"Collecting torch==2.11.0\". Start again";
        QTest::newRow("killed") << "killed"
                                << "Cannot install the wheels"
                                << "as happens when memory runs out";
        QTest::newRow("torch does not load") << "no-torch"
                                             << "Cannot load torch in the Python environment"
                                             << "ImportError: libcudart.so.13";
    }

    void saysWhatFailed() {
        QFETCH(QString, behaviour);
        QFETCH(QString, begin);
        QFETCH(QString, advice);
        World world(behaviour);
        Run run(world.request);
        QCOMPARE(run.failed.size(), 1);
        QCOMPARE(run.finished.size(), 0);
        QVERIFY2(run.message().startsWith(begin) && run.message().contains(world.folder()) &&
                     run.message().contains(advice) && run.message().contains(run.setup.log()),
                 qPrintable(run.message()));
        QVERIFY(!QFileInfo::exists(world.folder() + "/.stamp-requirements"));
        // Once the cause is gone, it goes on.
        world.request.environment.insert("BEHAVE", "");
        const Run again(world.request);
        QCOMPARE(again.finished.size(), 1);
    }

    void refusesToBegin_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("a folder of somebody else") << "folder"
                                                   << "it is left alone";
        QTest::newRow("no Python") << "python"
                                   << "Run: sudo apt-get install -y python3 python3-venv python3-dev";
        QTest::newRow("no list of wheels") << "requirements"
                                           << "No such file or directory";
        QTest::newRow("too small a disk") << "disk"
                                          << "it needs 900000000.0 GB, and the disk has";
        QTest::newRow("another one at work") << "lock"
                                             << "Another set-up is at work";
    }

    void refusesToBegin() {
        QFETCH(QString, what);
        QFETCH(QString, words);
        World world;
        int lock = -1;
        if (what == "folder")
            world.scratch.write("data/env/thesis.tex", "");
        if (what == "python")
            world.request.basePython = "/no/such/python3";
        if (what == "requirements")
            world.request.requirements = "/no/such/requirements.txt";
        if (what == "disk")
            world.request.neededBytes = 900'000'000'000'000'000;
        if (what == "lock") {
            QDir().mkpath(world.request.folders.data);
            lock = ::open(QFile::encodeName(world.folder() + ".lock").constData(),
                          O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            QVERIFY(::flock(lock, LOCK_EX | LOCK_NB) == 0);
        }
        const Run run(world.request);
        if (lock >= 0)
            ::close(lock);
        QCOMPARE(run.failed.size(), 1);
        QVERIFY2(run.message().contains(words), qPrintable(run.message()));
    }

    void stopsWhenAsked() {
        const World world("hang");
        Run run(world.request, 0);
        const qint64 pid = pidFrom(world.scratch.path("pid"));
        QVERIFY(pid > 0);
        run.setup.cancel();
        run.wait(5000);
        QCOMPARE(run.failed.size(), 1);
        QVERIFY(run.setup.wasCancelled());
        QCOMPARE(run.message(),
                 QString("The set-up was stopped. Start it again, and it goes on where it was."));
        QTRY_VERIFY(!isAlive(pid));
        // At once, too.
        EnvironmentSetup early(world.request);
        const QSignalSpy failed(&early, &EnvironmentSetup::failed);
        early.start();
        early.cancel();
        QTRY_COMPARE(failed.size(), 1);
    }

    void installsARealWheel() {
        QProcess look;
        look.start("/usr/bin/python3", {"-I", "-c", "import venv, ensurepip"});
        NEED_TOOL(look.waitForStarted() && look.waitForFinished() && look.exitCode() == 0, "python3-venv");
        World world;
        world.request.basePython = "/usr/bin/python3";
        world.request.tryCode = "import tinywheel; print('tinywheel', tinywheel.answer)";
        world.request.environment.insert("PIP_NO_INDEX", "1");
        world.request.environment.remove("PIP_FIND_LINKS");
        const QString wheel = world.scratch.path("tinywheel-1.0-py3-none-any.whl");
        QProcess maker;
        maker.start("/usr/bin/python3", {"-I", "-c", R"(
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    info = "tinywheel-1.0.dist-info/"
    wheel.writestr("tinywheel.py", "answer = 42\n")
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: tinywheel\nVersion: 1.0\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(info + "RECORD", f"tinywheel.py,,\n{info}METADATA,,\n{info}WHEEL,,\n{info}RECORD,,\n")
)",
                                         wheel});
        QVERIFY(maker.waitForFinished() && maker.exitCode() == 0);
        world.scratch.write("requirements.txt", wheel.toUtf8() + "\n");
        Run run(world.request, 60000);
        QVERIFY2(run.failed.isEmpty(), qPrintable(run.message()));
        QCOMPARE(run.finished.size(), 1);
        QVERIFY(textOf(run.setup.log()).contains("tinywheel 42"));

        // A wheel that was cut off while it was unpacked: pip takes it for installed, we do not.
        QFile::remove(world.folder() + "/.stamp-requirements");
        QProcess find;
        find.start(run.finished[0][0].toString(),
                   {"-I", "-c", "import tinywheel; print(tinywheel.__file__)"});
        QVERIFY(find.waitForFinished());
        world.scratch.write("requirements.txt", "# again\n" + wheel.toUtf8() + "\n");
        QVERIFY(QFile::remove(QString::fromUtf8(find.readAllStandardOutput()).trimmed()));
        const Run again(world.request, 60000);
        QVERIFY2(again.failed.isEmpty(), qPrintable(again.message()));
        QVERIFY2(again.finished.size() == 1, qPrintable(again.stages.join(", ")));
    }
};

QObject *makeTestEnvironmentSetup() {
    return new TestEnvironmentSetup;
}

#include "tst_environment_setup.moc"
