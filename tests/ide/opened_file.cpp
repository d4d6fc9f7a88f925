// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ide/opened_file.h"

#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"

#include <QFile>

using namespace warpwright;

Opened::Opened(const QByteArray &bytes, const QString &name)
    : path(scratch.write(name, bytes)), drafts(scratch.path(QStringLiteral("state/drafts"))) {
    open();
}

void Opened::open() {
    file.reset();
    editor = makeCodeEditor(look, nullptr);
    file = std::make_unique<EditedFile>(path, editor.get(), DraftStore(drafts), nullptr);
    news = std::make_unique<QSignalSpy>(file.get(), &EditedFile::news);
    conflicts = std::make_unique<QSignalSpy>(file.get(), &EditedFile::conflictFound);
    saved = std::make_unique<QSignalSpy>(file.get(), &EditedFile::saved);
    saveFailed = std::make_unique<QSignalSpy>(file.get(), &EditedFile::saveFailed);
    QSignalSpy loaded(file.get(), &EditedFile::loaded);
    QSignalSpy failed(file.get(), &EditedFile::loadFailed);
    file->load();
    QTRY_VERIFY(!loaded.isEmpty() || !failed.isEmpty());
}

void Opened::writeOutside(const QByteArray &bytes) const {
    QFile disk(path);
    QVERIFY(disk.open(QIODevice::WriteOnly));
    disk.write(bytes);
}

bool Opened::heard(EditedFile::News what) const {
    for (const QList<QVariant> &each : *news)
        if (each.value(0).value<EditedFile::News>() == what)
            return true;
    return false;
}

QString Opened::lastNews() const {
    return news->isEmpty() ? QString() : news->last().value(1).toString();
}
