// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

using namespace warpwright;

namespace {

void turnWheel(QWidget *over) {
    const QPointF place = over->rect().center();
    QWheelEvent event(place, over->mapToGlobal(place), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(over, &event);
}

/// A long page with one of each on it.
struct Page {
    QScrollArea area;
    QSpinBox *number = new QSpinBox;
    QDoubleSpinBox *real = new QDoubleSpinBox;
    QSlider *slider = new QSlider(Qt::Horizontal);
    QComboBox *choice = new QComboBox;
    std::vector<std::pair<QWidget *, std::function<double()>>> fields{{number,
                                                                       [this] {
                                                                           return number->value();
                                                                       }},
                                                                      {real,
                                                                       [this] {
                                                                           return real->value();
                                                                       }},
                                                                      {slider,
                                                                       [this] {
                                                                           return slider->value();
                                                                       }},
                                                                      {choice, [this] {
                                                                           return choice->currentIndex();
                                                                       }}};

    Page() {
        auto *content = new QWidget;
        auto *column = new QVBoxLayout(content);
        choice->addItems({"a", "b", "c", "d", "e"});
        choice->setCurrentIndex(2);
        for (const auto &[field, value] : fields)
            column->addWidget(field);
        content->setMinimumHeight(4000);
        number->setValue(20);
        real->setValue(20);
        slider->setValue(20);
        area.setWidget(content);
        area.setWidgetResizable(true);
        area.resize(300, 300);
        area.show();
    }
};

} // namespace

class TestWheelFocus : public QObject {
    Q_OBJECT

private:
    Look m_look;

private slots:
    void initTestCase() { qApp->setStyle(new HouseStyle(m_look)); }

    void leavesTheWheelToThePage() {
        Page page;
        QVERIFY(QTest::qWaitForWindowActive(&page.area));
        for (const auto &[field, value] : page.fields) {
            const char *kind = field->metaObject()->className();
            const double before = value();
            page.area.setFocus();
            page.area.verticalScrollBar()->setValue(0);
            for (int turn = 0; turn < 3; ++turn)
                turnWheel(field);
            QVERIFY2(value() == before, kind);
            QVERIFY2(!field->hasFocus(), kind);
            QVERIFY2(page.area.verticalScrollBar()->value() > 0, kind);
            field->setFocus(Qt::OtherFocusReason);
            turnWheel(field);
            QVERIFY2(value() == before, kind);
            field->clearFocus();
            field->setFocus(Qt::TabFocusReason);
            turnWheel(field);
            QVERIFY2(value() != before, kind);
        }
    }

    void aScrollBarAlwaysTurns() {
        const Page page;
        turnWheel(page.area.verticalScrollBar());
        QVERIFY(page.area.verticalScrollBar()->value() > 0);
    }
};

QObject *makeTestWheelFocus() {
    return new TestWheelFocus;
}

#include "tst_wheel_focus.moc"
