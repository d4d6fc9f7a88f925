// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/tree_copy.h"

#include "warpwright_version.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <memory>
#include <vector>

namespace warpwright {

namespace {

constexpr int longestCompileMs = 240'000;

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString treePath(const QString &path) {
    return QDir(buildSourceFolder()).filePath(path);
}

/// The words of the command that compiles `source`, and its folder; none: it is not compiled.
QStringList commandOf(const QString &source, const QString &buildFolder, QString &folder) {
    const QJsonDocument commands =
        QJsonDocument::fromJson(contentOf(QDir(buildFolder).filePath("compile_commands.json")));
    for (const auto one : commands.array())
        if (const QJsonObject command = one.toObject(); command["file"].toString() == source) {
            folder = command["directory"].toString();
            return QProcess::splitCommand(command["command"].toString());
        }
    return {};
}

} // namespace

TreeCopy::TreeCopy(const QStringList &folders) {
    const QDir root(buildSourceFolder());
    for (const QString &folder : folders)
        for (QDirIterator files(root.filePath(folder), QDir::Files, QDirIterator::Subdirectories);
             files.hasNext();) {
            const QString path = root.relativeFilePath(files.next());
            const QString copy = m_folder.filePath(path);
            QDir().mkpath(QFileInfo(copy).path());
            if (!QFile::copy(root.filePath(path), copy))
                m_complaints.append(QString("Cannot copy %1").arg(path));
            m_copied.append(path);
        }
    m_copied.sort();
}

void TreeCopy::write(const QString &path, const QString &text) {
    QFile file(m_folder.filePath(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0)
        m_complaints.append(QString("Cannot write %1: %2").arg(path, file.errorString()));
}

QStringList TreeCopy::linesOf(const QString &path, const QString &head, qsizetype &behind) {
    QStringList lines = QString::fromUtf8(contentOf(m_folder.filePath(path))).split('\n');
    behind = 0;
    while (behind < lines.size() && !lines.at(behind).startsWith(head))
        ++behind;
    if (behind == lines.size())
        m_complaints.append(QString("%1 has no line \"%2\"").arg(path, head));
    ++behind;
    return lines;
}

void TreeCopy::insert(const QString &path, QStringList lines, qsizetype at, const QString &line) {
    if (at >= lines.size()) {
        m_complaints.append(QString("%1: found no place for \"%2\"").arg(path, line));
        return;
    }
    lines.insert(at, line);
    write(path, lines.join('\n'));
}

void TreeCopy::insertBefore(const QString &path, const QString &head, const QString &before,
                            const QString &line) {
    qsizetype at = 0;
    QStringList lines = linesOf(path, head, at);
    while (at < lines.size() && !lines.at(at).startsWith(before))
        ++at;
    insert(path, lines, at, line);
}

void TreeCopy::insertSorted(const QString &path, const QString &head, int prefix, const QString &line) {
    qsizetype at = 0;
    QStringList lines = linesOf(path, head, at);
    while (at < lines.size() && !lines.at(at).startsWith(line.left(prefix)))
        ++at;
    while (at < lines.size() && lines.at(at).startsWith(line.left(prefix)) && lines.at(at) < line)
        ++at;
    insert(path, lines, at, line);
}

QStringList TreeCopy::touched() const {
    QStringList paths;
    for (const QString &path : m_copied)
        if (contentOf(m_folder.filePath(path)) != contentOf(treePath(path)))
            paths.append(path);
    return paths;
}

QStringList TreeCopy::compile(const QStringList &sources, const QString &like,
                              const QString &buildFolder) const {
    QString folder;
    const QString original = treePath(like);
    QStringList words = commandOf(original, buildFolder, folder);
    if (words.isEmpty())
        return {QString("%1/compile_commands.json does not say how %2 is compiled").arg(buildFolder, like)};
    // The copy's headers go before the tree's.
    const QString include = QString("-I") + buildSourceFolder();
    QStringList command;
    for (qsizetype at = 0; at < words.size(); ++at) {
        const QString &word = words.at(at);
        if (word == "-o")
            ++at;
        else if (word == include)
            command << "-I" + path() << word;
        else if (word != "-c" && word != original && word != "-Winvalid-pch")
            command << word;
    }
    command << "-fsyntax-only";

    std::vector<std::unique_ptr<QProcess>> compilers;
    for (const QString &source : sources) {
        compilers.push_back(std::make_unique<QProcess>());
        compilers.back()->setProcessChannelMode(QProcess::MergedChannels);
        compilers.back()->setWorkingDirectory(folder);
        compilers.back()->start(command.first(), command.mid(1) + QStringList{m_folder.filePath(source)});
    }
    QStringList complaints;
    for (const auto &compiler : compilers)
        if (!compiler->waitForFinished(longestCompileMs))
            complaints.append(compiler->errorString());
        else if (compiler->exitStatus() != QProcess::NormalExit || compiler->exitCode() != 0)
            complaints.append(QString::fromLocal8Bit(compiler->readAll()));
    return complaints;
}

} // namespace warpwright
