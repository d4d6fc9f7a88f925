// SPDX-License-Identifier: GPL-3.0-or-later
// The table on a proposal's card: one row where there is nothing to compare, and no word cut or on another.
#include "app/ide/review/hunk_table.h"
#include "app/ide/review/proposal_face.h"
#include "tests/ide/pages/page_world.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

constexpr int paneWidth = 332; ///< the agent's pane at its usual width, also in large text

ProposalView::Hunk hunkWith(int number, const QString &title, const ShownFigure &alone,
                            const ShownFigure &allBut) {
    return {10 + number, number, title, alone, allBut};
}

ShownFigure without(ShownFigure::State state) {
    return {state, {}, {}};
}

ShownFigure noise() {
    return {ShownFigure::Noise, QStringLiteral("−10.5"), QStringLiteral("± 10.5")};
}

ShownFigure known() {
    return {ShownFigure::Known, QStringLiteral("−14.4"), QStringLiteral("± 0.6")};
}

/// Twice four hunks: of comments, and of a file that this device does not run.
std::vector<ProposalView::Hunk> unmeasured() {
    const ShownFigure none = without(ShownFigure::None);
    const ShownFigure idle = without(ShownFigure::Unexercised);
    return {hunkWith(1, QStringLiteral("comment"), none, none),
            hunkWith(2, QStringLiteral("without #include <vector>"), none, none),
            hunkWith(3, QStringLiteral("launchSoftmaxRows: #pragma omp parallel for"), none, none),
            hunkWith(4, QStringLiteral("launchSoftmaxRows: for (int c = 0; c < columns; ++c)"), none, none),
            hunkWith(5, QStringLiteral("reduceBlock"), idle, idle),
            hunkWith(6, QStringLiteral("softmaxRows"), idle, idle),
            hunkWith(7, QStringLiteral("softmaxRows: float largest = -INFINITY;"), idle, idle),
            hunkWith(8, QStringLiteral("launchSoftmaxRows: softmaxRows<<<rows, 256>>>"), idle, idle)};
}

QStringList textsOf(const std::vector<HunkTablePiece> &pieces) {
    QStringList texts;
    for (const HunkTablePiece &piece : pieces)
        texts << piece.text;
    return texts;
}

/// What of these pieces cannot be read: cut, outside of the table, or on another. Empty: all can.
QString unreadable(const Look &look, const std::vector<HunkTablePiece> &pieces, int width) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const HunkTablePiece &piece = pieces[i];
        const QFontMetrics letters(look.font(TextRole::Small, piece.weight));
        if (letters.horizontalAdvance(piece.text) > piece.room.width())
            return piece.text + QStringLiteral(" is cut");
        if (piece.isTitle && piece.room.width() < look.px(40))
            return piece.text + QStringLiteral(" has no room");
        if (piece.room.left() < look.px(12) || piece.room.right() >= width)
            return piece.text + QStringLiteral(" lies outside");
        for (std::size_t other = 0; other < i; ++other)
            if (pieces[other].room.intersects(piece.room))
                return QStringLiteral("%1 lies on %2").arg(piece.text, pieces[other].text);
    }
    return {};
}

QString unreadable(const Look &look, const HunkTable &table, int hunks, int width) {
    QString found = unreadable(look, table.headPieces(), width);
    for (int i = 0; i < hunks && found.isEmpty(); ++i)
        found = unreadable(look, table.rowPieces(i), width);
    return found;
}

} // namespace

