// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/long_list.h"

#include <QAbstractListModel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyledItemDelegate>
#include <QTest>

#include <set>

using namespace warpwright;

namespace {

constexpr int rows = 100'000;
constexpr int rowHeight = 20;

/// Knows which rows were asked for.
class CountingModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : count; }
    QVariant data(const QModelIndex &index, int role) const override {
        asked.insert(index.row());
        return role == Qt::DisplayRole ? QVariant(index.row()) : QVariant();
    }
    Qt::ItemFlags flags(const QModelIndex &index) const override {
        return index.row() == 3 ? Qt::ItemNeverHasChildren : QAbstractListModel::flags(index);
    }
    void reset(int newCount) {
        beginResetModel();
        count = newCount;
        endResetModel();
    }

    int count = rows;
    mutable std::set<int> asked;
};

class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
        return {80, rowHeight};
    }
};

struct ListWorld {
    CountingModel model;
    LongList list;

    ListWorld() {
        list.setModel(&model);
        list.setItemDelegate(new RowDelegate(&list));
        list.setFrameShape(QFrame::NoFrame);
        list.resize(200, 10 * rowHeight);
        list.show();
    }
    [[nodiscard]] bool isShown() { return QTest::qWaitForWindowExposed(&list); }
};

} // namespace

class TestLongList : public QObject {
    Q_OBJECT
private slots:
    // What it costs is counted in rows: those in sight, wherever it stands.
    void asksForNothingButWhatIsInSight() {
        ListWorld world;
        QVERIFY(world.isShown());
        QTRY_VERIFY(!world.model.asked.empty());
        QVERIFY2(world.model.asked.size() <= 12, qPrintable(QString::number(world.model.asked.size())));
        QCOMPARE(world.list.verticalScrollBar()->maximum(), (rows - 10) * rowHeight);
        world.model.asked.clear();
        world.list.scrollTo(world.model.index(70'000));
        QTRY_VERIFY(world.model.asked.count(70'000) == 1);
        QVERIFY(world.model.asked.size() <= 24);
        QVERIFY(*world.model.asked.begin() > 69'900);
        // A page that came is drawn where it is seen, and nothing is laid out.
        world.model.asked.clear();
        emit world.model.dataChanged(world.model.index(0), world.model.index(50'000));
        emit world.model.dataChanged(world.model.index(70'000), world.model.index(70'000));
        QTest::qWait(50);
        QVERIFY(world.model.asked.size() <= 12);
    }

    void knowsWhereARowLies() {
        ListWorld world;
        QVERIFY(world.isShown());
        world.list.scrollTo(world.model.index(500), QAbstractItemView::PositionAtTop);
        const QRect rect = world.list.visualRect(world.model.index(503));
        QCOMPARE(rect, QRect(0, 3 * rowHeight, world.list.viewport()->width(), rowHeight));
        QCOMPARE(world.list.indexAt(rect.center()).row(), 503);
        QCOMPARE(world.list.indexAt(rect.topLeft() - QPoint(0, 1)).row(), 502);
        QVERIFY(!world.list.indexAt({5, -1000 * rowHeight}).isValid());
        QTest::mouseClick(world.list.viewport(), Qt::LeftButton, {}, rect.center());
        QCOMPARE(world.list.currentIndex().row(), 503);
        QVERIFY(world.list.selectionModel()->isSelected(world.model.index(503)));
        QCOMPARE(world.list.selectionModel()->selectedIndexes().size(), qsizetype(1));
    }

    void movesByKeysOverRowsThatOnlyStandThere() {
        ListWorld world;
        QVERIFY(world.isShown());
        world.list.setCurrentIndex(world.model.index(2));
        const auto press = [&world](int key) {
            QTest::keyClick(&world.list, static_cast<Qt::Key>(key));
            return world.list.currentIndex().row();
        };
        QCOMPARE(press(Qt::Key_Down), 4);
        QCOMPARE(press(Qt::Key_Up), 2);
        QCOMPARE(press(Qt::Key_PageDown), 11);
        QCOMPARE(press(Qt::Key_End), rows - 1);
        QVERIFY(world.list.viewport()->rect().contains(world.list.visualRect(world.list.currentIndex())));
        QCOMPARE(press(Qt::Key_Down), rows - 1);
        QCOMPARE(press(Qt::Key_Home), 0);
        world.model.asked.clear();
        QTest::keyClicks(&world.list, QStringLiteral("7"));
        QVERIFY(world.model.asked.size() <= 12);
    }

    void keepsTheCurrentRowInSight() {
        ListWorld world;
        QVERIFY(world.isShown());
        world.list.setCurrentIndex(world.model.index(509));
        world.list.scrollTo(world.model.index(509), QAbstractItemView::PositionAtBottom);
        world.list.resize(200, 4 * rowHeight);
        QTRY_VERIFY(world.list.viewport()->rect().contains(world.list.visualRect(world.model.index(509))));
        // One that was scrolled away stays away.
        world.list.scrollTo(world.model.index(90'000));
        world.list.resize(200, 3 * rowHeight);
        QTest::qWait(20);
        QVERIFY(!world.list.viewport()->rect().intersects(world.list.visualRect(world.model.index(509))));
    }

    void followsItsModel() {
        ListWorld world;
        QVERIFY(world.isShown());
        world.list.verticalScrollBar()->setValue(1'000'000);
        world.model.reset(5);
        QTRY_COMPARE(world.list.verticalScrollBar()->maximum(), 0);
        QVERIFY(!world.list.indexAt({5, 6 * rowHeight}).isValid());
        world.model.reset(0);
        QTest::qWait(20);
        QVERIFY(!world.list.indexAt({5, 5}).isValid());
        QTest::keyClick(&world.list, Qt::Key_Down);
        QVERIFY(!world.list.currentIndex().isValid());
    }
};

QObject *makeTestLongList() {
    return new TestLongList;
}

#include "tst_long_list.moc"
