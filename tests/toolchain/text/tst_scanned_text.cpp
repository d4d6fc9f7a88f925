// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/scanned_text.h"

#include <QTest>

using namespace warpwright;

class TestScannedText : public QObject {
    Q_OBJECT

private slots:
    void keepsWhatACompilerReads_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");  // what is left of it
        QTest::addColumn<QString>("unsure"); // lines, from 1
        const auto row = [](const char *name, const char *text, const char *words, const char *unsure = "") {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(words)
                                << QString::fromLatin1(unsure);
        };
        row("comments", "a // b\n/* c\n d */ e\n", "a e");
        row("comments, with CR LF", "a // b\r\n/* c\r\n d */ e\r\n", "a e");
        row("a comment that goes on", "a // b \\\n c\nd\n", "a d");
        row("a comment without an end", "a /* b\n c", "a");
        row("strokes in a string", "a(\"//\"); b\n", "a(); b");
        row("a quote in a character", "a('\"'); b // \"\n", "a(); b");
        row("an apostrophe in words", "#error don't\na // b\n", "#error don't a");
        row("digits", "int a = 1'000; // '\nb\n", "int a = 1'000; b");
        row("a raw string", "a = R\"x(\nPYBIND11_MODULE(\n)\" )x\"; b\n", "a = ; b");
        row("the name of an include", "#include \"a//b.h\" // c\n#include <d//e.h>\n",
            "#include \"a//b.h\" #include <d//e.h>");
        row("never", "#if 0\na\n#if b\nc\n#endif\n#else\nd\n#endif\ne\n",
            "#if 0 #if b #endif #else d #endif e", "3 4");
        row("always", "#if 1\na\n#elif b\nc\n#else\nd\n#endif\n", "#if 1 a #elif b #else #endif");
        row("who knows", "a\n#ifdef B\nc\n#else\nd\n#endif\ne\n", "a #ifdef B c #else d #endif e", "2 3 4 5");
        row("who knows, and never", "#ifdef A\nb\n#elif 0\nc\n#endif\n", "#ifdef A b #elif 0 #endif", "1 2");
        row("the name of the module is defined",
            "#ifdef TORCH_EXTENSION_NAME\na\n#else\nb\n#endif\n#ifndef TORCH_EXTENSION_NAME\nc\n#endif\n",
            "#ifdef TORCH_EXTENSION_NAME a #else #endif #ifndef TORCH_EXTENSION_NAME #endif");
        row("a macro", "#define A \\\n  b \\\n  c\nd\n", "#define A \\ b \\ c d", "2 3");
        row("an end too many", "#endif\na\n#else\nb\n", "#endif a #else b");
    }

    void keepsWhatACompilerReads() {
        QFETCH(QByteArray, text);
        const ScannedText scanned = scanText(text, Literals::Blanked);
        QTEST(scanned.code.simplified().replace(QLatin1String("( )"), QLatin1String("()")), "words");
        QCOMPARE(scanned.code.count(QLatin1Char('\n')), text.count('\n'));
        QStringList unsure;
        for (std::size_t i = 0; i < scanned.isUnsure.size(); ++i)
            if (scanned.isUnsure[i])
                unsure << QString::number(i + 1);
        QTEST(unsure.join(QLatin1Char(' ')), "unsure");
    }

    void keepsLiteralsForWhoAsks() {
        const ScannedText scanned = scanText("dlopen(\"a//b\"); // c\n\nd\n", Literals::Kept);
        QCOMPARE(scanned.code.simplified(), QString("dlopen(\"a//b\"); d"));
        QCOMPARE(scanned.lineAt(scanned.code.indexOf(QLatin1Char('d'), 10)), 3);
    }
};

QObject *makeTestScannedText() {
    return new TestScannedText;
}

#include "tst_scanned_text.moc"
