// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/piece_edit.h"

#include <QTest>

using namespace warpwright;

class TestPieceEdit : public QObject {
    Q_OBJECT
private slots:
    void replacesInOrder() {
        const auto edited = applyEdits("one\ntwo\nthree\n", {{"two", "2"}, {"2\nthree", "2, 3"}});
        QVERIFY2(edited.hasValue(), qPrintable(edited.message()));
        QCOMPARE(edited.value().text, QString("one\n2, 3\n"));
        QCOMPARE(edited.value().places, 2);
        QVERIFY2(edited.value().around.contains("  2\t2, 3"), qPrintable(edited.value().around));
    }
    void replacesEverywhereWhereAsked() {
        const auto edited = applyEdits("a b a b a", {{"a", "aa", true}});
        QVERIFY(edited.hasValue());
        QCOMPARE(edited.value().text, QString("aa b aa b aa"));
        QCOMPARE(edited.value().places, 3);
    }
    void refusesWhatDoesNotFit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("old");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("twice") << "a\nb\na\n"
                               << "a" << QStringList{"edit 1 of 1", "2 times", "lines 1, 3"};
        QTest::newRow("nearest") << "int x = 1;\nfloat sum = 0.0f;\n"
                                 << "float sum = 0;"
                                 << QStringList{"0 times", "nearest lines", "2\tfloat sum = 0.0f;"};
        QTest::newRow("nothing near") << "int x = 1;\n"
                                      << "while (true)" << QStringList{"0 times", "read it again"};
        QTest::newRow("empty") << "a"
                               << "" << QStringList{"`old` is empty"};
        QTest::newRow("same") << "new"
                              << "new" << QStringList{"are the same"};
        QTest::newRow("ends of lines") << "a b\r\nc d\r\n"
                                       << "a b\nc d" << QStringList{"0 times", "CR LF"};
        QTest::newRow("many") << QString("z\n").repeated(50) << "z" << QStringList{"50 times", ", …"};
    }
    void refusesWhatDoesNotFit() {
        QFETCH(QString, text);
        QFETCH(QString, old);
        QFETCH(QStringList, said);
        const auto edited = applyEdits(text, {{old, "new"}});
        QVERIFY(!edited.hasValue());
        for (const QString &words : said)
            QVERIFY2(edited.message().contains(words), qPrintable(edited.message()));
    }
    void namesTheEditThatDoesNotFit() {
        const auto edited = applyEdits("one two", {{"one", "1"}, {"three", "3"}});
        QVERIFY(!edited.hasValue());
        QVERIFY2(edited.message().startsWith("edit 2 of 2"), qPrintable(edited.message()));
    }
};

QObject *makeTestPieceEdit() {
    return new TestPieceEdit;
}

#include "tst_piece_edit.moc"
