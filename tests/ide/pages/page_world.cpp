// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ide/pages/page_world.h"

#include "tests/toolchain/places.h"
#include "toolchain/base/json.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "widgets/look/house_style.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

Look &houseLook() {
    static auto *look = [] {
        auto *made = new Look(qApp);
        qApp->setStyle(new HouseStyle(*made));
        const auto adopt = [made] {
            qApp->setPalette(made->theme().palette());
            qApp->setFont(made->font(TextRole::Body));
        };
        QObject::connect(made, &Look::changed, qApp, adopt);
        adopt();
        return made;
    }();
    return *look;
}

void failOnOurWarnings() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
}

void showAt(QWidget &page, int width, int height) {
    page.resize(width, height);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
}

void takePictures(QWidget &page, const QString &name) {
    const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
    struct Case {
        const char *suffix;
        bool isDark;
        double scale;
        QSize size;
    };
    for (const Case &wanted : {Case{"light", false, 1, {1600, 1000}}, Case{"dark", true, 1, {1600, 1000}},
                               Case{"small", false, 1, {1280, 720}}, Case{"scale", true, 1.5, {1280, 720}}}) {
        houseLook().set(wanted.isDark ? Theme::dark() : Theme::light(), wanted.scale);
        page.resize(wanted.size);
        QTest::qWait(20);
        const QPixmap picture = page.grab();
        if (!folder.isEmpty()) {
            QVERIFY(QDir().mkpath(folder));
            QVERIFY(picture.save(folder + QLatin1Char('/') + name + QLatin1Char('-') +
                                 QLatin1String(wanted.suffix) + QStringLiteral(".png")));
        }
    }
    houseLook().set(Theme::light(), 1);
}

AgentEvent message(int id, const QString &author, const QString &text) {
    AgentEvent event;
    event.id = id;
    event.author = author;
    event.time = QStringLiteral("14:31");
    event.text = text;
    return event;
}

Evaluation recordedEvaluation(const QString &name) {
    QFile file(sourceFolder("/tests/data/evaluations/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    const auto evaluation = evaluationFromJson(file.readAll());
    if (!evaluation.hasValue())
        qFatal("%s", qPrintable(evaluation.message()));
    return evaluation.value();
}
