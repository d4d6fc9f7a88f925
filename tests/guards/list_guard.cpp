// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/list_guard.h"

#include <QHash>
#include <QMap>
#include <QRegularExpression>

namespace warpwright {

namespace {

QString folderOf(const QString &path) {
    return path.left(path.lastIndexOf('/'));
}

QSet<QString> wordsInCode(const QStringList &lines) {
    static const QRegularExpression word("\\w+");
    QSet<QString> words;
    bool isFenced = false;
    bool isCode = false;
    for (const QString &line : lines) {
        if (line.trimmed().startsWith("```")) {
            isFenced = !isFenced;
            isCode = false;
            continue;
        }
        if (line.trimmed().isEmpty())
            isCode = false; // code ends with its paragraph
        const QStringList pieces = line.split('`');
        for (qsizetype at = 0; at < pieces.size(); ++at) {
            if (at > 0)
                isCode = !isCode;
            if (isCode || isFenced)
                for (auto found = word.globalMatch(pieces.at(at)); found.hasNext();)
                    words.insert(found.next().captured());
        }
    }
    return words;
}

/// Of a folder: the names of its modules, each with one of its files.
QMap<QString, QString> modulesOf(const QStringList &paths) {
    QMap<QString, QString> modules;
    const auto nameOf = [](const QString &path) {
        return path.section('/', -1).section('.', 0, 0);
    };
    for (const QString &path : paths)
        if (path.endsWith(".h") || path.endsWith(".cuh"))
            modules.insert(nameOf(path), path);
    const QStringList ofHeaders = modules.keys();
    for (const QString &path : paths) {
        QString name = nameOf(path);
        bool isPart = false;
        while (!isPart && name.contains('_')) {
            name.truncate(name.lastIndexOf('_'));
            isPart = ofHeaders.contains(name);
        }
        if (!isPart && !modules.contains(nameOf(path)))
            modules.insert(nameOf(path), path);
    }
    return modules;
}

} // namespace

QVector<GuardFault> unlistedFaults(const QVector<GuardFile> &files, const CMakeSources &sources) {
    QVector<GuardFault> faults;
    for (const GuardFile &file : files) {
        const bool isHeader = file.path.endsWith(".h") || file.path.endsWith(".cuh");
        const QString source = file.path.left(file.path.lastIndexOf('.')) + ".cpp";
        const bool isOfProgram = sources.listed.contains(source) && !sources.ofLibraries.contains(source);
        const bool isOfReferee = file.path.startsWith("toolchain/referee/");
        if (isHeader && !isOfProgram && !isOfReferee && !sources.headers.contains(file.path))
            faults.append({file.path, {}, file.path + ": this header is in no FILE_SET of its library"});
        if (!isHeader && isOfReferee && !sources.ofReferee.contains(file.path))
            faults.append(
                {file.path, {}, file.path + ": this source is in no program of the judge's build.json"});
        if (!isHeader && !isOfReferee && !sources.listed.contains(file.path))
            faults.append({file.path, {}, file.path + ": this source is in no list of a CMakeLists.txt"});
    }
    return faults;
}

QVector<GuardFault> unnamedModuleFaults(const QVector<GuardFile> &files, const QVector<GuardFile> &readmes) {
    QHash<QString, QSet<QString>> named;
    for (const GuardFile &readme : readmes)
        named.insert(folderOf(readme.path), wordsInCode(readme.lines));
    QMap<QString, QStringList> filesOf;
    for (const GuardFile &file : files)
        filesOf[folderOf(file.path)].append(file.path);
    QVector<GuardFault> faults;
    for (auto folder = filesOf.constBegin(); folder != filesOf.constEnd(); ++folder) {
        QSet<QString> names = named.value(folder.key());
        QString above = folder.key();
        while (!named.contains(folder.key()) && above.contains('/')) {
            above = folderOf(above);
            names += named.value(above);
        }
        const QMap<QString, QString> modules = modulesOf(*folder);
        for (auto module = modules.constBegin(); module != modules.constEnd(); ++module)
            if (!names.contains(module.key()))
                faults.append({folder.key() + '/' + module.key(),
                               {},
                               QString("%1: no README.md of its folder names the module `%2`")
                                   .arg(*module, module.key())});
    }
    return faults;
}

} // namespace warpwright
