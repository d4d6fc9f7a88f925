// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/environment/cuda_toolkit.h"

#include <QTest>

using namespace warpwright;

class TestCudaToolkit : public QObject {
    Q_OBJECT

private slots:
    void looksInOrder() {
        const Scratch scratch;
        for (const char *name : {"home", "onPath", "wheels"}) {
            scratch.writeProgram(QLatin1String(name) + "/bin/nvcc", "");
            scratch.write(QLatin1String(name) + "/include/cuda_runtime.h", "");
        }
        QProcessEnvironment environment;
        environment.insert("CUDA_HOME", scratch.path("home"));
        environment.insert("CUDA_PATH", scratch.path("no-such"));
        environment.insert("PATH", "/no/such:" + scratch.path("onPath/bin") + ":" + scratch.path("home/bin"));
        auto places = findCudaPlaces({}, environment, scratch.path("wheels"));
        std::erase_if(places, [](const CudaPlace &place) { return place.source == "/usr/local/cuda"; });
        QCOMPARE(places.size(), std::size_t(3));
        QCOMPARE(places[0], (CudaPlace{scratch.path("home"), scratch.path("home/bin/nvcc"), "CUDA_HOME"}));
        QCOMPARE(places[1].source, QStringLiteral("PATH"));
        QCOMPARE(places[1].root, scratch.path("onPath"));
        QCOMPARE(places[2].source, QStringLiteral("the Python environment"));

        // What a person named is not passed over in silence.
        const auto named = findCudaPlaces(scratch.path("no-such"), environment, {});
        QCOMPARE(named[0],
                 (CudaPlace{scratch.path("no-such"), scratch.path("no-such/bin/nvcc"), "the settings file"}));
    }

    void findsTheToolkitBehindALink() {
        const Scratch scratch;
        scratch.writeProgram("cuda/bin/nvcc", "");
        scratch.write("cuda/include/cuda_runtime.h", "");
        scratch.write("usr/bin/other", "");
        QVERIFY(QFile::link(scratch.path("cuda/bin/nvcc"), scratch.path("usr/bin/nvcc")));
        QProcessEnvironment environment;
        environment.insert("PATH", scratch.path("usr/bin"));
        QCOMPARE(findCudaPlaces({}, environment, {}).at(0).root, scratch.path("cuda"));
    }

    void readsTheVersion() {
        const Scratch scratch;
        scratch.writeProgram("bin/ptxas", "");
        scratch.write("lib/x", "");
        const CudaPlace place{scratch.path(), scratch.path("bin/nvcc"), "PATH"};
        const auto toolkit = readCudaToolkit(
            place, "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 13.0, V13.0.88\n",
            "sm_75\nsm_90\n\nsm_121\n");
        QVERIFY(toolkit.hasValue());
        QCOMPARE(toolkit.value().version, QStringLiteral("13.0.88"));
        QCOMPARE(toolkit.value().majorVersion(), 13);
        QCOMPARE(toolkit.value().architectures, (QStringList{"sm_75", "sm_90", "sm_121"}));
        QCOMPARE(toolkit.value().libraryFolders, QStringList{scratch.path("lib")});
        QCOMPARE(toolkit.value().ptxas, scratch.path("bin/ptxas"));
        QVERIFY(toolkit.value().cuobjdump.isEmpty());
    }

    void quotesAnNvccThatSaysSomethingElse() {
        const auto toolkit =
            readCudaToolkit({"/c", "/c/bin/nvcc", "CUDA_HOME"}, "nvcc: license expired\n", {});
        QVERIFY(!toolkit.hasValue());
        QVERIFY2(
            toolkit.message().startsWith("Cannot use the CUDA compiler \"/c/bin/nvcc\" (from CUDA_HOME): it "
                                         "answered --version with \"nvcc: license expired\"."),
            qPrintable(toolkit.message()));
    }
};

QObject *makeTestCudaToolkit() {
    return new TestCudaToolkit;
}

#include "tst_cuda_toolkit.moc"
