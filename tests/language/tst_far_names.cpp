// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/far_names.h"

#include <QTest>

using namespace warpwright;

class TestFarNames : public QObject {
    Q_OBJECT

private slots:
    void namesOfPythonAreFarUnlessTheTextIncludesThem_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isFar");
        const QString torch = QStringLiteral("#include <torch/extension.h>\n");
        const auto row = [](const char *what, const char *name, const char *words, const QString &text,
                            bool isFar) {
            QTest::newRow(what) << QString::fromLatin1(name) << QString::fromLatin1(words) << text << isFar;
        };
        row("a function", "PyThreadState_Get", "From `<pystate.h>`\n\nGet the current", torch, true);
        row("without words", "PyThread_type_lock", "", torch, true);
        row("a macro", "_Py_STRINGIFY", "", torch, true);
        row("torch's own of Python", "THPDevice", "From `<torch/csrc/Device.h>`", torch, true);
        row("a type in small letters", "destructor", "From `<object.h>`", torch, true);
        row("of CUDA", "cudaDestroyTextureObject", "From `<cuda_runtime_api.h>`", torch, false);
        row("of CUDA, without words", "threadIdx", "", torch, false);
        row("of pybind11", "PYBIND11_MODULE", "From `<pybind11/detail/common.h>`", torch, false);
        row("of the candidate", "Pyramid", "From \"pyramid.cuh\"", torch, false);
        row("Python.h is included", "PyThreadState_Get", "From `<pystate.h>`",
            QStringLiteral("  # include <Python.h>\n"), false);
        row("of a header in quotes", "nearest", "From \"pyramid.h\"", torch, false);
        row("its header is included", "destructor", "From `<object.h>`",
            QStringLiteral("#include <object.h>\n"), false);
        row("of x86", "_mm256_add_ps", "From `<avxintrin.h>`", torch, true);
        row("x86 is included", "_mm256_add_ps", "From `<avxintrin.h>`",
            QStringLiteral("#include <immintrin.h>\n"), false);
        row("an include guard", "__SHAINTRIN_H", "", torch, true);
        row("a word of CUDA", "__shfl_xor_sync", "", torch, false);
        row("it is only spoken of", "PyThreadState_Get", "From `<pystate.h>`",
            QStringLiteral("// no #include <Python.h> here\n"), true);
    }
    void namesOfPythonAreFarUnlessTheTextIncludesThem() {
        QFETCH(QString, name);
        QFETCH(QString, words);
        QFETCH(QString, text);
        CompletionItem item;
        item.label = name;
        item.documentation = words;
        Completion completion{{item}, false};
        markFarNames(completion, text);
        QTEST(completion.items.front().isFar, "isFar");
    }
};

QObject *makeTestFarNames() {
    return new TestFarNames;
}

#include "tst_far_names.moc"
