// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/task_files.h"

#include "toolchain/base/text_file.h"
#include "toolchain/text/python_text.h"
#include "toolchain/workspace/workspace.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr std::size_t mostFiles = 2000;
constexpr qsizetype longestName = 200;

class Search {
public:
    explicit Search(const QFileInfo &model) : m_model(model) {
        m_bases << model.absolutePath();
        // A link finds the neighbours of the file that it leads to as well, as Python's own command does.
        const QString there = QFileInfo(model.canonicalFilePath()).path();
        if (!m_bases.contains(there))
            m_bases << there;
        read(model.absoluteFilePath());
        while (!m_unread.isEmpty() && m_files.size() < mostFiles)
            read(m_unread.takeFirst());
    }

    [[nodiscard]] std::vector<TaskFile> files() const {
        std::vector<TaskFile> files;
        for (const auto &[name, path] : m_files)
            files.push_back({name, path});
        return files;
    }

private:
    /// `path`: as it stands in the text, relative to a base.
    void add(const QString &base, const QString &path) {
        const QString name = QDir::cleanPath(path);
        const QFileInfo file(base + QLatin1Char('/') + name);
        const bool isOutside = name.startsWith(QLatin1String("../")) || QDir::isAbsolutePath(name);
        if (isOutside || !file.isFile() || isCandidatePath(name) || name.startsWith(QLatin1Char('.')) ||
            file.canonicalFilePath() == m_model.canonicalFilePath() || m_files.count(name) > 0)
            return;
        m_files[name] = file.absoluteFilePath();
        if (file.suffix() == QLatin1String("py"))
            m_unread << file.absoluteFilePath();
    }

    void addFolder(const QString &base, const QString &name) {
        QDirIterator entries(base + QLatin1Char('/') + name, QDir::Files,
                             QDirIterator::Subdirectories | QDirIterator::FollowSymlinks);
        while (entries.hasNext() && m_files.size() < mostFiles)
            if (const QString path = QDir(base).relativeFilePath(entries.next());
                !path.contains(QLatin1String("__pycache__")))
                add(base, path);
    }

    void read(const QString &path) {
        const auto bytes = readTextFile(path, TaskFile::mostTextBytes);
        if (!bytes.hasValue())
            return;
        const PythonText text = readPythonText(bytes.value());
        for (const QString &base : std::as_const(m_bases)) {
            for (const QString &module : text.imports) {
                const QString top = module.section(QLatin1Char('.'), 0, 0);
                if (top.isEmpty() || top == QLatin1String("torch"))
                    continue; // torch is imported before any folder of a task is looked at
                add(base, top + QStringLiteral(".py"));
                if (QFileInfo(base + QLatin1Char('/') + top).isDir())
                    addFolder(base, top);
            }
            addNamed(base, text.strings, QFileInfo(path).path());
        }
    }

    /// A file that a string names: from the base, from beside that text, or in a folder that another one
    /// names.
    void addNamed(const QString &base, const QStringList &strings, const QString &folder) {
        QStringList names;
        QStringList places{QString()};
        if (folder != base && folder.startsWith(base + QLatin1Char('/')))
            places << folder.mid(base.size() + 1) + QLatin1Char('/');
        for (const QString &name : strings) {
            if (name.isEmpty() || name.size() > longestName || name.contains(QLatin1Char('\n')) ||
                name.contains(QChar::Null))
                continue;
            names << name;
            if (name.contains(QLatin1String("..")) || name == QLatin1String(".") ||
                QDir::isAbsolutePath(name))
                continue;
            if (QFileInfo(base + QLatin1Char('/') + name).isDir())
                places << name + QLatin1Char('/');
        }
        for (const QString &place : std::as_const(places))
            for (const QString &name : std::as_const(names))
                add(base, place + name);
    }

    QFileInfo m_model;
    QStringList m_bases;
    QStringList m_unread;
    std::map<QString, QString> m_files;
};

} // namespace

bool TaskFile::isText() const {
    return QFileInfo(path).size() <= mostTextBytes;
}

QByteArray TaskFile::state() const {
    if (isText()) {
        const auto text = readTextFile(path, mostTextBytes);
        return text.hasValue() ? text.value() : QByteArray();
    }
    const QFileInfo info(path);
    return QByteArray::number(info.size()) + ' ' +
           QByteArray::number(info.lastModified().toMSecsSinceEpoch());
}

std::vector<TaskFile> neighboursOf(const QString &modelFile) {
    return Search(QFileInfo(modelFile)).files();
}

QString sourceOfPython(const QString &folder, const QString &name) {
    const QString own = folder + QLatin1Char('/') + name;
    const bool isInModel = name == QLatin1String("model_new.py") && !QFileInfo::exists(own);
    return isInModel ? folder + QStringLiteral("/model.py") : own;
}

QStringList unreadConfigs(const QString &modelFile) {
    const std::vector<TaskFile> read = neighboursOf(modelFile);
    QStringList names;
    for (const QString &name : QFileInfo(modelFile).dir().entryList(
             {QStringLiteral("config*.json"), QStringLiteral("config*.yaml"), QStringLiteral("config*.toml")},
             QDir::Files, QDir::Name))
        if (std::none_of(read.begin(), read.end(), [&name](const TaskFile &one) { return one.name == name; }))
            names << name;
    return names;
}

} // namespace warpwright
