// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/line_diff.h"
#include "toolchain/workspace/text_comparison.h"

#include <QTest>

using namespace warpwright;

namespace {

/// Rows as text: "3 4 ~ old | new", with the changed words in brackets.
QString shown(const ComparedFile &file) {
    const auto marked = [](QString text, const std::vector<TextSpan> &spans) {
        for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
            text.insert(span->start + span->length, QLatin1Char(']'));
            text.insert(span->start, QLatin1Char('['));
        }
        return text;
    };
    QStringList lines;
    for (const ComparedRow &row : file.rows) {
        const QString left = marked(row.left, row.leftChanges);
        const QString right = marked(row.right, row.rightChanges);
        switch (row.kind) {
        case ComparedRow::Kind::Same:
            lines << QStringLiteral("%1 %2 = %3").arg(row.leftNumber).arg(row.rightNumber).arg(left);
            break;
        case ComparedRow::Kind::Changed:
            lines << QStringLiteral("%1 %2 ~ %3 | %4")
                         .arg(row.leftNumber)
                         .arg(row.rightNumber)
                         .arg(left, right);
            break;
        case ComparedRow::Kind::Removed:
            lines << QStringLiteral("%1 - - %2").arg(row.leftNumber).arg(left);
            break;
        case ComparedRow::Kind::Added:
            lines << QStringLiteral("- %1 + %2").arg(row.rightNumber).arg(right);
            break;
        }
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestTextComparison : public QObject {
    Q_OBJECT

private slots:
    void setsLinesBesideEachOther_data() {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<int>("hunks");
        QTest::newRow("the same") << QByteArray("a\n") << QByteArray("a\n") << "" << 0;
        QTest::newRow("a changed word") << QByteArray("float a = 1;\nb\n") << QByteArray("float a = 2;\nb\n")
                                        << "1 1 ~ float a = [1]; | float a = [2];\n2 2 = b" << 1;
        QTest::newRow("a new line in the middle")
            << QByteArray("a\nc\n") << QByteArray("a\nb\nc\n") << "1 1 = a\n- 2 + b\n2 3 = c" << 1;
        QTest::newRow("a new first line")
            << QByteArray("b\n") << QByteArray("a\nb\n") << "- 1 + a\n1 2 = b" << 1;
        QTest::newRow("a line less at the end")
            << QByteArray("a\nb\n") << QByteArray("a\n") << "1 1 = a\n2 - - b" << 1;
        QTest::newRow("from nothing") << QByteArray() << QByteArray("a\nb\n") << "- 1 + a\n- 2 + b" << 1;
        QTest::newRow("to nothing") << QByteArray("a") << QByteArray() << "1 - - a" << 1;
        QTest::newRow("empty lines") << QByteArray("\n\n") << QByteArray("\n\n\n") << "1 1 = \n2 2 = \n- 3 + "
                                     << 1;
        QTest::newRow("a lone line that is quite different")
            << QByteArray("int x;\n") << QByteArray("return y();\n") << "1 1 ~ int x; | return y();" << 1;
        QTest::newRow("the line that is alike is found among new ones")
            << QByteArray("sum += row[i] * row[i];\n")
            << QByteArray("const float v = 1;\nsum += value[i] * value[i];\n")
            << "- 1 + const float v = 1;\n1 2 ~ sum += [row][i] * [row][i]; | sum += [value][i] * [value][i];"
            << 1;
        QTest::newRow("two hunks") << QByteArray("a\nb\nc\nd\ne\n") << QByteArray("A\nb\nc\nd\nE\n")
                                   << "1 1 ~ a | A\n2 2 = b\n3 3 = c\n4 4 = d\n5 5 ~ e | E" << 2;
        QTest::newRow("spaces at the front") << QByteArray("  return a;\n") << QByteArray("    return a;\n")
                                             << "1 1 ~ [  ]return a; | [    ]return a;" << 1;
        QTest::newRow("letters of other scripts") << QByteArray("// größe α\n") << QByteArray("// größe β\n")
                                                  << "1 1 ~ // größe [α] | // größe [β]" << 1;
        QTest::newRow("no text at all") << QByteArray("a\0b", 3) << QByteArray("a\0c", 3) << "" << 0;
    }

    void setsLinesBesideEachOther() {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(QString, rows);
        QFETCH(int, hunks);
        const ComparedFile file = compareFile("kernels/a.cu", left, right);
        QCOMPARE(shown(file), rows);
        QCOMPARE(static_cast<int>(file.hunks.size()), hunks);
        QCOMPARE(file.kind == ComparedFile::Kind::Same, left == right);
        int changed = 0;
        for (const ComparedHunk &hunk : file.hunks) {
            changed += hunk.rowCount;
            for (int row = hunk.firstRow; row < hunk.firstRow + hunk.rowCount; ++row)
                QVERIFY(file.rows[static_cast<std::size_t>(row)].kind != ComparedRow::Kind::Same);
        }
        QCOMPARE(changed, file.changedRows);
    }

    void tellsLineEndsFromWords() {
        const ComparedFile dos = compareFile("a.cu", "a\r\nb\r\n", "a\nb\n");
        QVERIFY(dos.kind == ComparedFile::Kind::LineEnds);
        QCOMPARE(dos.changedRows, 0);
        QVERIFY(compareFile("a.cu", "a\nb", "a\nb\n").kind == ComparedFile::Kind::LineEnds);
        // One that differs in both shows the words alone.
        QCOMPARE(shown(compareFile("a.cu", "a\r\nx\r\n", "a\ny\n")), QStringLiteral("1 1 = a\n2 2 ~ x | y"));
    }

    void staysQuickOnLongTexts() {
        QByteArray left;
        QByteArray right;
        for (int line = 0; line < 20000; ++line) {
            left += "    value[" + QByteArray::number(line) + "] = 1.0f;\n";
            right += "    other[" + QByteArray::number(line * 7) + "] = 2.0f;\n";
        }
        QElapsedTimer clock;
        clock.start();
        QVERIFY(compareFile("a.cu", left, right).kind == ComparedFile::Kind::Changed);
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
        const QByteArray endless(2 * 1024 * 1024, 'x');
        QVERIFY(compareFile("a.cu", endless, endless + 'y').kind == ComparedFile::Kind::Binary);
    }

    void describesAChangeInOneLine_data() {
        QTest::addColumn<CandidateTexts>("left");
        QTest::addColumn<CandidateTexts>("right");
        QTest::addColumn<QString>("note");
        const CandidateTexts one{{"kernels/a.cu", "a\nb\nc\n"}};
        QTest::newRow("nothing") << one << one << "";
        QTest::newRow("a line") << one << CandidateTexts{{"kernels/a.cu", "a\nb\nC\n"}}
                                << "1 line in kernels/a.cu";
        QTest::newRow("three lines") << one << CandidateTexts{{"kernels/a.cu", "1\n2\n3\n"}}
                                     << "3 lines in kernels/a.cu";
        QTest::newRow("a new file") << one
                                    << CandidateTexts{{"kernels/a.cu", "a\nb\nc\n"}, {"kernels/b.cu", "x\n"}}
                                    << "new kernels/b.cu";
        QTest::newRow("another in its place")
            << one << CandidateTexts{{"kernels/b.cu", "x\n"}} << "new kernels/b.cu; without kernels/a.cu";
        QTest::newRow("line ends") << one << CandidateTexts{{"kernels/a.cu", "a\r\nb\r\nc\r\n"}}
                                   << "kernels/a.cu";
        QTest::newRow("three files") << CandidateTexts{{"a", "1"}, {"b", "1"}, {"c", "1"}}
                                     << CandidateTexts{{"a", "2"}, {"b", "2"}, {"c", "2"}}
                                     << "3 lines in 3 files";
    }

    void describesAChangeInOneLine() {
        QFETCH(CandidateTexts, left);
        QFETCH(CandidateTexts, right);
        QFETCH(QString, note);
        QCOMPARE(changeNote(compareTexts(left, right)), note);
        QCOMPARE(compareTexts(left, right).isSame(), note.isEmpty());
    }

    void findsTheRunsThatDiffer() {
        QCOMPARE(replacedLines("a\nb\n", "a\nb"), std::vector<ReplacedLines>());
        QCOMPARE(replacedLines("", "a\n"), (std::vector<ReplacedLines>{{0, 0, 0, 1}}));
        QCOMPARE(replacedLines("a\nb\nc\n", "a\nc\n"), (std::vector<ReplacedLines>{{1, 1, 1, 0}}));
    }
};

QObject *makeTestTextComparison() {
    return new TestTextComparison;
}

#include "tst_text_comparison.moc"
