// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/compile_fault.h"

#include <QTest>

using namespace warpwright;

class TestCompileFault : public QObject {
    Q_OBJECT

private slots:
    void tellsTheEnvironmentFromTheText_data() {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("words"); ///< empty: the text is at fault
        const QString nvcc = "/cuda/bin/nvcc";
        const QString gcc = "/usr/bin/g++";
        QTest::newRow("an error in the text")
            << nvcc << recorded("nvcc/undefined-13.0.88.txt") << 2 << 0 << "";
        QTest::newRow("ptxas refuses")
            << nvcc << recorded("ptxas/shared_memory-13.0.88.txt") << 255 << 0 << "";
        QTest::newRow("an own header is missing") << gcc << recorded("gcc/fatal-12.2.0.txt") << 1 << 0 << "";
        QTest::newRow("a header of torch's is missing")
            << gcc
            << QByteArray("/e/torch/include/ATen/cuda/CUDAContextLight.h:7:10: fatal error: cusparse.h: No "
                          "such file or directory\ncompilation terminated.\n")
            << 1 << 0
            << "\"/e/torch/include/ATen/cuda/CUDAContextLight.h\" includes \"cusparse.h\", which is not "
               "installed";
        QTest::newRow("odd words")
            << nvcc << QByteArray("sh: 1: cicc: not found\n") << 127 << 0
            << "\"/cuda/bin/nvcc\" ended with exit code 127, and it said \"sh: 1: cicc: not found\"";
        QTest::newRow("no words") << gcc << QByteArray() << 1 << 0
                                  << "\"/usr/bin/g++\" ended with exit code 1, and it said nothing";
        QTest::newRow("an architecture") << nvcc << recorded("nvcc/arch-13.0.88.txt") << 1 << 0
                                         << "refuses: Unsupported gpu architecture 'compute_10'";
        QTest::newRow("an option") << gcc << recorded("gcc/option-12.2.0.txt") << 1 << 0
                                   << "refuses: unrecognized command-line option";
        QTest::newRow("a part of g++ is missing")
            << gcc
            << QByteArray("g++: fatal error: cannot execute 'cc1plus': execvp: No such file or "
                          "directory\ncompilation terminated.\n")
            << 1 << 0 << "refuses: cannot execute 'cc1plus'";
        QTest::newRow("a library is missing")
            << gcc
            << QByteArray("/usr/bin/ld: cannot find -lc10: No such file or directory\ncollect2: error: ld "
                          "returned 1 exit status\n")
            << 1 << 0 << "refuses: cannot find -lc10";
        QTest::newRow("a symbol is missing") << gcc << recorded("ld/undefined-2.40.txt") << 1 << 0 << "";
        QTest::newRow("killed") << gcc << QByteArray() << 0 << 9
                                << "was ended by signal 9 (Killed). It probably ran out of memory";
        QTest::newRow("crashed") << nvcc << QByteArray() << 0 << 11 << "was ended by signal 11";
        QTest::newRow("a part of g++ was killed")
            << gcc
            << QByteArray(
                   "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n")
            << 1 << 0 << "ran out of memory";
        QTest::newRow("a part of nvcc was killed")
            << nvcc << QByteArray("nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n") << 9 << 0
            << "ran out of memory";
        QTest::newRow("disk: g++ writes assembly")
            << gcc
            << QByteArray("big.cpp:5:104: fatal error: error writing to /t/cc.s: No space left on device\n")
            << 1 << 0 << "No space left on device, in \"/tmp\". Free some space";
        QTest::newRow("disk: as writes an object")
            << gcc
            << QByteArray("/t/cc.s: Fatal error: can't write 3887 bytes to section .debug_info of x.o: 'No "
                          "space left on device'\n")
            << 1 << 0 << "No space left on device";
        QTest::newRow("disk: ld") << gcc
                                  << QByteArray("/usr/bin/ld: final link failed: No space left on "
                                                "device\ncollect2: error: ld returned 1 exit status\n")
                                  << 1 << 0 << "No space left on device";
    }

    void tellsTheEnvironmentFromTheText() {
        QFETCH(QString, tool);
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        ProcessOutcome outcome;
        outcome.standardError = text;
        QFETCH(int, exitCode);
        QFETCH(int, signal);
        outcome.exitCode = exitCode;
        outcome.signal = signal;
        const CompileAct act{"compile \"kernels/x.cu\"", tool, "/ws", {"/tmp"}, false};
        const QString message = environmentFault(act, outcome, parseDiagnostics(text, "/ws"));
        QCOMPARE(message.isEmpty(), words.isEmpty());
        QVERIFY2(message.contains(words), qPrintable(message));
        if (!words.isEmpty())
            QVERIFY(message.startsWith("Cannot compile \"kernels/x.cu\": "));
    }

    void blamesTheTextForItsOwnFlags() {
        const QByteArray text = recorded("nvcc/option-13.0.88.txt");
        ProcessOutcome outcome;
        outcome.exitCode = 1;
        outcome.standardError = text;
        CompileAct act{"compile \"x.cu\"", "/cuda/bin/nvcc", "/ws", {"/tmp"}, true};
        QVERIFY(environmentFault(act, outcome, parseDiagnostics(text, "/ws")).isEmpty());
        act.hasUserFlags = false;
        QVERIFY(!environmentFault(act, outcome, parseDiagnostics(text, "/ws")).isEmpty());
    }
};

QObject *makeTestCompileFault() {
    return new TestCompileFault;
}

#include "tst_compile_fault.moc"
