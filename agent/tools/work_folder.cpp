// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/work_folder.h"

#include "agent/tools/project_rules.h"
#include "agent/tools/skill_pages.h"
#include "toolchain/base/ink.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/task_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QThreadPool>
#include <QUuid>

namespace warpwright {
namespace {

constexpr int mostCandidateFiles = 2000;
constexpr int mostUtils = 500;
constexpr qint64 mostTextBytes = 8LL * 1024 * 1024;
const QString kernels = QStringLiteral("kernels");

Result<void> cannotWrite(const QString &folder, const QString &path, const QString &why) {
    return Result<void>::error(
        QStringLiteral("Cannot lay out \"%1\" in the work folder \"%2\": %3.").arg(path, folder, why));
}

/// People decide by names that they read.
QString badNameWords(const QString &path) {
    return QStringLiteral(
               "The name \"%1\" would not count: it holds letters that cannot be seen (a line end, or "
               "one that turns the writing about). Give the file another.")
        .arg(printableLine(path.left(200)));
}

/// What earlier commands have left may be large: it goes out of the way at once, and for good in the pool.
/// Beside the folder, where no command that still runs can put a link into what is being removed.
void throwAway(const QString &folder, const QString &name) {
    const QString aside = folder + QStringLiteral(".old-") + QUuid::createUuid().toString(QUuid::Id128);
    if (!QFile::rename(folder + QLatin1Char('/') + name, aside))
        return;
    QThreadPool::globalInstance()->start([aside] {
        if (!QFile::remove(aside))
            QDir(aside).removeRecursively();
    });
}

/// What the workspace says to agents, as they read it.
std::map<QString, QByteArray> guideTexts(const QString &workspace) {
    std::map<QString, QByteArray> texts;
    const auto take = [&texts](const std::optional<GuideFile> &file) {
        if (file && file->isRead())
            texts.emplace(file->name, file->text.toUtf8());
    };
    for (const ProjectRules &rules : readProjectRules(workspace))
        take(rules.file);
    const std::optional<GuideFile> skill = readGuideFile(workspace, QStringLiteral("SKILL.md"));
    take(skill);
    if (skill && skill->isRead())
        for (const QString &name : ownPages(workspace, skill->text))
            take(readGuideFile(workspace, name));
    return texts;
}

} // namespace

WorkFolder::WorkFolder(Workspace workspace, QString folder)
    : m_workspace(std::move(workspace)), m_access(QDir::cleanPath(folder)) {}

QString WorkFolder::placeFor(const Workspace &workspace, const DataFolders &folders, const QString &caller) {
    const QByteArray whose = (workspace.folder + QChar::Null + caller).toUtf8();
    const QByteArray place = QCryptographicHash::hash(whose, QCryptographicHash::Sha256).toHex().left(24);
    // The last part is the name that people read in a report.
    return QStringLiteral("%1/callers/%2/%3").arg(folders.cache, QString::fromLatin1(place), workspace.name);
}

Result<void> WorkFolder::takeUtils() {
    const QDir root(m_workspace.folder);
    QStringList paths;
    if (m_workspace.hasUtils) {
        QDirIterator entries(root.filePath(QStringLiteral("utils")), QDir::Files,
                             QDirIterator::Subdirectories);
        while (entries.hasNext() && paths.size() < mostUtils) {
            const QString path = root.relativeFilePath(entries.next());
            if (!isMadeFile(path))
                paths << path;
        }
    }
    for (const QString &path : paths) {
        Result<QByteArray> text = readTextFile(root.filePath(path), mostTextBytes);
        if (!text.hasValue())
            return Result<void>::error(text.message());
        m_task[path] = std::move(text).value();
    }
    m_guides.clear();
    for (const auto &[path, text] : guideTexts(m_workspace.folder))
        if (!isCandidatePath(path) && m_task.emplace(path, text).second)
            m_guides << path;
    return Result<void>::ok();
}

Result<void> WorkFolder::layOut(const CandidateTexts &texts) {
    if (const Result<void> made = makeFolder(folder()); !made.hasValue())
        return made;
    m_task.clear();
    m_links.clear();
    for (const auto &[path, text] : texts)
        if (!isCandidatePath(path))
            m_task[path] = text;
    if (const Result<void> taken = takeUtils(); !taken.hasValue())
        return taken;
    for (const TaskFile &file : neighboursOf(m_workspace.modelFile))
        if (!file.isText() && m_task.count(file.name) == 0)
            m_links[file.name] = QFileInfo(file.path).canonicalFilePath();
    QSet<QString> kept;
    for (const auto &[path, text] : texts)
        kept << path.section(QLatin1Char('/'), 0, 0);
    for (const auto &[path, text] : m_task)
        kept << path.section(QLatin1Char('/'), 0, 0);
    for (const auto &[name, target] : m_links)
        kept << name.section(QLatin1Char('/'), 0, 0);
    for (const QString &name :
         QDir(folder()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
        if (!kept.contains(name))
            throwAway(folder(), name);
    (void)putBack();
    if (const Result<void> put = putCandidate(texts); !put.hasValue())
        return put;
    for (const char *name : {scratch, outputs})
        if (const Result<void> made = makeFolder(folder() + QLatin1Char('/') + QLatin1String(name));
            !made.hasValue())
            return made;
    return Result<void>::ok();
}

Result<void> WorkFolder::putCandidate(const CandidateTexts &texts) const {
    for (const FoundFile &file : m_access.list(kernels, true))
        if (texts.count(file.path) == 0)
            if (const ReachedFile gone = m_access.remove(file.path); gone.reach != Reach::Ok)
                return cannotWrite(folder(), file.path, gone.why);
    if (texts.count(QStringLiteral("model_new.py")) == 0)
        (void)m_access.remove(QStringLiteral("model_new.py"));
    for (const auto &[path, text] : texts) {
        if (!isCandidatePath(path))
            continue;
        const ReachedFile there = m_access.read(path, mostTextBytes);
        if (there.reach == Reach::Ok && there.bytes == text)
            continue;
        (void)m_access.clear(path);
        if (const ReachedFile written = m_access.write(path, text); written.reach != Reach::Ok)
            return cannotWrite(folder(), path, written.why);
    }
    return Result<void>::ok();
}

Result<CandidateTexts> WorkFolder::texts() const {
    CandidateTexts texts;
    for (const auto &[path, text] : m_task)
        if (!path.startsWith(QLatin1String("utils/")) && !m_guides.contains(path))
            texts[path] = text;
    QStringList paths{QStringLiteral("model_new.py")};
    for (const FoundFile &file : m_access.list(kernels, false))
        if (file.isFile && !isMadeFile(file.path))
            paths << file.path;
    if (paths.size() > mostCandidateFiles)
        return Result<CandidateTexts>::error(
            QStringLiteral(
                "Cannot read the candidate: kernels/ holds %1 files, and a candidate has at most %2. "
                "Remove what it does not need.")
                .arg(paths.size())
                .arg(mostCandidateFiles));
    for (const QString &path : paths) {
        if (printableLine(path) != path)
            return Result<CandidateTexts>::error(badNameWords(path));
        ReachedFile file = m_access.read(path, mostTextBytes);
        if (file.reach == Reach::NotThere)
            continue;
        if (file.reach != Reach::Ok)
            return Result<CandidateTexts>::error(
                QStringLiteral("Cannot read \"%1\" of the work folder: %2.").arg(path, file.why));
        texts[path] = std::move(file.bytes);
    }
    return Result<CandidateTexts>::ok(std::move(texts));
}

QStringList WorkFolder::putBack() const {
    QStringList lines;
    for (const auto &[path, text] : m_task) {
        const ReachedFile there = m_access.read(path, mostTextBytes);
        if (there.reach == Reach::Ok && there.bytes == text)
            continue;
        (void)m_access.clear(path);
        const ReachedFile written = m_access.write(path, text);
        const QString what =
            there.reach == Reach::NotThere ? QStringLiteral("was gone") : QStringLiteral("was changed");
        lines << (written.reach == Reach::Ok
                      ? QStringLiteral("%1 %2: it is the task's own, and was put back").arg(path, what)
                      : QStringLiteral("%1 %2, and cannot be put back: %3").arg(path, what, written.why));
    }
    for (const auto &[name, target] : m_links) {
        if (m_access.linkAt(name) == target)
            continue;
        (void)m_access.clear(name);
        (void)m_access.remove(name);
        if (m_access.link(name, target).reach == Reach::Ok)
            lines << QStringLiteral("%1 was changed: it is the task's own, and was put back").arg(name);
    }
    std::vector<FoundFile> candidate = m_access.list(kernels, true);
    for (const char *name : {"kernels", "model_new.py"})
        if (!m_access.linkAt(QLatin1String(name)).isEmpty())
            candidate.push_back({QLatin1String(name), false});
    for (const FoundFile &file : candidate)
        if (!file.isFile && m_access.remove(file.path).reach == Reach::Ok)
            lines << QStringLiteral("%1 was no regular file, and was taken away: the candidate's files are "
                                    "text, no links")
                         .arg(file.path);
    return lines;
}

QStringList WorkFolder::uncounted() const {
    QStringList names;
    const QDir root(folder());
    for (const QString &name :
         root.entryList({QStringLiteral("*.py"), QStringLiteral("*.h"), QStringLiteral("*.hpp"),
                         QStringLiteral("*.cuh"), QStringLiteral("*.cu"), QStringLiteral("*.cpp")},
                        QDir::Files))
        if (!isCandidatePath(name) && m_task.count(name) == 0)
            names << name;
    return names;
}

QStringList WorkFolder::linkedFiles() const {
    QStringList paths;
    for (const auto &[name, target] : m_links)
        paths << target;
    return paths;
}

QString WorkFolder::whyNotWritable(const QString &path) const {
    const QString clean = m_access.relative(path);
    const QString advice = QStringLiteral("Only model_new.py and files in kernels/ can be written.");
    if (clean.isEmpty())
        return QStringLiteral("\"%1\" is not in the work folder. %2").arg(path.left(200), advice);
    if (!isCandidatePath(clean))
        return m_task.count(clean) > 0 || m_links.count(clean) > 0
                   ? QStringLiteral("\"%1\" is the task's own. %2").arg(clean.left(200), advice)
                   : QStringLiteral("\"%1\" is none of the candidate's files. %2 For a scratch file use "
                                    "bash.")
                         .arg(clean.left(200), advice);
    if (printableLine(clean) != clean)
        return badNameWords(clean);
    if (isMadeFile(clean) || clean.startsWith(QLatin1Char('.')) || clean.contains(QLatin1String("/.")))
        return QStringLiteral("\"%1\" would not count: hidden and compiled files are no text of the "
                              "candidate.")
            .arg(clean.left(200));
    return {};
}

} // namespace warpwright
