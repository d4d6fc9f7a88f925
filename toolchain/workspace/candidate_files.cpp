// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/candidate_files.h"

#include "toolchain/base/text_file.h"
#include "toolchain/workspace/kernel_template.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <cerrno>

namespace warpwright {
namespace {

const QString kernels = QStringLiteral("kernels/");
const QString bindingEnd = QStringLiteral("_binding.cpp");

QString cannot(const char *what, const QString &thing, const QString &why, const QString &advice = {}) {
    const QString text = QStringLiteral("Cannot %1 \"%2\": %3.").arg(QString::fromUtf8(what), thing, why);
    return advice.isEmpty() ? text : text + QLatin1Char(' ') + advice;
}

/// The X of X.cu, X.cpp and X_binding.cpp; of any other file its name without the suffix.
QString stemOf(const QString &path) {
    const QString name = path.section(QLatin1Char('/'), -1);
    return name.endsWith(bindingEnd) ? name.chopped(bindingEnd.size()) : QFileInfo(name).completeBaseName();
}

bool isOurs(const QString &path) {
    return isCandidatePath(path) && QDir::cleanPath(path) == path;
}

/// Moves without overwriting, across file systems too; gives the reason when it cannot.
QString move(const QString &from, const QString &to) {
    if (QFileInfo::exists(to))
        return QStringLiteral("\"%1\" is there already").arg(to);
    if (const Result<void> made = makeFolder(QFileInfo(to).path()); !made.hasValue())
        return made.message();
    QFile file(from);
    return file.rename(to) ? QString() : file.errorString();
}

struct Move {
    QString from;
    QString to;
};

/// All or none. Gives the reason of the first that cannot be made.
QString moveAll(const std::vector<Move> &moves) {
    for (std::size_t done = 0; done < moves.size(); ++done) {
        const QString why = move(moves[done].from, moves[done].to);
        if (why.isEmpty())
            continue;
        while (done-- > 0)
            QFile::rename(moves[done].to, moves[done].from);
        return why;
    }
    return {};
}

} // namespace

CandidateFiles::CandidateFiles(QString folder, QString stateFolder)
    : m_folder(std::move(folder)), m_state(std::move(stateFolder)) {}

QString CandidateFiles::whyNoKernelName(const QString &stem) const {
    QString why = whyNoIdentifier(stem);
    if (why.isEmpty() && stem.endsWith(QLatin1String("_binding")))
        why = QStringLiteral("files that end in _binding are bindings of kernels");
    const QDir folder(m_folder + QStringLiteral("/kernels"));
    for (const QString &name : folder.entryList(QDir::Files)) {
        if (!why.isEmpty())
            break;
        if (stemOf(name) == stem)
            why = QStringLiteral("\"%1\" is there already").arg(kernels + name);
        else if (name.endsWith(QLatin1String(".cu")) && camelCase(stemOf(name)) == camelCase(stem))
            why = QStringLiteral("\"%1\" has a launch%2() already").arg(kernels + name, camelCase(stem));
    }
    return why;
}

Result<QStringList> CandidateFiles::makeKernel(const QString &stem, bool withTwin,
                                               const QString &resources) const {
    if (const QString why = whyNoKernelName(stem); !why.isEmpty())
        return Result<QStringList>::error(
            cannot("make a kernel with the name", stem, why, QStringLiteral("Choose another name.")));
    const Result<CandidateTexts> texts = kernelFromTemplate(stem, withTwin, resources);
    if (!texts.hasValue())
        return Result<QStringList>::error(texts.message());
    QStringList made;
    for (const auto &[path, text] : texts.value()) {
        if (const Result<void> done = writeFileAtomically(absolute(path), text); !done.hasValue()) {
            for (const QString &name : made)
                QFile::remove(absolute(name));
            return Result<QStringList>::error(done.message());
        }
        made << path;
    }
    return Result<QStringList>::ok(made);
}

QStringList CandidateFiles::groupOf(const QString &path) const {
    const QString place = path.left(path.lastIndexOf(QLatin1Char('/')) + 1);
    const QString stem = place + stemOf(path);
    const QStringList group = {stem + QStringLiteral(".cu"), stem + QStringLiteral(".cpp"),
                               stem + bindingEnd};
    if (!group.contains(path) || !QFileInfo(absolute(group[0])).isFile())
        return {path};
    QStringList there;
    for (const QString &name : group)
        if (QFileInfo(absolute(name)).isFile())
            there << name;
    return there;
}

Result<std::vector<CandidateFiles::Renamed>> CandidateFiles::rename(const QString &path,
                                                                    const QString &name) const {
    using Answer = Result<std::vector<Renamed>>;
    const auto refuse = [&path](const QString &why) {
        return Answer::error(cannot("rename", path, why, QStringLiteral("Choose another name.")));
    };
    if (!path.startsWith(kernels) || !isOurs(path))
        return Answer::error(cannot("rename", path, QStringLiteral("it is not in kernels/")));
    if (!QFileInfo(absolute(path)).isFile())
        return Answer::error(cannot("rename", path, QStringLiteral("the file is not there any more")));
    const QStringList group = groupOf(path);
    const QString suffix = QLatin1Char('.') + QFileInfo(path).suffix();
    const QString place = path.left(path.lastIndexOf(QLatin1Char('/')) + 1);
    QString stem = name;
    if (const QString end = path.endsWith(bindingEnd) ? bindingEnd : suffix; stem.endsWith(end))
        stem.chop(end.size());
    static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$"));
    if (!form.match(stem).hasMatch() || stem.endsWith(QLatin1Char('.')))
        return refuse(
            QStringLiteral("\"%1\" is no file's name here; letters a to z, digits and \"_\" are").arg(name));
    if (group.size() > 1 && stem.endsWith(QLatin1String("_binding")))
        return refuse(QStringLiteral("files that end in _binding are bindings of kernels"));
    std::vector<Renamed> renamed;
    std::vector<Move> moves;
    for (const QString &from : group) {
        const QString end = from.mid(place.size() + stemOf(path).size());
        const QString to = place + stem + (group.size() > 1 || path.endsWith(bindingEnd) ? end : suffix);
        if (QFileInfo::exists(absolute(to)))
            return refuse(QStringLiteral("\"%1\" is there already").arg(to));
        renamed.push_back({from, to});
        moves.push_back({absolute(from), absolute(to)});
    }
    if (const QString why = moveAll(moves); !why.isEmpty())
        return Answer::error(cannot("rename", path, why));
    return Answer::ok(std::move(renamed));
}

Result<void> CandidateFiles::renameBack(const std::vector<Renamed> &renamed) const {
    std::vector<Move> moves;
    for (const auto &[from, to] : renamed)
        moves.push_back({absolute(to), absolute(from)});
    const QString why = moveAll(moves);
    return why.isEmpty() ? Result<void>::ok()
                         : Result<void>::error(cannot("rename back", renamed.front().to, why));
}

Result<QString> CandidateFiles::makeTrash() const {
    const QString time = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'hhmmss.zzz'Z'"));
    QString folder = m_state + QStringLiteral("/trash/") + time;
    for (int more = 2; QFileInfo::exists(folder); ++more)
        folder = m_state + QStringLiteral("/trash/%1-%2").arg(time).arg(more);
    const Result<void> made = makeFolder(folder);
    return made.hasValue() ? Result<QString>::ok(folder) : Result<QString>::error(made.message());
}

Result<CandidateFiles::Trashed> CandidateFiles::remove(const QStringList &paths) const {
    using Answer = Result<Trashed>;
    for (const QString &path : paths) {
        if (!path.startsWith(kernels) || !isOurs(path))
            return Answer::error(cannot("delete", path, QStringLiteral("it is not in kernels/")));
        if (!QFileInfo(absolute(path)).isFile())
            return Answer::error(cannot("delete", path, QStringLiteral("the file is not there any more")));
    }
    const Result<QString> trash = makeTrash();
    if (!trash.hasValue())
        return Answer::error(trash.message());
    std::vector<Move> moves;
    for (const QString &path : paths)
        moves.push_back({absolute(path), trash.value() + QLatin1Char('/') + path});
    if (const QString why = moveAll(moves); !why.isEmpty())
        return Answer::error(cannot("delete", paths.join(QStringLiteral("\", \"")), why));
    return Answer::ok({trash.value(), paths});
}

Result<void> CandidateFiles::restore(const Trashed &trashed) const {
    std::vector<Move> moves;
    for (const QString &path : trashed.paths)
        moves.push_back({trashed.folder + QLatin1Char('/') + path, absolute(path)});
    if (const QString why = moveAll(moves); !why.isEmpty())
        return Result<void>::error(cannot("bring back", trashed.paths.join(QStringLiteral("\", \"")), why,
                                          QStringLiteral("It lies in \"%1\".").arg(trashed.folder)));
    return Result<void>::ok();
}

/// Where a link of the folder would have a text written outside of it; empty: nowhere.
QString CandidateFiles::leadsOutOf(const QString &path) const {
    const QString own = QFileInfo(m_folder).canonicalFilePath();
    QString there;
    for (QString name = path; there.isEmpty() && !name.isEmpty();
         name = name.section(QLatin1Char('/'), 0, -2))
        there = QFileInfo(absolute(name)).canonicalFilePath();
    return there.isEmpty() || there.startsWith(own + QLatin1Char('/')) ? QString() : there;
}

Result<CandidateFiles::Put> CandidateFiles::put(const CandidateTexts &texts) const {
    using Answer = Result<Put>;
    Workspace workspace;
    workspace.folder = m_folder;
    workspace.modelFile = absolute(QStringLiteral("model.py"));
    const Result<CandidateTexts> now = readCandidateTexts(workspace);
    if (!now.hasValue())
        return Answer::error(now.message());
    Put put;
    QStringList removed;
    for (const auto &[path, text] : now.value()) {
        const auto wanted = texts.find(path);
        if (!isCandidatePath(path) || (wanted != texts.end() && wanted->second == text))
            continue;
        put.before.paths << path;
        if (wanted == texts.end())
            removed << path;
    }
    for (const auto &[path, text] : texts) {
        const auto there = now.value().find(path);
        if (!isOurs(path) || (there != now.value().end() && there->second == text))
            continue;
        if (const QString target = leadsOutOf(path); !target.isEmpty())
            return Answer::error(cannot(
                "write", path, QStringLiteral("a link leads to \"%1\", outside of the workspace").arg(target),
                QStringLiteral("Put a file or folder of its own in its place.")));
    }
    // All that is there now is kept first; then nothing that fails can lose it.
    if (!put.before.paths.isEmpty()) {
        const Result<QString> trash = makeTrash();
        if (!trash.hasValue())
            return Answer::error(trash.message());
        put.before.folder = trash.value();
    }
    for (const QString &path : put.before.paths) {
        const Result<void> kept =
            writeFileAtomically(put.before.folder + QLatin1Char('/') + path, now.value().at(path));
        if (!kept.hasValue())
            return Answer::error(kept.message());
    }
    for (const auto &[path, text] : texts) {
        const auto there = now.value().find(path);
        if (!isOurs(path) || (there != now.value().end() && there->second == text))
            continue;
        if (const Result<void> written = writeFileAtomically(absolute(path), text); !written.hasValue())
            return Answer::error(written.message());
        put.written << path;
    }
    for (const QString &path : removed)
        if (QFile file(absolute(path)); !file.remove())
            return Answer::error(cannot("delete", path, file.errorString()));
    return Answer::ok(std::move(put));
}

} // namespace warpwright
