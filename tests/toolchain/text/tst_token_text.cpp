// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/token_text.h"

#include <QTest>

using namespace warpwright;

class TestTokenText : public QObject {
    Q_OBJECT

private slots:
    void blanksComments_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("tokens");
        const auto row = [](const char *name, const char *text, const char *tokens) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(tokens);
        };
        row("none", "int x;\n", "int x;\n");
        row("at the end of a line", "int x; // why\nint y;\n", "int x;\nint y;\n");
        row("a line of its own", "// one\n  // two\nint x;\n", "\n\nint x;\n");
        row("before code", "/* a */int x;\n", "       int x;\n");
        row("over lines", "int /* a\n b */ x;\n", "int\n      x;\n");
        row("without an end of line", "int x; // why", "int x;");
        row("in a string", "auto s = \"// no /* comment */\";\n", "auto s = \"// no /* comment */\";\n");
        row("after a string", "f(\"a\\\"b\"); // \"c\n", "f(\"a\\\"b\");\n");
        row("in a character", "char c = '\"'; // '\n", "char c = '\"';\n");
        row("a raw string", "auto s = R\"x(// \" )\" */)x\"; // gone\n", "auto s = R\"x(// \" )\" */)x\";\n");
        row("a raw string of UTF-8", "auto s = u8R\"(//)\";\n", "auto s = u8R\"(//)\";\n");
        row("a word that ends in R", "FOUR\"(\"; // )\"\n", "FOUR\"(\";\n");
        row("digits", "int x = 1'000'000; // 'n'\n", "int x = 1'000'000;\n");
        row("hexadecimal digits", "int x = 0xab'cd; // '\n", "int x = 0xab'cd;\n");
        row("a division", "int x = a / b; // c\n", "int x = a / b;\n");
        row("a stroke and a star apart", "int x = a / *b;\n", "int x = a / *b;\n");
        row("a macro of two lines", "#define A(x) \\\n    x // y\n", "#define A(x) \\\n    x\n");
        row("a comment inside a comment", "/* // */ int x;\n", "         int x;\n");
        row("an include", "#include \"a//b.h\" // c\n#include <a/b.h>\n",
            "#include \"a//b.h\"\n#include <a/b.h>\n");
        row("stars", "/***/ int x; /**/\n", "      int x;\n");
        row("words of another language", "// größer\nint größe;\n", "\nint größe;\n");
    }

    void blanksComments() {
        QFETCH(QByteArray, text);
        const auto tokens = textWithoutComments(text);
        QVERIFY(tokens.has_value());
        QTEST(*tokens, "tokens");
        QCOMPARE(tokens->count('\n'), text.count('\n'));
    }

    void saysWhenItCannotTell_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a comment that goes on") << QByteArray("int x; // a \\\n int y;\n");
        QTest::newRow("a comment that goes on after blanks") << QByteArray("int x; // a \\  \n int y;\n");
        QTest::newRow("a comment in two parts") << QByteArray("int x; /\\\n/ y\n");
        QTest::newRow("an end in two parts") << QByteArray("/* a *\\\n/ int x;\n");
        QTest::newRow("a comment without an end") << QByteArray("int x; /* y\n");
        QTest::newRow("a string without an end") << QByteArray("auto s = \"a;\n");
        QTest::newRow("an apostrophe in words") << QByteArray("#error don't\n");
        QTest::newRow("a raw string without an end") << QByteArray("auto s = R\"(a;\n");
        QTest::newRow("a path in angles") << QByteArray("#include <a//b.h>\n");
        QTest::newRow("a comment in angles") << QByteArray("#include <a/*b.h>\n");
        QTest::newRow("the time") << QByteArray("auto s = __TIME__; // a\n");
        QTest::newRow("the date") << QByteArray("auto s = __DATE__;\n");
        QTest::newRow("the file's time") << QByteArray("auto s = __TIMESTAMP__;\n");
        QTest::newRow("a word in two parts") << QByteArray("auto s = __TI\\\nME__;\n");
        QTest::newRow("a prefix in two parts") << QByteArray("auto s = R\\\n\"(//)\";\n");
        QTest::newRow("a trigraph") << QByteArray("// a ?\?/\nint y;\nint x = a ?\?/\n;\n");
        QTest::newRow("ends of lines of another system") << QByteArray("int x; // a\r\nint y;\r\n");
        QTest::newRow("a zero") << QByteArray("int x;\0int y;\n", 15);
    }

    void saysWhenItCannotTell() {
        QFETCH(QByteArray, text);
        QVERIFY(!textWithoutComments(text).has_value());
    }
};

QObject *makeTestTokenText() {
    return new TestTokenText;
}

#include "tst_token_text.moc"
