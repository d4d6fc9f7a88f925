// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/source_hash.h"

#include <QTest>

using namespace warpwright;

class TestSourceHash : public QObject {
    Q_OBJECT

private slots:
    void changesWithWhatIsIncluded_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<bool>("countsAll");
        QTest::addColumn<QString>("edited");
        QTest::addColumn<bool>("changes");
        const QByteArray quote = "#include \"a.cuh\"\n";
        QTest::newRow("itself") << QByteArray("int x;") << false << "kernels/k.cu" << true;
        QTest::newRow("beside it") << quote << false << "kernels/a.cuh" << true;
        QTest::newRow("in the root") << QByteArray("#include \"../root.h\"\n") << false << "root.h" << true;
        QTest::newRow("through another") << quote << false << "kernels/b.cuh" << true;
        QTest::newRow("not included") << quote << false << "kernels/c.cuh" << false;
        QTest::newRow("in angles") << QByteArray("#  include <a.cuh>\n") << false << "kernels/b.cuh" << true;
        QTest::newRow("a source as a header")
            << QByteArray("#include \"other.cu\"\n") << false << "kernels/other.cu" << true;
        QTest::newRow("by a macro") << QByteArray("#define H \"c.cuh\"\n#include H\n") << false
                                    << "kernels/c.cuh" << true;
        QTest::newRow("over two lines")
            << QByteArray("#include \\\n\"c.cuh\"\n") << false << "kernels/c.cuh" << true;
        QTest::newRow("by a digraph")
            << QByteArray("%:include \"c.cuh\"\n") << false << "kernels/c.cuh" << true;
        QTest::newRow("by a flag") << QByteArray("int x;") << true << "kernels/c.cuh" << true;
        QTest::newRow("a text that is no header")
            << QByteArray("int x;") << true << "kernels/notes.txt" << false;
    }

    void changesWithWhatIsIncluded() {
        QFETCH(QByteArray, source);
        QFETCH(bool, countsAll);
        QFETCH(QString, edited);
        const Scratch scratch;
        scratch.write("root.h", "1");
        scratch.write("kernels/a.cuh", "#include \"b.cuh\"\n");
        scratch.write("kernels/b.cuh", "#include \"a.cuh\"\n"); // round in circles
        scratch.write("kernels/c.cuh", "1");
        scratch.write("kernels/other.cu", "1");
        scratch.write("kernels/notes.txt", "1");
        scratch.write("kernels/k.cu", source);
        const QByteArray before = SourceHash(scratch.path()).of("kernels/k.cu", countsAll).value();
        QCOMPARE(SourceHash(scratch.path()).of("kernels/k.cu", countsAll).value(), before);
        scratch.write(edited, textOf(scratch.path(edited)) + "// edited\n");
        QTEST(SourceHash(scratch.path()).of("kernels/k.cu", countsAll).value() != before, "changes");
    }

    void isTheSameInAnotherFolder() {
        const Scratch here;
        const Scratch there;
        for (const Scratch *scratch : {&here, &there}) {
            scratch->write("binding.cpp", "#include \"binding_registry.h\"\n");
            scratch->write("binding_registry.h", "#pragma once\n");
        }
        there.write("kernels/own.cuh", "not included");
        QCOMPARE(SourceHash(here.path()).of("binding.cpp", false).value(),
                 SourceHash(there.path()).of("binding.cpp", false).value());
    }

    void saysWhatCannotBeRead() {
        const Scratch scratch;
        QVERIFY(
            SourceHash(scratch.path()).of("none.cu", false).message().contains("No such file or directory"));
    }
};

QObject *makeTestSourceHash() {
    return new TestSourceHash;
}

#include "tst_source_hash.moc"
