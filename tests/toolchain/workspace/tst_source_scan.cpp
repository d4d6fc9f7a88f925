// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/source_scan.h"

#include <QTest>

using namespace warpwright;

class TestSourceScan : public QObject {
    Q_OBJECT

private slots:
    void findsWhatTheRulesDoNotWant_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("found");
        const auto row = [](const char *name, const char *file, const char *text, const char *found) {
            QTest::newRow(name) << QString::fromLatin1(file) << QByteArray(text)
                                << QString::fromLatin1(found);
        };
        row("torch's product", "model_new.py", "import torch\ny = torch.matmul(a, b)\n",
            "torch-operators 2 torch.matmul");
        row("functional", "model_new.py", "y = F.silu(x)\n", "torch-operators 1 F.silu");
        row("inner name", "model_new.py", "y = torch._C._nn.linear(x)\n",
            "torch-operators 1 torch._C._nn.linear");
        row("the reference", "model_new.py", "from model import Model\n", "fallback 1 from model import");
        row("compiles", "helper.py", "f = torch.compile(f)\n", "runtime-compilation 1 torch.compile");
        row("a library", "model_new.py", "import ctypes\n", "prebuilt 1 ctypes");
        row("hidden", "model_new.py", "exec(text)\n", "hidden-text 1 exec(");
        row("in C++", "kernels/a_binding.cpp", "at::Tensor y =\n    at::linear(x, w, b);\n",
            "torch-operators 2 at::linear");
        row("parameters and memory are allowed", "model_new.py",
            "self.linear = nn.Linear(3, 4)\ny = torch.empty_like(x)\n", "");
        row("memory in C++ is allowed", "kernels/a.cpp", "at::Tensor y = at::empty_like(x);\n", "");
        row("a table in the constructor", "model_new.py",
            "class ModelNew:\n    def __init__(self):\n        t = torch.ops.aten.exp(t)\n\n"
            "    def forward(self, x):\n        return torch.softmax(x, 0)\n",
            "torch-operators 6 torch.softmax");
        row("a comment", "model_new.py", "y = ext.f(x)  # as torch.matmul does\n", "");
        row("a comment in C++", "kernels/a.cu", "/* at::linear\n at::mm */ int a; // at::mm\n", "");
        row("strokes in a string", "kernels/a.cpp", "f(\"//\"); g(\"/*\"); at::linear(x);\n",
            "torch-operators 1 at::linear");
        row("what is never compiled", "kernels/a.cu", "#if 0\nat::linear(x);\n#endif\n", "");
        row("the reference itself", "model.py", "y = torch.matmul(a, b)\n", "");
    }

    void findsWhatTheRulesDoNotWant() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, found);
        QStringList lines;
        for (const SourceMatch &match : scanSources({{file, text}})) {
            QCOMPARE(match.file, file);
            lines << QStringLiteral("%1 %2 %3").arg(match.rule).arg(match.line).arg(match.word);
        }
        QCOMPARE(lines.join(QLatin1Char('\n')), found);
    }

    void aDoubtPointsToTheLine() {
        const QStringList doubts = doubtsOf(scanSources({{"model_new.py", "\n\ny = torch.softmax(x, 0)\n"}}));
        QCOMPARE(doubts.size(), 1);
        QVERIFY(doubts.front().startsWith("model_new.py:3 names \"torch.softmax\""));
    }

    void manyLinesAreCounted() {
        QByteArray text;
        for (int i = 0; i < 20; ++i)
            text += "y = torch.relu(x)\n";
        const QStringList doubts = doubtsOf(scanSources({{"model_new.py", text}}));
        QCOMPARE(doubts.size(), 6);
        QVERIFY(doubts.back().startsWith("15 more lines"));
    }
};

QObject *makeTestSourceScan() {
    return new TestSourceScan;
}

#include "tst_source_scan.moc"
