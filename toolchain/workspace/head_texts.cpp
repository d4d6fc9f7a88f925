// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/head_texts.h"

#include "toolchain/base/git_library.h"

#include <QDir>
#include <QFile>

namespace warpwright {
namespace {

using GitObject = std::unique_ptr<git_object, GitRelease<git_object_free>>;
using GitTreeEntry = std::unique_ptr<git_tree_entry, GitRelease<git_tree_entry_free>>;

} // namespace

Result<HeadTexts> textsAtHead(const QString &folder, const QStringList &files) {
    const GitLibrary library;
    GitRepository repository;
    if (git_repository_open_ext(out(repository), QFile::encodeName(folder).constData(), 0, nullptr) != 0)
        return Result<HeadTexts>::error(QStringLiteral("\"%1\" is in no git repository").arg(folder));
    const char *root = git_repository_workdir(repository.get());
    if (root == nullptr)
        return Result<HeadTexts>::error(
            QStringLiteral("the git repository of \"%1\" has no files").arg(folder));
    if (git_repository_head_unborn(repository.get()) == 1)
        return Result<HeadTexts>::error(QStringLiteral("the git repository has no commit yet"));
    GitReference head;
    GitObject object;
    GitObject commit;
    // One statement each: out() hands the pointer over at the end of its own.
    int failed = git_repository_head(out(head), repository.get());
    if (failed == 0)
        failed = git_reference_peel(out(commit), head.get(), GIT_OBJECT_COMMIT);
    if (failed == 0)
        failed = git_reference_peel(out(object), head.get(), GIT_OBJECT_TREE);
    if (failed != 0)
        return Result<HeadTexts>::error(QStringLiteral("HEAD cannot be read: %1").arg(gitProblem()));
    HeadTexts found;
    found.commit = QString::fromLatin1(git_oid_tostr_s(git_object_id(commit.get())));
    const auto *tree = reinterpret_cast<const git_tree *>(object.get());
    const QDir top(QDir(QFile::decodeName(root)).canonicalPath());
    const QDir here(QDir(folder).canonicalPath());
    for (const QString &file : files) {
        const QByteArray path = QFile::encodeName(top.relativeFilePath(here.filePath(file)));
        GitTreeEntry entry;
        GitBlob blob;
        if (git_tree_entry_bypath(out(entry), tree, path.constData()) != 0)
            continue;
        if (git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB ||
            git_blob_lookup(out(blob), repository.get(), git_tree_entry_id(entry.get())) != 0)
            continue;
        found.texts[file] = QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                       static_cast<qsizetype>(git_blob_rawsize(blob.get())));
    }
    return Result<HeadTexts>::ok(std::move(found));
}

} // namespace warpwright
