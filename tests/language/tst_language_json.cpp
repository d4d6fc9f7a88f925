// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/language_json.h"

#include <QTest>

using namespace warpwright;

namespace {

/// With ' in place of ".
Json json(const QByteArray &text) {
    return parseJson(QByteArray(text).replace('\'', '"')).value();
}

} // namespace

class TestLanguageJson : public QObject {
    Q_OBJECT

private slots:
    void placeholdersOfSnippetsAreCutOut_data() {
        QTest::addColumn<QString>("snippet");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("cursor");
        QTest::newRow("plain") << "name"
                               << "name" << -1;
        QTest::newRow("one") << "f(${1:int a})"
                             << "f()" << 2;
        QTest::newRow("two") << "f(${1:int a}, ${2:int b})"
                             << "f()" << 2;
        QTest::newRow("template") << "f<${1:T}>(${2:T a})"
                                  << "f<>()" << 2;
        QTest::newRow("end") << "f()$0"
                             << "f()" << -1;
        QTest::newRow("end inside") << "if ($1) {\n$0\n}"
                                    << "if () {\n\n}" << 4;
        QTest::newRow("nested") << "f(${1:g(${2:x\\}})}, ${3:y})"
                                << "f()" << 2;
        QTest::newRow("escaped") << "a\\$b\\\\c"
                                 << "a$b\\c" << -1;
        QTest::newRow("dollar alone") << "cost $"
                                      << "cost $" << -1;
        QTest::newRow("without an end") << "f(${1:int"
                                        << "f(" << -1;
    }
    void placeholdersOfSnippetsAreCutOut() {
        QFETCH(QString, snippet);
        QFETCH(QString, text);
        QFETCH(int, cursor);
        const PlainSnippet plain = plainSnippet(snippet);
        QCOMPARE(plain.text, text);
        QCOMPARE(plain.cursor, cursor);
    }

    void anItemTellsNameSignatureAndType() {
        const TextRange typed{{3, 5}, {3, 7}};
        const Json answer = json(
            "{'isIncomplete':true,'items':[ {'label':' zeta(int "
            "a)','kind':3,'detail':'float','sortText':'2','insertText':'zeta(${1:int "
            "a})','insertTextFormat':2}, {'label':'alpha','labelDetails':{'detail':'(const float "
            "*p)'},'detail':'T','kind':3,'sortText':'1','tags':[1], "
            "'textEdit':{'newText':'alpha(${1:p})','range':{'start':{'line':2,'character':3},'end':{'line':2,"
            "'character':9}}}, 'insertTextFormat':2,'documentation':{'kind':'markdown','value':'**says**'}}, "
            "{'kind':1}, 7]}");
        const Completion completion = completionFrom(answer, typed, false);
        QVERIFY(completion.isIncomplete);
        QCOMPARE(completion.items.size(), std::size_t(2));
        const CompletionItem &first = completion.items[0];
        QCOMPARE(first.label, QStringLiteral("alpha"));
        QCOMPARE(first.signature, QStringLiteral("(const float *p)"));
        QCOMPARE(first.type, QStringLiteral("T"));
        QCOMPARE(first.documentation, QStringLiteral("**says**"));
        QVERIFY(first.isDeprecated);
        QVERIFY((first.replaced == TextRange{{3, 4}, {3, 10}}));
        QCOMPARE(first.insertText, QStringLiteral("alpha()"));
        QCOMPARE(first.cursorInside, 6);
        const CompletionItem &second = completion.items[1];
        QCOMPARE(second.label, QStringLiteral("zeta"));
        QCOMPARE(second.signature, QStringLiteral("(int a)"));
        QVERIFY(second.replaced == typed);
        QVERIFY(second.kind == SymbolKind::Function);
        QCOMPARE(completionFrom(answer, typed, true).items[0].insertText, QStringLiteral("alpha"));
    }

