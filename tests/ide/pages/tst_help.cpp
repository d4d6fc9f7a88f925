// SPDX-License-Identifier: GPL-3.0-or-later
// The words used here: all that the window uses, found by its own words and by those of the field.
#include "app/ide/help/glossary.h"
#include "app/ide/help/words_page.h"
#include "tests/ide/pages/page_world.h"

#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestHelp : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnOurWarnings(); }

    void eachWordStandsOnceInItsOrder() {
        QSet<QString> words;
        QString before;
        for (const GlossaryEntry &entry : glossary()) {
            QVERIFY2(!words.contains(entry.word), qPrintable(entry.word));
            words.insert(entry.word);
            QVERIFY2(before.isEmpty() || before.compare(entry.word, Qt::CaseInsensitive) < 0,
                     qPrintable(before + QStringLiteral(", ") + entry.word));
            before = entry.word;
        }
    }

    void aMeaningIsAFewSentences() {
        for (const GlossaryEntry &entry : glossary()) {
            QVERIFY2(entry.meaning.endsWith(QLatin1Char('.')), qPrintable(entry.word));
            QVERIFY2(entry.meaning.size() >= 40 && entry.meaning.size() <= 260, qPrintable(entry.word));
        }
    }

    void wordsAreFound_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("word");
        const auto add = [](const char *typed, const char *word) {
            QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(word);
        };
        for (const char *own :
             {"judge", "twin", "hunk", "arm", "exercised", "move", "playbook", "speed of light", "reward",
              "certify", "iteration", "verdict", "proposal", "doubt", "tier", "stale"})
            add(own, own);
        add("kept", "kept, left out");
        add("hit", "hit, off, undecided");
        add("undecided", "hit, off, undecided");
        add("harness", "judge");
        add("CPU implementation", "twin");
        add("peak", "ceiling");
        add("executed", "exercised");
        add("source code", "text");
        add("TF32", "precision class");
        add("speedup", "speed-up");
        add("speed-up", "speed-up");
    }

    void wordsAreFound() {
        QFETCH(QString, typed);
        QFETCH(QString, word);
        QStringList found;
        for (const GlossaryEntry &entry : explained(typed.split(QLatin1Char(' '))))
            found << entry.word;
        QVERIFY2(found.contains(word), qPrintable(found.join(QStringLiteral("; "))));
        if (typed == word)
            QVERIFY2(found.front().contains(word), qPrintable(found.front())); // first whose name it is
    }

    void thePageFiltersByWhatIsTyped() {
        WordsPage page(houseLook());
        showAt(page, 1280, 720);
        QCOMPARE(page.shownWords().size(), static_cast<qsizetype>(glossary().size()));
        auto *field = child<QLineEdit>(page, "wordsSearch");
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        page.setFocus();
        QTest::keyClicks(field, QStringLiteral("twin"));
        QCOMPARE(page.shownWords().value(0), QStringLiteral("twin"));
        QVERIFY(page.shownWords().size() < static_cast<qsizetype>(glossary().size()));
        field->setText(QStringLiteral("no such word"));
        QVERIFY(page.shownWords().isEmpty());
        QVERIFY(child<QLabel>(page, "noWord")->isVisible());
        QVERIFY(child<QLabel>(page, "noWord")->text().contains(QStringLiteral("«no such word»")));
        // Esc empties the field first, then leaves.
        QSignalSpy closed(&page, &WordsPage::closed);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(field->text().isEmpty() && closed.isEmpty());
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(closed.size(), 1);
    }

    void whoTypesReadsOn() {
        WordsPage page(houseLook());
        showAt(page, 900, 560);
        page.setFocus();
        const QScrollBar *bar = page.findChild<QScrollArea *>()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        QTest::keyClick(child<QLineEdit>(page, "wordsSearch"), Qt::Key_PageDown);
        QVERIFY(bar->value() > 0);
        page.open();
        QCOMPARE(bar->value(), 0);
        takePictures(page, QStringLiteral("words"));
    }
};

QObject *makeTestHelp() {
    return new TestHelp;
}
#include "tst_help.moc"
