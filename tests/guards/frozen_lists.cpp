// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/frozen_lists.h"

#include "warpwright_version.h"

#include <QDir>
#include <QRegularExpression>
#include <QSaveFile>
#include <algorithm>

namespace warpwright {

namespace {

bool isOfLayers(const QString &path) {
    static const QStringList layers{"agent/", "app/", "profiler_views/", "toolchain/", "widgets/"};
    return std::any_of(layers.begin(), layers.end(),
                       [&path](const QString &layer) { return path.startsWith(layer); });
}

} // namespace

bool isCpp(const QString &path) {
    static const QStringList endings{".h", ".cpp", ".cu", ".cuh"};
    const bool isOurs = isOfLayers(path) || path.startsWith("tests/");
    return isOurs && std::any_of(endings.begin(), endings.end(),
                                 [&path](const QString &ending) { return path.endsWith(ending); });
}

bool isCppOfLayers(const QString &path) {
    return isOfLayers(path) && isCpp(path);
}

bool hasForeignEnding(const QString &path) {
    static const QRegularExpression ending(
        "\\.(c|cc|cp|cxx|c\\+\\+|cppm|h\\+\\+|hh|hpp|hxx|icc|inc|inl|ipp|ixx|tcc|tpp|txx)$",
        QRegularExpression::CaseInsensitiveOption);
    return isOfLayers(path) && ending.match(path).hasMatch();
}

bool isTemplate(const QString &path) {
    return isOfLayers(path) && path.endsWith(".in") && path.contains("/templates/");
}

bool isSourceList(const QString &path) {
    return isOfLayers(path) && (path.endsWith("/CMakeLists.txt") || path.endsWith(".cmake") ||
                                path == "toolchain/referee/build.json");
}

bool isReadmeOfLayers(const QString &path) {
    return isOfLayers(path) && path.endsWith("/README.md");
}

QVector<GuardFile> chosenFiles(const QVector<GuardFile> &files, bool (*isWanted)(const QString &path)) {
    QVector<GuardFile> found;
    std::copy_if(files.begin(), files.end(), std::back_inserter(found),
                 [isWanted](const GuardFile &file) { return isWanted(file.path); });
    return found;
}

QStringList beyondAllowed(const QString &name, const QString &title, const QVector<GuardFault> &faults) {
    if (const QString folder = qEnvironmentVariable("WARPWRIGHT_FREEZE"); !folder.isEmpty()) {
        QSaveFile file(QDir(folder).filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(allowListText(title, faults).toUtf8()) < 0 ||
            !file.commit())
            return {QString("Cannot write \"%1\": %2").arg(file.fileName(), file.errorString())};
        return {QString("WARPWRIGHT_FREEZE is set: \"%1\" was written, and nothing was checked")
                    .arg(file.fileName())};
    }
    return complaintsBeyond(AllowList::read(buildSourceFolder(), "tests/guards/allowed/" + name), faults);
}

} // namespace warpwright