    void editsThatOverlapAreNone() {
        const char *edit =
            "{'range':{'start':{'line':0,'character':%1},'end':{'line':0,'character':%2}},'newText':'x'}";
        const auto range = [edit](int from, int to) {
            return QString::fromLatin1(edit).arg(from).arg(to);
        };
        const auto edits = [&range](const QStringList &list) {
            return editsFrom(json(('[' + list.join(u',') + ']').toUtf8()));
        };
        QCOMPARE(edits({range(4, 6), range(0, 2)}).size(), std::size_t(2));
        QCOMPARE(edits({range(4, 6), range(0, 2)})[0].range.from.column, 1);
        QVERIFY(edits({range(0, 3), range(2, 5)}).empty());
    }

    void aRenameIsReadInBothForms() {
        const char *edits =
            "[{'range':{'start':{'line':1,'character':2},'end':{'line':1,'character':5}},'newText':'n'}]";
        const QByteArray changes =
            QByteArray("{'changes':{'file:///b%20b.cu':") + edits + ",'file:///a.cu':" + edits + "}}";
        const auto files = replacementsFrom(json(changes));
        QCOMPARE(files.size(), std::size_t(2));
        QCOMPARE(files[1].file, QStringLiteral("/b b.cu"));
        const QByteArray documents =
            QByteArray("{'documentChanges':[{'textDocument':{'uri':'file:///a.cu','version':3},'edits':") +
            edits + "}]}";
        QCOMPARE(replacementsFrom(json(documents)).size(), std::size_t(1));
    }

    void whatDoesNotFitIsLeftOut_data() {
        QTest::addColumn<QByteArray>("answer");
        for (const char *text :
             {"null", "7", "'x'", "[]", "[[]]", "{}", "[null, 3, {'range': 4}]",
              "{'items': 3, 'contents': {'value': []}, 'signatures': [3], 'range': {'start': 4}}",
              "[{'range':{'start':{'line':-1,'character':0},'end':{'line':9999999999999,'character':0}}}]",
              "{'documentChanges':[{'textDocument':3,'edits':[4]}],'changes':{'x':[{}]}}"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatDoesNotFitIsLeftOut() {
        QFETCH(QByteArray, answer);
        const Json read = json(answer);
        QVERIFY(completionFrom(read, {}, false).items.empty());
        QVERIFY(!hoverFrom(read) || hoverFrom(read)->markdown == QLatin1String("x"));
        QVERIFY(placesFrom(read).empty());
        QVERIFY(replacementsFrom(read).empty());
        QVERIFY(editsFrom(read).empty());
        QVERIFY(symbolsFrom(read).empty());
        QVERIFY(diagnosticsFrom(read).empty());
        QVERIFY(signatureHelpFrom(read).signatures.size() <= 1);
    }

    void notesWithoutAPlaceAreLeftOut() {
        const Json one =
            json("[{'range': {'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 1}},"
                 " 'message': 'Not resolved\\n\\n:181:22:\\nnote: possible target\\n\\n"
                 "a.cu:3:1:\\nnote: it is here\\n\\n:181:22:\\nnote: possible target'}]");
        const std::vector<LanguageDiagnostic> told = diagnosticsFrom(one);
        QCOMPARE(told.size(), std::size_t(1));
        QCOMPARE(told[0].message, QStringLiteral("Not resolved\n\na.cu:3:1:\nnote: it is here"));
    }

    void aNameIsFoundAtItsPlace() {
        const QString text = QStringLiteral("a\nGröße + __ldcs(x)\n");
        QVERIFY((nameAt(text, {2, 3}) == TextRange{{2, 1}, {2, 6}}));
        QCOMPARE(textIn(text, *nameAt(text, {2, 15})), QStringLiteral("__ldcs"));
        QVERIFY(!nameAt(text, {2, 8}));
        QVERIFY(!nameAt(text, {99, 1}));
        QVERIFY(!nameAt(QString(), {1, 1}));
    }

    void filesGoThereAndBack() {
        for (const char *name : {"/a b/x.cu", "/tmp/größe#1?.cu", "/a%20b.cu"})
            QCOMPARE(fileOf(QString::fromStdString(uriOf(QString::fromUtf8(name)))), QString::fromUtf8(name));
        QCOMPARE(fileOf(QStringLiteral("http://x/y")), QString());
    }
};

QObject *makeTestLanguageJson() {
    return new TestLanguageJson;
}
#include "tst_language_json.moc"
