// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/review_text.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/review/hunk_bar.h"
#include "widgets/review/hunk_head.h"

#include <QAction>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestHunkBar : public QObject {
    Q_OBJECT

private:
    Look m_look;
    QAction m_previous{QStringLiteral("Previous hunk")};
    QAction m_next{QStringLiteral("Next hunk")};
    QAction m_accept{QStringLiteral("Accept all hunks")};
    QAction m_reject{QStringLiteral("Reject all hunks")};
    QAction m_undo{QStringLiteral("Undo")};
    QAction m_run{QStringLiteral("Run")};

    HunkActions actions() { return {&m_previous, &m_next, &m_accept, &m_reject, &m_undo, &m_run}; }
    static std::vector<ShownHunk> answered(ShownHunk::State state) {
        std::vector<ShownHunk> hunks = threeHunks();
        for (ShownHunk &hunk : hunks) {
            hunk.state = state;
            hunk.isUntouched = false;
        }
        return hunks;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void noTitleRunsUnderTheButtons() {
        ShownHunk hunk = threeHunks().front();
        hunk.state = ShownHunk::Open;
        hunk.title = QStringLiteral("#include <vector> and what else there is to say of it");
        for (const int width : {190, 210, 240, 300}) {
            HunkHead head(m_look, nullptr);
            head.setHunk(hunk, false, {}, {});
            head.resize(width, 40);
            const QImage image = head.grab().toImage();
            int left = width;
            for (const auto *button : head.findChildren<QAbstractButton *>())
                if (!button->isHidden())
                    left = std::min(left, button->x());
            QVERIFY(left < width);
            const QRgb ground = image.pixel(left - 1, 4);
            for (int y = 4; y < 36; ++y)
                for (int x = left - 2; x < left; ++x)
                    QVERIFY2(image.pixel(x, y) == ground, qPrintable(QString::number(width)));
        }
    }

    void saysHowFarItIs_data() {
        QTest::addColumn<std::vector<int>>("states");
        QTest::addColumn<int>("current");
        QTest::addColumn<QString>("words");
        using H = ShownHunk;
        const auto row = [](const char *name, std::vector<int> states, int current, const char *words) {
            QTest::newRow(name) << std::move(states) << current << QString::fromLatin1(words);
        };
        row("all open", {H::Open, H::Open}, 1, "hunk 1 of 2, 2 left");
        row("none current", {H::Open, H::Open, H::Open}, 0, "3 hunks, 3 left");
        row("one", {H::Open}, 0, "1 hunk, 1 left");
        row("each state", {H::Accepted, H::Rejected, H::Edited, H::Conflict, H::Open}, 4,
            "hunk 4 of 5, 1 accepted, 1 rejected, 1 edited, 2 left");
        row("none left", {H::Accepted, H::Accepted}, 2, "hunk 2 of 2, 2 accepted, 0 left");
    }

    void saysHowFarItIs() {
        QFETCH(std::vector<int>, states);
        QFETCH(int, current);
        std::vector<ShownHunk> hunks;
        for (const int state : states) {
            hunks.emplace_back();
            hunks.back().id = static_cast<int>(hunks.size());
            hunks.back().state = static_cast<ShownHunk::State>(state);
        }
        QTEST(reviewProgress(hunks, current), "words");
    }

    void isThereOnlyWhileThereIsAReview() {
        HunkBar bar(m_look, actions());
        QVERIFY(bar.isHidden());
        bar.setReview(QStringLiteral("Proposal 7"), threeHunks(), 12);
        QVERIFY(bar.isVisible());
        QCOMPARE(bar.progress(), QStringLiteral("hunk 2 of 3, 1 accepted, 2 left"));
        bar.setReview({}, {}, 0);
        QVERIFY(bar.isHidden());
    }

    void buttonsDoWhatTheActionsDo() {
        HunkBar bar(m_look, actions());
        bar.resize(620, 40);
        bar.setReview(QStringLiteral("Proposal 7"), threeHunks(), 12);
        const std::vector<std::pair<const char *, QAction *>> pairs{{"previousHunkButton", &m_previous},
                                                                    {"nextHunkButton", &m_next},
                                                                    {"acceptRestButton", &m_accept},
                                                                    {"rejectRestButton", &m_reject},
                                                                    {"undoHunkButton", &m_undo}};
        for (const auto &[name, action] : pairs) {
            auto *button = bar.findChild<ActionButton *>(QLatin1String(name));
            QSignalSpy triggered(action, &QAction::triggered);
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(triggered.size(), 1);
            QVERIFY(bar.rect().contains(button->geometry()));
            action->setEnabled(false);
            QVERIFY(!button->isEnabled());
            action->setEnabled(true);
        }
    }

    void whatIsAllAnsweredLeadsOn() {
        HunkBar bar(m_look, actions());
        bar.resize(620, 40);
        bar.setReview(QStringLiteral("Proposal 7"), threeHunks(), 12);
        auto *goOn = bar.findChild<ActionButton *>(QStringLiteral("goOnButton"));
        const auto *accept = bar.findChild<ActionButton *>(QStringLiteral("acceptRestButton"));
        QVERIFY(!goOn->isVisible() && accept->isVisible());
        m_run.setEnabled(false); // the run is at work
        bar.setReview(QStringLiteral("Proposal 7"), answered(ShownHunk::Accepted), 12);
        QVERIFY(goOn->isVisible() && !goOn->isEnabled() && !accept->isVisible());
        QVERIFY(!bar.findChild<ActionButton *>(QStringLiteral("rejectRestButton"))->isVisible());
        m_run.setEnabled(true);
        QVERIFY(goOn->isEnabled());
        QCOMPARE(goOn->text(), QStringLiteral("Apply and go on"));
        QCOMPARE(goOn->accessibleName(), goOn->text());
        QVERIFY(bar.rect().contains(goOn->geometry()));
        QSignalSpy triggered(&m_run, &QAction::triggered);
        QTest::mouseClick(goOn, Qt::LeftButton);
        QCOMPARE(triggered.size(), 1);
        // Nothing of it is taken: nothing is applied.
        bar.setReview(QStringLiteral("Proposal 7"), answered(ShownHunk::Rejected), 12);
        QCOMPARE(goOn->text(), QStringLiteral("Go on"));
        bar.setReview(QStringLiteral("Proposal 8"), threeHunks(), 12);
        QVERIFY(!goOn->isVisible() && accept->isVisible());
    }

    void theStripLeadsToHunks() {
        HunkBar bar(m_look, actions());
        bar.resize(620, 40);
        bar.setReview(QStringLiteral("Proposal 7"), threeHunks(), 12);
        QSignalSpy picked(&bar, &HunkBar::hunkPicked);
        for (int x = 0; x < bar.width() && picked.size() < 3; x += 4)
            QTest::mouseClick(&bar, Qt::LeftButton, {}, {x, 20});
        QVERIFY(picked.size() >= 1);
        QCOMPARE(picked[0][0].toInt(), 11);
    }

    void fitsWhereItIsNarrow() {
        HunkBar bar(m_look, actions());
        bar.setReview(QStringLiteral("Proposal 7"), threeHunks(), 12);
        bar.resize(280, 40);
        for (const ActionButton *button : bar.findChildren<ActionButton *>())
            QVERIFY(bar.rect().contains(button->geometry()));
    }
};

QObject *makeTestHunkBar() {
    return new TestHunkBar;
}

#include "tst_hunk_bar.moc"
