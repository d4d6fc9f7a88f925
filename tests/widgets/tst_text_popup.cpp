// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/look.h"
#include "widgets/popups/call_hint.h"
#include "widgets/popups/markdown_text.h"
#include "widgets/popups/text_popup.h"

#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

using namespace warpwright;

class TestTextPopup : public QObject {
    Q_OBJECT

private:
    Look m_look;

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void readsMarkdownPlainly() {
        QTextDocument document;
        setPlainMarkdown(
            document,
            QStringLiteral("### function `f`\n\nSee [the guide](https://example.org) <b>x</b>.\n\n"
                           "```cpp\nint f();\n```\n"),
            m_look);
        QVERIFY2(document.toPlainText().startsWith(
                     QStringLiteral("function f\nSee the guide <b>x</b>.\nint f();")),
                 qPrintable(document.toPlainText()));
        const QString code = m_look.font(TextRole::Log).family();
        const double most = m_look.font(TextRole::Small).pointSizeF();
        QStringList inCode;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); part != block.end(); ++part) {
                const QTextCharFormat format = part.fragment().charFormat();
                QVERIFY(!format.isAnchor());
                QVERIFY(format.font().pointSizeF() <= most);
                if (format.font().family() == code)
                    inCode << part.fragment().text();
            }
        QCOMPARE(inCode, (QStringList{QStringLiteral("f"), QStringLiteral("int f();")}));
    }

    void liesBesideWhatItIsAbout_data() {
        QTest::addColumn<QRect>("about");
        QTest::addColumn<QRect>("place");
        QTest::newRow("below") << QRect(10, 10, 30, 20) << QRect(10, 30, 200, 100);
        QTest::newRow("above at the bottom") << QRect(10, 350, 30, 20) << QRect(10, 250, 200, 100);
        QTest::newRow("within the right side") << QRect(350, 10, 30, 20) << QRect(200, 30, 200, 100);
    }
    void liesBesideWhatItIsAbout() {
        QFETCH(QRect, about);
        QTEST(besideRect(QRect(0, 0, 400, 400), about, QSize(200, 100)), "place");
    }

    void saysBothTexts() {
        QWidget window;
        window.resize(700, 500);
        window.show();
        TextPopup popup(m_look, &window);
        const QRect about(window.mapToGlobal(QPoint(20, 20)), QSize(40, 20));
        popup.showBeside(&window, about, QStringLiteral("warning: a < b"), QStringLiteral("**float**"));
        QVERIFY(popup.isVisible());
        QCOMPARE(popup.said(), QStringLiteral("warning: a < b\nfloat"));
        QVERIFY(window.rect().contains(popup.geometry()));
        popup.showBeside(&window, about, {}, {});
        QVERIFY(!popup.isVisible());
        popup.showBeside(&window, about, {}, QStringLiteral("word ").repeated(3000));
        QVERIFY(popup.height() < 400);
        QVERIFY(popup.scrollPages(1));
        QVERIFY(popup.scrollPages(-1));
        QVERIFY(!popup.scrollPages(-1));
    }

    void hintsAboveTheLine() {
        QWidget window;
        window.resize(700, 500);
        window.show();
        CallHint hint(m_look, &window);
        const QString text = QStringLiteral("f(int first, int second)");
        hint.showAbove(&window, QRect(window.mapToGlobal(QPoint(20, 200)), QSize(1, 20)), text, 2, 11, {});
        QCOMPARE(hint.activePart(), QStringLiteral("int first"));
        QVERIFY(hint.geometry().bottom() < 200);
        // Outside of the declaration: nothing is marked.
        hint.showAbove(&window, QRect(window.mapToGlobal(QPoint(20, 200)), QSize(1, 20)), text, 90, 99, {});
        QCOMPARE(hint.activePart(), QString());
        // At the top there is no room.
        hint.showAbove(&window, QRect(window.mapToGlobal(QPoint(20, 0)), QSize(1, 20)), text, 2, 11,
                       QStringLiteral("1 of 2"));
        QVERIFY(hint.geometry().top() >= 20);
    }
};

QObject *makeTestTextPopup() {
    return new TestTextPopup;
}

#include "tst_text_popup.moc"
