// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/text_delta.h"

#include <QRandomGenerator>
#include <QTest>

using namespace warpwright;

namespace {

/// As a server does it: lines and UTF-16 units.
qsizetype positionOf(const QString &text, TextPlace place) {
    qsizetype start = 0;
    for (int line = 1; line < place.line; ++line)
        start = text.indexOf(u'\n', start) + 1;
    return start + place.column - 1;
}

QString applied(QString text, const TextReplacement &delta) {
    const qsizetype from = positionOf(text, delta.range.from);
    return text.replace(from, positionOf(text, delta.range.to) - from, delta.text);
}

} // namespace

class TestTextDelta : public QObject {
    Q_OBJECT

private slots:
    void oneReplacementMakesTheOneOfTheOther_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("told");
        const QString many = QStringLiteral("a line of some length\n").repeated(2000);
        const auto row = [](const char *name, const QString &before, const QString &after,
                            const QString &told) {
            QTest::newRow(name) << before << after << told;
        };
        const QString x = QStringLiteral("x");
        row("nothing", many, many, {});
        row("into nothing", {}, x, x);
        row("to nothing", many, {}, {});
        row("a letter", QStringLiteral("a\nbc\n"), QStringLiteral("a\nbxc\n"), x);
        row("a letter twice", QStringLiteral("aa"), QStringLiteral("aaa"), QStringLiteral("a"));
        row("in a long text", many + many, many + x + many, x);
        row("at the start", many, x + many, x);
        row("at the end", many, many + x, x);
        row("a line less", QStringLiteral("a\nb\nc\n"), QStringLiteral("a\nc\n"), {});
        row("behind signs of two units", QStringLiteral("😀 é\n"), QStringLiteral("😀 éx\n"), x);
        // The first unit of both is the same, and the second of the next two.
        row("one sign of two units for another", QStringLiteral("a😀b"), QStringLiteral("a😁b"),
            QStringLiteral("😁"));
        row("that end in the same unit", QStringLiteral("a\U0001F600b"), QStringLiteral("a\U00012200b"),
            QStringLiteral("\U00012200"));
    }
    void oneReplacementMakesTheOneOfTheOther() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, told);
        const auto delta = deltaOf(before, after);
        QVERIFY(delta.has_value());
        QCOMPARE(delta->text, told);
        QCOMPARE(applied(before, *delta), after);
    }

    void aTextWithOtherLineEndsIsToldAsAWhole_data() {
        QTest::addColumn<QString>("end");
        QTest::newRow("of DOS") << QStringLiteral("\r\n");
        QTest::newRow("a page's") << QStringLiteral("\f");
        QTest::newRow("Unicode's") << QStringLiteral("\u2028");
    }
    void aTextWithOtherLineEndsIsToldAsAWhole() {
        QFETCH(QString, end);
        const QString text = QStringLiteral("a") + end + QStringLiteral("b");
        QVERIFY(!deltaOf(text, QStringLiteral("ab")).has_value());
        QVERIFY(!deltaOf(QStringLiteral("ab"), text).has_value());
    }

    void whatIsTypedAtRandomComesOut() {
        QRandomGenerator random(7);
        QString text = QStringLiteral("void f(float *x) {\n    x[0] = 1;\n}\n").repeated(300);
        const QStringList pieces{QStringLiteral("x"), QStringLiteral("\n"), QStringLiteral("é"),
                                 QStringLiteral("😀"), QStringLiteral("x[0] = 1;\n}\n")};
        for (int turn = 0; turn < 300; ++turn) {
            auto at = random.bounded(static_cast<int>(text.size()));
            if (text.at(at).isLowSurrogate())
                --at;
            auto length = random.bounded(std::min(40, static_cast<int>(text.size()) - at));
            if (text.at(at + length).isLowSurrogate())
                ++length;
            QString next = text;
            next.replace(at, length, pieces.at(random.bounded(static_cast<int>(pieces.size()))));
            const auto delta = deltaOf(text, next);
            QVERIFY(delta.has_value());
            QCOMPARE(applied(text, *delta), next);
            text = next;
        }
    }
};

QObject *makeTestTextDelta() {
    return new TestTextDelta;
}

#include "tst_text_delta.moc"
