// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/profiles_world.h"

#include "app/ide/settings/profile_row.h"
#include "app/ide/settings/profiles_table.h"
#include "widgets/frame/action_button.h"

#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include <algorithm>

using namespace warpwright;

ProfilesTable &ProfilesWorld::table() const {
    return *window.find<ProfilesTable>(tableName);
}

ProfileRow *ProfilesWorld::row(const QString &name) const {
    return table().findChild<ProfileRow *>(QStringLiteral("profile-") + name);
}

QWidget *ProfilesWorld::form() const {
    return table().findChild<QWidget *>(QLatin1String(kindName) + QStringLiteral("Form"));
}

bool ProfilesWorld::formSays(const QString &words) const {
    const QList<QLabel *> said = form()->findChildren<QLabel *>();
    return std::any_of(said.begin(), said.end(), [&](const QLabel *label) {
        return label->isVisible() && label->text().contains(words);
    });
}

void ProfilesWorld::type(const char *field, const QString &text) const {
    auto *line = form()->findChild<QLineEdit *>(QString::fromLatin1(field));
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
}

void ProfilesWorld::press(const QWidget *in, const char *button) const {
    QTest::mouseClick(in->findChild<QAbstractButton *>(QString::fromLatin1(button)), Qt::LeftButton);
}

void ProfilesWorld::pressUndoOf(const QString &notice) const {
    for (QWidget *toast : window.window->findChildren<QWidget *>(QStringLiteral("toast")))
        if (toast->accessibleName().contains(notice))
            for (auto *button : toast->findChildren<QAbstractButton *>())
                if (button->text() == QLatin1String("Undo"))
                    QTest::mouseClick(button, Qt::LeftButton);
}

QString ProfilesWorld::trial(const QString &name) const {
    press(row(name), "tryProfile");
    const auto isTrying = [&] {
        const auto *button = row(name)->findChild<QAbstractButton *>(QStringLiteral("tryProfile"));
        return button->text() == QLatin1String("Stop");
    };
    if (!QTest::qWaitFor([&] { return !isTrying(); }, 30'000))
        return QStringLiteral("it did not end");
    return row(name)->findChild<QLabel *>(QStringLiteral("said"))->text();
}

QStringList ProfilesWorld::offered() const {
    QStringList texts;
    for (const auto *button : panel().findChildren<ActionButton *>())
        if (button->isVisibleTo(&panel()) && (button->text().startsWith(QStringLiteral("Let ")) ||
                                              button->text().startsWith(QStringLiteral("Set up "))))
            texts << button->text();
    return texts;
}
