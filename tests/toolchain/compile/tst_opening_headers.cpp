// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/opening_headers.h"

#include <QTest>

using namespace warpwright;

class TestOpeningHeaders : public QObject {
    Q_OBJECT

private slots:
    void followsWhatStandsAtTheTop_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QStringList>("headers");
        const QString types = QStringLiteral("torch/types.h");
        const QString pybind = QStringLiteral("torch/csrc/utils/pybind.h");
        const QString variable = QStringLiteral("torch/csrc/autograd/python_variable.h");
        const QString extension = QStringLiteral("torch/extension.h");
        const auto row = [](const char *name, const char *source, const QStringList &headers) {
            QTest::newRow(name) << QByteArray(source) << headers;
        };
        row("none", "int x;\n", {});
        row("one", "#include <torch/types.h>\n", {types});
        row("in quotes", "#include \"torch/types.h\"\n", {types});
        row("two", "#include <torch/csrc/utils/pybind.h>\n#include <torch/types.h>\n", {types, pybind});
        row("the widest alone",
            "#include <torch/types.h>\n#include <torch/csrc/utils/pybind.h>\n#include "
            "<torch/extension.h>\n",
            {extension});
        row("after comments", "// a\n/* b\n */\n#pragma once\n#include <torch/types.h> // c\n", {types});
        row("after standard headers",
            "#include <vector>\n#include <cuda_runtime.h>\n#include <torch/types.h>\n", {types});
        row("a small one alone", "#include \"../registry.h\"\n", {pybind});
        row("as in binding.cpp",
            "#include <torch/csrc/autograd/python_variable.h>\n#include \"../registry.h\"\n", {variable});
        row("that beside a wide one",
            "#include <torch/types.h>\n#include <torch/csrc/autograd/python_variable.h>\n",
            {types, variable});
        row("through a header", "#include \"../registry.h\"\n#include <torch/types.h>\n", {types, pybind});
        row("through a guarded header", "#include \"guarded.h\"\n", {types});
        row("after a definition", "#define A\n#include <torch/types.h>\n", {});
        row("after a definition in a header", "#include \"defines.h\"\n#include <torch/types.h>\n", {});
        row("after a header of somebody else", "#include <their/header.h>\n#include <torch/types.h>\n", {});
        row("after code", "int x;\n#include <torch/types.h>\n", {});
        row("under a condition", "#ifndef A\n#include <torch/types.h>\n#endif\n", {});
        row("in a comment", "// #include <torch/types.h>\n", {});
        row("where comments cannot be told", "#include <torch/types.h>\n#error don't\n", {});
        row("in circles", "#include \"round.h\"\n#include <torch/types.h>\n", {types});
    }

    void followsWhatStandsAtTheTop() {
        QFETCH(QByteArray, source);
        const Scratch scratch;
        scratch.write("registry.h",
                      "#pragma once\n\n#include <torch/csrc/utils/pybind.h>\n#include <string>\n");
        scratch.write("kernels/guarded.h",
                      "#ifndef G\n#define G\n#include <torch/types.h>\nint x;\n#endif\n");
        scratch.write("kernels/defines.h", "#pragma once\n#define vector list\n");
        scratch.write("kernels/round.h", "#include \"round.h\"\n");
        scratch.write("kernels/a_binding.cpp", source);
        QTEST(openingHeaders(scratch.path(), "kernels/a_binding.cpp"), "headers");
    }
};

QObject *makeTestOpeningHeaders() {
    return new TestOpeningHeaders;
}

#include "tst_opening_headers.moc"
