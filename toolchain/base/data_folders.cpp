// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/data_folders.h"

#include "warpwright_version.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace warpwright {

namespace {

/// $NAME as an absolute path. The XDG specification says that a relative one is to be ignored; ours are taken
/// from here.
QString folderOf(const QProcessEnvironment &environment, const QString &name, bool isOurs) {
    const QString path = environment.value(name);
    if (path.isEmpty() || (!isOurs && !QDir::isAbsolutePath(path)))
        return {};
    return QDir::cleanPath(QDir::current().absoluteFilePath(path));
}

QString xdgFolder(const QProcessEnvironment &environment, const QString &name, const QString &belowHome) {
    QString base = folderOf(environment, name, false);
    if (base.isEmpty())
        base = environment.value(QStringLiteral("HOME"), QDir::homePath()) + belowHome;
    return base + QStringLiteral("/warpwright");
}

} // namespace

DataFolders DataFolders::find(const QProcessEnvironment &environment, const QString &executableFolder) {
    DataFolders folders;
    folders.data = folderOf(environment, QStringLiteral("WARPWRIGHT_DATA"), true);
    if (folders.data.isEmpty())
        folders.data =
            xdgFolder(environment, QStringLiteral("XDG_DATA_HOME"), QStringLiteral("/.local/share"));
    folders.cache = xdgFolder(environment, QStringLiteral("XDG_CACHE_HOME"), QStringLiteral("/.cache"));
    folders.config = xdgFolder(environment, QStringLiteral("XDG_CONFIG_HOME"), QStringLiteral("/.config"));
    folders.pythonEnvironment = folderOf(environment, QStringLiteral("WARPWRIGHT_ENV"), true);
    if (folders.pythonEnvironment.isEmpty())
        folders.pythonEnvironment = folders.data + QStringLiteral("/env");

    folders.resources = folderOf(environment, QStringLiteral("WARPWRIGHT_RESOURCES"), true);
    if (folders.resources.isEmpty()) {
        const QString installed = QDir::cleanPath(executableFolder + QStringLiteral("/../share/warpwright"));
        const QString inTree = QString::fromUtf8(buildSourceFolder()) + QStringLiteral("/resources");
        folders.resources = QFileInfo::exists(installed) || !QFileInfo::exists(inTree) ? installed : inTree;
    }
    folders.referee = folders.resources + QStringLiteral("/referee");
    // In the source tree the judge is a part of the toolchain, two folders away from the resources.
    const QString inTree = QDir::cleanPath(folders.resources + QStringLiteral("/../toolchain/referee"));
    if (!QFileInfo::exists(folders.referee) && QFileInfo::exists(inTree))
        folders.referee = inTree;
    return folders;
}

DataFolders DataFolders::find() {
    return find(QProcessEnvironment::systemEnvironment(), QCoreApplication::applicationDirPath());
}

} // namespace warpwright
