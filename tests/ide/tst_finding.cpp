// SPDX-License-Identifier: GPL-3.0-or-later
// Finding without a window: hits in texts, the hunt through many, the page that shows them.
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/finding/find_page.h"
#include "app/ide/finding/listing_texts.h"
#include "widgets/look/look.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFontMetrics>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

SearchQuery words(const QString &typed) {
    return {typed, false, false, false};
}

std::vector<FoundHit> hitsIn(const QString &text, const Question &question, std::size_t most = mostHits,
                             bool *isAll = nullptr) {
    std::vector<FoundHit> all;
    const std::atomic_bool stops(false);
    const bool whole = findLines(text, 0, question, most, stops, [&all](const std::vector<FoundHit> &hits) {
        all.insert(all.end(), hits.begin(), hits.end());
    });
    if (isAll != nullptr)
        *isAll = whole;
    return all;
}

SearchedText searched(const QString &title, const QString &text,
                      SearchedText::Kind kind = SearchedText::Candidate) {
    return {kind, title, title, -1, [text] { return text; }, {}};
}

/// A page that a hunt answers, as in the window.
struct Asked {
    explicit Asked(std::vector<SearchedText> all) : texts(std::move(all)), page(look) {
        QObject::connect(&page, &FindPage::asked, &hunt, [this](const Question &question) {
            page.begin(texts);
            hunt.start(texts, question);
        });
        QObject::connect(&page, &FindPage::stopAsked, &hunt, &TextHunt::stop);
        QObject::connect(&hunt, &TextHunt::found, &page, &FindPage::add);
        QObject::connect(&hunt, &TextHunt::finished, &page, &FindPage::end);
        page.resize(600, 400);
        page.show();
        field = page.findChild<QLineEdit *>(QStringLiteral("findAllField"));
        state = page.findChild<QLabel *>(QStringLiteral("findAllState"));
        list = page.findChild<QListView *>(QStringLiteral("findAllList"));
    }
    void check(const QString &option) const {
        for (auto *button : page.findChildren<QAbstractButton *>())
            if (button->toolTip() == option)
                button->setChecked(true);
    }

    Look look;
    std::vector<SearchedText> texts;
    TextHunt hunt;
    FindPage page;
    QLineEdit *field;
    QLabel *state;
    QListView *list;
};

} // namespace