class TestHunkTable : public QObject {
    Q_OBJECT
private slots:
    void everyWordCanBeRead_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("pane");
        for (const int percent : {100, 125, 150})
            for (const int pane : {paneWidth, 420, 620, 900})
                QTest::addRow("%d %%, %d px", percent, pane) << percent / 100.0 << pane;
    }

    void everyWordCanBeRead() {
        QFETCH(double, scale);
        QFETCH(int, pane);
        Look look;
        look.set(Theme::dark(), scale);
        HunkTable table(look);
        const int width = pane - look.px(26); // within its card
        std::vector<ProposalView::Hunk> hunks = unmeasured();
        const auto check = [&] {
            table.setHunks(hunks, QStringLiteral("ms"));
            table.layOut(width);
            return unreadable(look, table, static_cast<int>(hunks.size()), width);
        };
        QCOMPARE(check(), QString());
        // Of what was not measured there is one row a hunk, below one of heads.
        QCOMPARE(table.height(), look.px(4 + 24) + 8 * look.px(24));
        for (int i = 0; i < 8; ++i)
            QCOMPARE(table.hunkAt(look.px(4 + 24) + i * look.px(24) + 1), i);
        QCOMPARE(table.hunkAt(look.px(4)), -1);
        QCOMPARE(table.hunkAt(table.height()), -1);
        // Answered: an icon more.
        for (ProposalView::Hunk &hunk : hunks)
            hunk.mark = ProposalView::Hunk::Rejected;
        QCOMPARE(check(), QString());
        hunks[0].alone = noise();
        hunks[0].allBut = noise();
        hunks[1].alone = without(ShownFigure::Measuring);
        hunks[1].allBut = {ShownFigure::Failed, QStringLiteral("does not compile"), {}};
        QCOMPARE(check(), QString());
        for (ProposalView::Hunk &hunk : hunks)
            hunk.alone = hunk.allBut = noise();
        QCOMPARE(check(), QString());
        // Drawn as well, whole and in part.
        QImage picture(width, table.height(), QImage::Format_RGB32);
        picture.fill(look.color("bg.pane"));
        const QImage empty = picture;
        QPainter painter(&picture);
        painter.setClipRect(0, 0, width, look.px(60));
        table.draw(painter, 0, 1);
        painter.end();
        QVERIFY(picture.copy(0, 0, width, look.px(60)) != empty.copy(0, 0, width, look.px(60)));
    }

    void figuresStandUnderTheirHeads_data() {
        QTest::addColumn<double>("scale");
        QTest::newRow("100 %") << 1.0;
        QTest::newRow("125 %") << 1.25;
        QTest::newRow("150 %") << 1.5;
    }

    void figuresStandUnderTheirHeads() {
        QFETCH(double, scale);
        Look look;
        look.set(Theme::light(), scale);
        HunkTable table(look);
        std::vector<ProposalView::Hunk> hunks = unmeasured();
        hunks[2].alone = known();
        hunks[2].allBut = known();
        table.setHunks(hunks, QStringLiteral("µs"));
        table.layOut(paneWidth - look.px(26));
        const std::vector<HunkTablePiece> head = table.headPieces();
        const std::vector<HunkTablePiece> row = table.rowPieces(2);
        QVERIFY2(head[0].text.contains(QStringLiteral("µs")), qPrintable(head[0].text));
        std::vector<int> ends;
        std::vector<int> spreads;
        for (const HunkTablePiece &piece : head)
            if (piece.text == QLatin1String("only this") || piece.text == QLatin1String("without this"))
                ends.push_back(piece.room.right());
        for (const HunkTablePiece &piece : row)
            if (piece.text == QStringLiteral(" ± 0.6"))
                spreads.push_back(piece.room.right());
        QCOMPARE(spreads.size(), std::size_t(2));
        if (ends.empty()) { // large text: each has its own line, and says what it is
            QVERIFY(textsOf(row).contains(QStringLiteral("only this")));
            QVERIFY(textsOf(row).contains(QStringLiteral("without this")));
        } else {
            // A figure is put together of parts, each rounded.
            QCOMPARE(ends.size(), std::size_t(2));
            for (std::size_t i = 0; i < 2; ++i)
                QVERIFY(std::abs(ends[i] - spreads[i]) <= 2);
        }
        // What stands beside it says its reason once.
        QCOMPARE(textsOf(table.rowPieces(4)).filter(QStringLiteral("not exercised")).size(), 1);
        QCOMPARE(textsOf(table.rowPieces(0)).filter(QStringLiteral("not measured")).size(), 1);
    }

    void oneReasonForAllIsToldByTheHead() {
        Look look;
        HunkTable table(look);
        std::vector<ProposalView::Hunk> hunks = unmeasured();
        hunks.resize(4);
        table.setHunks(hunks, QStringLiteral("ms"));
        table.layOut(paneWidth);
        QCOMPARE(textsOf(table.headPieces()),
                 QStringList({QStringLiteral("By hunk"), QStringLiteral("not measured")}));
        for (int i = 0; i < 4; ++i)
            QVERIFY(!textsOf(table.rowPieces(i)).contains(QStringLiteral("not measured")));
        // Two reasons: each hunk says its own.
        table.setHunks(unmeasured(), QStringLiteral("ms"));
        table.layOut(paneWidth);
        QCOMPARE(textsOf(table.headPieces()), QStringList({QStringLiteral("By hunk")}));
        QVERIFY(textsOf(table.rowPieces(0)).contains(QStringLiteral("not measured")));
        QVERIFY(textsOf(table.rowPieces(7)).contains(QStringLiteral("not exercised")));
    }

    // Asked for, a hunk has the room of its figures from then on.
    void noRowGrowsWhenAFigureComes() {
        Look look;
        HunkTable table(look);
        std::vector<ProposalView::Hunk> hunks = unmeasured();
        hunks.resize(4);
        for (ProposalView::Hunk &hunk : hunks)
            hunk.alone = hunk.allBut = without(ShownFigure::Measuring);
        const auto tall = [&] {
            table.setHunks(hunks, QStringLiteral("ms"));
            table.layOut(paneWidth - look.px(26));
            return table.height();
        };
        const int asked = tall();
        QVERIFY(asked > look.px(4 + 24) + 4 * look.px(24)); // a title, and figures below it
        hunks[0].alone = noise();
        QCOMPARE(tall(), asked);
        hunks[0].allBut = known();
        hunks[1].alone = hunks[1].allBut = {ShownFigure::Failed, QStringLiteral("wrong"), {}};
        QCOMPARE(tall(), asked);
    }

    void theCardLeadsToTheHunkOfEachRow() {
        ProposalFace face(houseLook());
        ProposalView proposal;
        proposal.hunks = unmeasured();
        proposal.hunks[1].alone = known(); // of two rows where the card is narrow
        showAt(face, 300, 400);
        face.setProposal(proposal);
        QSignalSpy picked(&face, &ProposalFace::hunkPicked);
        for (int y = 1; y < face.height(); y += 4)
            QTest::mouseClick(&face, Qt::LeftButton, {}, {40, y});
        QList<int> ids;
        for (const QList<QVariant> &call : picked)
            if (ids.isEmpty() || ids.last() != call[0].toInt())
                ids << call[0].toInt();
        QCOMPARE(ids, QList<int>({11, 12, 13, 14, 15, 16, 17, 18}));
        // What is drawn once is told of both.
        QVERIFY(face.accessibleName().contains(QStringLiteral(
            "hunk 5, reduceBlock: only this hunk not exercised on this device, without this hunk not "
            "exercised on this device")));
    }
};

QObject *makeTestHunkTable() {
    return new TestHunkTable;
}

#include "tst_hunk_table.moc"
