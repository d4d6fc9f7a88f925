// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/text_file.h"
#include "toolchain/compile/exported_symbols.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTest>

using namespace warpwright;

class TestExportedSymbols : public QObject {
    Q_OBJECT

private:
    Scratch m_scratch;
    QString m_library;

    [[nodiscard]] QString written(const QByteArray &bytes) const {
        QFile file(m_scratch.path() + "/torn.so");
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            return {};
        return file.fileName();
    }

private slots:
    void initTestCase() {
        const QString compiler = QStandardPaths::findExecutable("g++");
        NEED_TOOL(!compiler.isEmpty(), "g++");
        QByteArray source = "#include <cstdio>\n"
                            "int answer(int x) { return std::puts(\"42\") + x; }\n"
                            "__attribute__((visibility(\"hidden\"))) int secret(int x) { return x; }\n"
                            "extern \"C\" { int plain = 42; }\n";
        for (int i = 0; i < 300; ++i)
            source += "int filler" + QByteArray::number(i) + "() { return 0; }\n";
        m_scratch.write("library.cpp", source);
        m_library = m_scratch.path() + "/library.so";
        QCOMPARE(QProcess::execute(compiler,
                                   {"-shared", "-fPIC", m_scratch.path() + "/library.cpp", "-o", m_library}),
                 0);
    }

    void tellsWhatALibraryDefines() {
        const ExportedSymbols exports(m_library);
        QVERIFY(exports.has("_Z6answeri"));
        QVERIFY(exports.has("plain"));
        for (int i = 0; i < 300; ++i)
            QVERIFY(exports.has((i < 10    ? "_Z7filler"
                                 : i < 100 ? "_Z8filler"
                                           : "_Z9filler") +
                                QByteArray::number(i) + "v"));
        QVERIFY(!exports.has("_Z6secreti")); // hidden
        QVERIFY(!exports.has("puts"));       // of another library
        QVERIFY(!exports.has("_Z6answer"));
        QVERIFY(!exports.has(""));
    }

    void knowsNothingOfWhatIsNoLibrary() {
        QVERIFY(!ExportedSymbols(m_scratch.path() + "/missing.so").has("plain"));
        QVERIFY(!ExportedSymbols(m_scratch.path()).has("plain"));
        QVERIFY(!ExportedSymbols(m_scratch.path() + "/library.cpp").has("plain"));
        QVERIFY(!ExportedSymbols(written("")).has("plain"));
    }

    // Torn and changed files give an answer, whatever it is.
    void survivesTornFiles() {
        QFile file(m_library);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        for (qsizetype length = 0; length < whole.size(); length += 61)
            (void)ExportedSymbols(written(whole.left(length))).has("_Z6answeri");
        QRandomGenerator random(20261123);
        for (int turn = 0; turn < 3000; ++turn) {
            QByteArray changed = whole;
            for (int i = 0; i < 8; ++i) // the tables lie at the beginning, what names them further on
                changed[random.bounded(static_cast<int>(i % 2 == 0 ? 8192 : whole.size()))] =
                    static_cast<char>(random.bounded(256));
            (void)ExportedSymbols(written(changed)).has("_Z6answeri");
        }
    }
};

QObject *makeTestExportedSymbols() {
    return new TestExportedSymbols;
}

#include "tst_exported_symbols.moc"
