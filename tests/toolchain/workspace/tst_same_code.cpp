// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/same_code.h"

#include <QTest>

using namespace warpwright;

class TestSameCode : public QObject {
    Q_OBJECT

private slots:
    void tellsCommentsFromCode_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<bool>("isSame");
        const QString cu = QStringLiteral("kernels/a.cu");
        const QString py = QStringLiteral("model_new.py");
        const QByteArray module("class ModelNew:\n    def forward(self, x):\n        return run(x)\n");
        QTest::newRow("nothing") << cu << QByteArray("int a;\n") << QByteArray("int a;\n") << true;
        QTest::newRow("C++ comments") << cu << QByteArray("int a; // one\nint b;\n")
                                      << QByteArray("// two\n\nint a; // three\nint b;\n") << true;
        QTest::newRow("C++ code") << cu << QByteArray("int a;\n") << QByteArray("int b;\n") << false;
        QTest::newRow("a docstring") << py << module
                                     << QByteArray(module).replace("        return",
                                                                   "        \"\"\"One\n        pass.\"\"\"\n"
                                                                   "        return")
                                     << true;
        QTest::newRow("of the module") << py << module << "'''Rows.'''\n# Fast.\n\n" + module << true;
        QTest::newRow("a string that is code") << py << QByteArray("source = '''\n# one\n'''\n")
                                               << QByteArray("source = '''\n# two\n'''\n") << false;
        QTest::newRow("a string in a call")
            << py << QByteArray("load(\n    'a',\n)\n") << QByteArray("load(\n    'b',\n)\n") << false;
        QTest::newRow("a value of a table")
            << py << QByteArray("t = {1:\n'a'\n}\n") << QByteArray("t = {1:\n'b'\n}\n") << false;
        QTest::newRow("a hash in a string")
            << py << QByteArray("a = '#1'\n") << QByteArray("a = '#2'\n") << false;
        QTest::newRow("indentation") << py << QByteArray("if a:\n    b()\nc()\n")
                                     << QByteArray("if a:\n    b()\n    c()\n") << false;
        QTest::newRow("no end") << py << QByteArray("a = '''x\n") << QByteArray("a = '''y\n") << false;
    }

    void tellsCommentsFromCode() {
        QFETCH(QString, file);
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(bool, isSame);
        QCOMPARE(isSameCode({{file, before}}, {{file, after}}), isSame);
        QCOMPARE(isSameCode({{file, after}}, {{file, before}}), isSame);
        QVERIFY(!isSameCode({{file, before}}, {}));
        QVERIFY(!isSameCode({{file, before}}, {{file + QStringLiteral("h"), before}}));
    }
};

QObject *makeTestSameCode() {
    return new TestSameCode;
}

#include "tst_same_code.moc"
