// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/source_hash.h"

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
        scratch.write(edited, textOf(scratch.path(edited)) + "int edited;\n");
        QTEST(SourceHash(scratch.path()).of("kernels/k.cu", countsAll).value() != before, "changes");
    }

    void passesOverComments_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("edited");
        QTest::addColumn<bool>("changes");
        const QString source = QStringLiteral("kernels/k.cu");
        const QString header = QStringLiteral("kernels/a.cuh");
        QTest::newRow("a comment of the source")
            << source << QByteArray("#include \"a.cuh\" // x\nint x; // another\n") << false;
        QTest::newRow("a comment of a header") << header << QByteArray("int a; /* another */\n") << false;
        QTest::newRow("an include in a comment")
            << source << QByteArray("#include \"a.cuh\"\nint x; // #include \"c.cuh\"\n") << false;
        QTest::newRow("a line more") << source << QByteArray("#include \"a.cuh\"\n// a\nint x; // one\n")
                                     << true;
        QTest::newRow("a comment that was code") << header << QByteArray("//int a; // one\n") << true;
        QTest::newRow("a literal") << header << QByteArray("auto a = \"// one\";\n") << true;
        QTest::newRow("the time") << header << QByteArray("int a = f(__TIME__); // one\n") << true;
    }

    void passesOverComments() {
        QFETCH(QString, file);
        QFETCH(QByteArray, edited);
        const Scratch scratch;
        scratch.write("kernels/a.cuh", "int a; // one\n");
        scratch.write("kernels/c.cuh", "int c;\n");
        scratch.write("kernels/k.cu", "#include \"a.cuh\"\nint x; // one\n");
        const QByteArray before = SourceHash(scratch.path()).of("kernels/k.cu", false).value();
        const QByteArray exact = SourceHash(scratch.path(), false).of("kernels/k.cu", false).value();
        scratch.write(file, edited);
        QTEST(SourceHash(scratch.path()).of("kernels/k.cu", false).value() != before, "changes");
        QVERIFY(SourceHash(scratch.path(), false).of("kernels/k.cu", false).value() != exact);
    }

    void passesOverLinesOnlyWhereTheyCannotMatter_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<bool>("isKnown"); ///< that they do not matter
        QTest::addColumn<bool>("changes");
        const auto row = [](const char *name, const char *before, const char *after, bool isKnown,
                            bool changes) {
            QTest::newRow(name) << QByteArray(before) << QByteArray(after) << isKnown << changes;
        };
        row("a comment more", "int x;\n", "// why\n\nint x;\n", true, false);
        row("standard headers", "#include <cmath>\nint x;\n", "#include <cmath>\n// why\nint x;\n", true,
            false);
        row("code", "int x;\n", "// why\nint y;\n", true, true);
        row("two statements in one line", "int x;\nint y;\n", "int x; int y;\n", true, true);
        row("a header of its own", "#include \"a.h\"\n", "// why\n#include \"a.h\"\n", true, false);
        row("a header of its own with a macro", "#include \"lines.h\"\n", "\n", false, false);
        row("torch's headers", "#include <torch/types.h>\n", "\n", false, false);
        row("an assertion", "#include <cmath>\nvoid f() { assert(true); }\n", "\n", false, false);
        row("its line", "int x = __LINE__;\n", "\n", false, false);
        row("a raw string", "auto x = R\"(a\n\nb)\";\n", "\n", false, false);
        row("a continued line", "#define A \\\n\nint x;\n", "\n", false, false);
    }

    void passesOverLinesOnlyWhereTheyCannotMatter() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(bool, isKnown);
        const Scratch scratch;
        scratch.write("kernels/a.h", "int a;\n");
        scratch.write("kernels/lines.h", "#define WHERE __LINE__\n");
        scratch.write("kernels/k.cpp", before);
        const auto one = SourceHash(scratch.path()).withoutLines("kernels/k.cpp");
        QCOMPARE(one.has_value(), isKnown);
        if (!isKnown)
            return;
        scratch.write("kernels/k.cpp", after);
        QTEST(SourceHash(scratch.path()).withoutLines("kernels/k.cpp") != one, "changes");
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