class TestFinding : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void aHitKnowsItsLine() {
        const auto hits =
            hitsIn(QStringLiteral("int a;\n    float µ = rsqrtf(x); // µ\n"), {words("RSQRTF"), {}});
        QCOMPARE(hits.size(), 1U);
        const FoundHit &hit = hits.front();
        QCOMPARE(hit.line, 2);
        QCOMPARE(hit.column, 15);
        QCOMPARE(hit.words, QStringLiteral("float µ = rsqrtf(x); // µ"));
        QCOMPARE(hit.words.mid(hit.start, hit.length), QStringLiteral("rsqrtf"));
        QCOMPARE(hit.hit, (SearchHit{7 + 15, 6})); // µ has two bytes
    }

    void columnsAreCharacters() {
        const auto hits = hitsIn(QStringLiteral("/* 😀 */ needle"), {words("needle"), {}});
        QCOMPARE(hits.size(), 1U);
        QCOMPARE(hits.front().column, 9);
        QCOMPARE(hits.front().unit, 9); // from 0, and the emoji has two
    }

    void linesGoOnFromPieceToPiece() {
        QString text;
        for (int line = 1; line <= 20'000; ++line)
            text += line == 19'999 ? QStringLiteral("needle %1\n").arg(line) : QStringLiteral("hay µ\n");
        const auto hits = hitsIn(text, {words("needle"), {}});
        QCOMPARE(hits.size(), 1U);
        QCOMPARE(hits.front().line, 19'999);
        QCOMPARE(hits.front().hit.start,
                 static_cast<long>(text.left(text.indexOf("needle")).toUtf8().size()));
    }

    void aLongLineIsShownAroundItsHit() {
        const auto hits = hitsIn(QStringLiteral("x").repeated(5000) + QStringLiteral("needle") +
                                     QStringLiteral("y").repeated(5000),
                                 {words("needle"), {}});
        QCOMPARE(hits.size(), 1U);
        QVERIFY(hits.front().words.size() <= shownOfLine);
        QCOMPARE(hits.front().words.mid(hits.front().start, hits.front().length), QStringLiteral("needle"));
        QCOMPARE(hits.front().column, 5001);
    }

    void moreThanTheMostIsSaid() {
        bool isAll = true;
        const QString text = QStringLiteral("x ").repeated(50);
        QCOMPARE(hitsIn(text, {words("x"), {}}, 20, &isAll).size(), 20U);
        QVERIFY(!isAll);
        QCOMPARE(hitsIn(text, {words("x"), {}}, 50, &isAll).size(), 50U);
        QVERIFY(isAll);
    }

    void whatWouldTakeItsPlaceIsKnown() {
        const Question question{{QStringLiteral("(\\w+)\\[i\\]"), true, false, true},
                                QStringLiteral("$1[j]")};
        const auto hits = hitsIn(QStringLiteral("y[i] = x[i];\n"), question);
        QCOMPARE(hits.size(), 2U);
        QCOMPARE(*hits[0].replacement, QStringLiteral("y[j]"));
        QCOMPARE(*hits[1].replacement, QStringLiteral("x[j]"));
    }

    void aHuntTellsAllTextsInOrder() {
        TextHunt hunt;
        QSignalSpy finished(&hunt, &TextHunt::finished);
        std::vector<FoundHit> all;
        connect(&hunt, &TextHunt::found, this, [&all](const std::vector<FoundHit> &hits) {
            all.insert(all.end(), hits.begin(), hits.end());
        });
        hunt.start({searched("a", "one two"), searched("b", "none"), searched("c", "two\ntwo")},
                   {words("two"), {}});
        QVERIFY(hunt.isRunning());
        QVERIFY(finished.wait());
        QVERIFY(!hunt.isRunning());
        QCOMPARE(all.size(), 3U);
        QCOMPARE(all[0].text, 0U);
        QCOMPARE(all[2].text, 2U);
        QCOMPARE(all[2].line, 2);
    }

    void aHuntStopsAtOnce() {
        QSemaphore reads;
        QSemaphore goOn;
        std::vector<SearchedText> texts;
        texts.push_back({SearchedText::Candidate,
                         "slow",
                         "slow",
                         -1,
                         [&reads, &goOn] {
                             reads.release();
                             goOn.acquire();
                             return QStringLiteral("two");
                         },
                         {}});
        TextHunt hunt;
        int heard = 0;
        int ended = 0;
        connect(&hunt, &TextHunt::found, this, [&heard] { ++heard; });
        connect(&hunt, &TextHunt::finished, this, [&ended](const TextHunt::Ending &ending) {
            QVERIFY(ending.isStopped);
            ++ended;
        });
        hunt.start(texts, {words("two"), {}});
        QVERIFY(reads.tryAcquire(1, 5000));
        hunt.stop();
        QCOMPARE(ended, 1); // before the pool has ended
        goOn.release();
        QVERIFY(QThreadPool::globalInstance()->waitForDone(5000));
        QCoreApplication::processEvents();
        QCOMPARE(heard, 0);
        QCOMPARE(ended, 1);
    }

    void theNewestQuestionIsAnswered() {
        TextHunt hunt;
        QSignalSpy finished(&hunt, &TextHunt::finished);
        std::vector<FoundHit> all;
        connect(&hunt, &TextHunt::found, this, [&all](const std::vector<FoundHit> &hits) {
            all.insert(all.end(), hits.begin(), hits.end());
        });
        const std::vector<SearchedText> texts{searched("a", "one two")};
        hunt.start(texts, {words("one"), {}});
        hunt.start(texts, {words("two"), {}});
        QVERIFY(finished.wait());
        QVERIFY(QThreadPool::globalInstance()->waitForDone(5000));
        QCoreApplication::processEvents();
        QCOMPARE(finished.size(), 1);
        QCOMPARE(all.size(), 1U);
        QCOMPARE(all.front().column, 5);
    }

    void theFieldHasRoomInANarrowPane() {
        Asked asked({searched("a.cu", "one")});
        asked.page.resize(220, 300);
        asked.page.show();
        QTRY_VERIFY(asked.field->width() > 180);
        asked.page.resize(700, 300);
        QTRY_VERIFY(asked.field->width() > 220 && asked.field->width() < 600); // its options stand beside it
    }

    void onlyTheCandidateIsReplaced() {
        Asked asked({searched("a.cu", "one"), searched("model.py", "one", SearchedText::Reference)});
        asked.check(QStringLiteral("Replace in the candidate's files"));
        asked.page.findChild<QLineEdit *>(QStringLiteral("replaceAllField"))->setText(QStringLiteral("two"));
        asked.field->setText(QStringLiteral("one"));
        QTRY_COMPARE(asked.page.rows().hitCount(), 2);
        QTRY_COMPARE(asked.state->text(), QStringLiteral("2 hits in 2 texts"));
        QCOMPARE(asked.page.rows().hits()[0].replacement, std::optional(QStringLiteral("two")));
        QVERIFY(!asked.page.rows().hits()[1].replacement);
    }

    void nothingIsReplacedThatNobodyHasSeen() {
        Asked asked({searched("a.cu", "one")});
        asked.check(QStringLiteral("Replace in the candidate's files"));
        auto *with = asked.page.findChild<QLineEdit *>(QStringLiteral("replaceAllField"));
        auto *all = asked.page.findChild<QAbstractButton *>(QStringLiteral("replaceAllButton"));
        const QSignalSpy replaced(&asked.page, &FindPage::replaceAsked);
        with->setText(QStringLiteral("two"));
        asked.field->setText(QStringLiteral("one"));
        QTRY_VERIFY(all->isEnabled());
        with->setText(QStringLiteral("three")); // and at once
        all->click();
        QCOMPARE(replaced.size(), 0);
        QTRY_VERIFY(all->isEnabled());
        QCOMPARE(asked.page.rows().hits()[0].replacement, std::optional(QStringLiteral("three")));
        all->click();
        QCOMPARE(replaced.size(), 1);
    }

    // Rows that all begin with the same words would read the same.
    void wordsBeforeAHitYieldToIt() {
        const QFontMetrics metrics(QApplication::font());
        const QString left = QStringLiteral("const float *__restrict__ x, const float *__restrict__ y, ");
        const QString right = QStringLiteral("int columns)");
        const int whole = metrics.horizontalAdvance(left + right);
        QCOMPARE(wordsBefore(left, right, 2 * whole, metrics), left);
        const QString cut = wordsBefore(left, right, whole / 2, metrics);
        QVERIFY2(cut.startsWith(QChar(0x2026)) && cut.endsWith(QStringLiteral("y, ")), qPrintable(cut));
        QVERIFY(metrics.horizontalAdvance(cut) <= whole / 2);
        QVERIFY(wordsBefore(left, right, -20, metrics).size() <= 1);
    }

    void rowsGrowAndAreDismissed() {
        FoundRows rows;
        QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rows.begin({searched("a", {}), searched("b", {})});
        FoundHit hit;
        hit.words = QStringLiteral("one");
        rows.add({hit, hit});
        rows.add({hit}); // of the same text, which is listed already
        hit.text = 1;
        rows.add({hit});
        QCOMPARE(rows.rowCount(), 6);
        QCOMPARE(rows.hitsOf(0), 3);
        QCOMPARE(rows.textCount(), 2);
        QCOMPARE(rows.nextHit(-1, 1), 1);
        QCOMPARE(rows.nextHit(3, 1), 5);
        QCOMPARE(rows.nextHit(1, -1), 5);
        rows.dismiss(2);
        QCOMPARE(rows.hitCount(), 3);
        rows.dismiss(0); // with the text all of its hits
        QCOMPARE(rows.hitCount(), 1);
        QCOMPARE(rows.index(0).data().toString(), QStringLiteral("b"));
    }

    void thePageSaysWhatWasFound() {
        Asked asked({searched("a.cu", "one\ntwo one\n"), searched("b.cu", "one")});
        asked.field->setText(QStringLiteral("one"));
        QTRY_COMPARE(asked.state->text(), QStringLiteral("3 hits in 2 texts"));
        QCOMPARE(asked.list->model()->rowCount(), 5);
        asked.field->setText(QStringLiteral("none"));
        QTRY_COMPARE(asked.state->text(), QStringLiteral("no hits in 2 texts"));
        asked.check(QStringLiteral("Regular expression"));
        asked.field->setText(QStringLiteral("on("));
        QTRY_VERIFY2(asked.state->text().startsWith(QStringLiteral("No regular expression: ")),
                     qPrintable(asked.state->text()));
        QCOMPARE(asked.list->model()->rowCount(), 0);
    }

    void thePageLeadsFromHitToHit() {
        Asked asked({searched("a.cu", "one\ntwo one\n"), searched("b.cu", "one")});
        QSignalSpy activated(&asked.page, &FindPage::hitActivated);
        asked.field->setText(QStringLiteral("one"));
        QTRY_COMPARE(asked.state->text(), QStringLiteral("3 hits in 2 texts"));
        const auto place = [&activated] {
            const auto hit = activated.takeFirst().at(0).value<FoundHit>();
            return QStringLiteral("%1:%2").arg(hit.text).arg(hit.line);
        };
        asked.page.step(1);
        QCOMPARE(place(), QStringLiteral("0:1"));
        asked.page.step(1);
        QCOMPARE(place(), QStringLiteral("0:2"));
        asked.page.step(1);
        QCOMPARE(place(), QStringLiteral("1:1"));
        asked.page.step(1); // round and round
        QCOMPARE(place(), QStringLiteral("0:1"));
        asked.page.step(-1);
        QCOMPARE(place(), QStringLiteral("1:1"));
        QTest::keyClick(asked.field, Qt::Key_Return);
        QCOMPARE(place(), QStringLiteral("0:1"));
    }

    void thePageSaysThatTheTextHasChanged() {
        Asked asked({searched("a.cu", "one")});
        asked.page.setStale(true); // nothing was found that could be wrong
        QVERIFY(!asked.page.isStale());
        asked.field->setText(QStringLiteral("one"));
        QTRY_COMPARE(asked.state->text(), QStringLiteral("1 hit in 1 text"));
        asked.page.setStale(true);
        QVERIFY(asked.state->text().endsWith(QStringLiteral("text changed since")));
        QTest::keyClick(asked.field, Qt::Key_Return); // searches again
        QTRY_COMPARE(asked.state->text(), QStringLiteral("1 hit in 1 text"));
    }

    void thePageSaysThatThereIsMore() {
        Asked asked({searched("a.cu", QStringLiteral("x ").repeated(12'000))});
        asked.field->setText(QStringLiteral("x"));
        QTRY_COMPARE(asked.state->text(),
                     QStringLiteral("more than 10,000 hits: the first 10,000 are listed"));
        QCOMPARE(asked.page.rows().hitCount(), 10'000);
    }

    void paintsInBothThemes() {
        const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        for (const bool isDark : {false, true}) {
            Asked asked(
                {searched("kernels/rows.cu", "float top = rowMax(x);\n    top = warpMax(top);\n"),
                 searched("Conversation with the agent", "the top of a row", SearchedText::Conversation)});
            asked.look.set(isDark ? Theme::dark() : Theme::light(), 1);
            asked.check(QStringLiteral("Replace in the candidate's files"));
            asked.page.findChild<QLineEdit *>(QStringLiteral("replaceAllField"))
                ->setText(QStringLiteral("largest"));
            asked.field->setText(QStringLiteral("top"));
            QTRY_COMPARE(asked.state->text(), QStringLiteral("4 hits in 2 texts"));
            asked.page.step(1);
            const QPixmap picture = asked.page.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(picture.save(
                    QStringLiteral("%1/find-all-%2.png").arg(folder, isDark ? "dark" : "light")));
        }
    }

    void aConversationKnowsItsEvents() {
        AgentEventModel events;
        AgentEvent said;
        said.id = 1;
        said.text = QStringLiteral("two\nlines");
        AgentEvent did;
        did.id = 2;
        did.kind = AgentEvent::Tool;
        did.name = QStringLiteral("compile");
        did.text = QStringLiteral("nvcc");
        events.append({said, did});
        const ConversationText text = conversationText(events);
        QCOMPARE(text.text, QStringLiteral("two\nlines\ncompile\nnvcc\n"));
        QCOMPARE(text.rowOf(0), 0);
        QCOMPARE(text.rowOf(1), 0);
        QCOMPARE(text.rowOf(2), 1);
        QCOMPARE(text.rowOf(3), 1);
    }
};

QObject *makeTestFinding() {
    return new TestFinding;
}

#include "tst_finding.moc"
