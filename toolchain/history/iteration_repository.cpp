// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/iteration_repository.h"

#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cstring>
#include <functional>

namespace warpwright {
namespace {

constexpr int staleLockMs = 2000;
constexpr int lockWaitMs = 20;
constexpr int mostLockWaits = 150;

const QString branchPrefix = QStringLiteral("refs/heads/iteration-");

QByteArray branchOf(int number) {
    return (branchPrefix + QString::number(number)).toUtf8();
}

int numberOf(const char *branch) {
    const QString name = QString::fromUtf8(branch);
    return name.startsWith(branchPrefix) ? name.mid(branchPrefix.size()).toInt() : 0;
}

QString oneLine(const QString &text) {
    return text.simplified();
}

QByteArray messageOf(const Iteration &iteration) {
    return QStringLiteral("%1\n\nIteration: %2\nParent: %3\nAuthor: %4\nText: %5\n")
        .arg(oneLine(iteration.note), QString::number(iteration.number), QString::number(iteration.parent),
             authorKindName(iteration.author.kind), iteration.textHash)
        .toUtf8();
}

QString trailer(const QString &message, const QString &name) {
    for (const QString &line : message.section(QStringLiteral("\n\n"), -1).split(QLatin1Char('\n')))
        if (line.startsWith(name + QStringLiteral(": ")))
            return line.mid(name.size() + 2).trimmed();
    return {};
}

/// Runs it again while another process holds the lock it needs.
template <typename Act>
int untilUnlocked(const Act &act, const std::function<void()> &removeStaleLocks) {
    for (int wait = 0;; ++wait) {
        const int code = act();
        if (code != GIT_ELOCKED || wait == mostLockWaits)
            return code;
        removeStaleLocks();
        QThread::msleep(lockWaitMs);
    }
}

} // namespace

IterationRepository::IterationRepository(QString folder) : m_folder(std::move(folder)) {}

QString IterationRepository::cannot(const QString &what) const {
    const QString reason = gitProblem();
    QString text = QStringLiteral("Cannot %1 in the history \"%2\": %3.").arg(what, m_folder, reason);
    const QString advice = adviceForFullDisk(m_folder, reason);
    return advice.isEmpty() ? text : text + QLatin1Char(' ') + advice;
}

IterationRepository::State IterationRepository::open() {
    const QFileInfo info(m_folder);
    if (!info.exists() && !info.isSymLink())
        return State::Missing;
    if (info.isDir() && (!info.isReadable() || !info.isExecutable())) {
        m_why = QStringLiteral("the folder may not be read");
        return State::Unreadable;
    }
    if (git_repository_open_bare(out(m_repository), QFile::encodeName(m_folder).constData()) != 0) {
        m_why = gitProblem();
        return State::Broken;
    }
    GitReferences branches;
    int code = git_reference_iterator_new(out(branches), m_repository.get());
    const char *name = nullptr;
    while (code == 0)
        code = git_reference_next_name(&name, branches.get());
    if (code != GIT_ITEROVER) {
        m_why = gitProblem();
        m_repository.reset();
        return State::Broken;
    }
    return State::Whole;
}

Result<void> IterationRepository::create() {
    const QString parent = QFileInfo(m_folder).path();
    if (const auto made = makeFolder(parent); !made.hasValue())
        return made;
    QTemporaryDir fresh(m_folder +
                        QStringLiteral(".new-XXXXXX")); // takes itself away where it is not renamed
    GitRepository repository;
    if (git_repository_init(out(repository), QFile::encodeName(fresh.path()).constData(), 1) != 0)
        return Result<void>::error(cannot(QStringLiteral("begin")));
    repository.reset();
    if (QDir().rename(fresh.path(), m_folder))
        fresh.setAutoRemove(false);
    // Another process may have been faster; then its repository serves.
    if (open() != State::Whole)
        return Result<void>::error(
            QStringLiteral("Cannot begin the history \"%1\": %2.")
                .arg(m_folder, m_why.isEmpty() ? QStringLiteral("it cannot be put into place") : m_why));
    return Result<void>::ok();
}

std::vector<int> IterationRepository::numbers() const {
    std::vector<int> found;
    GitReferences branches;
    if (git_reference_iterator_new(out(branches), m_repository.get()) != 0)
        return found;
    const char *name = nullptr;
    while (git_reference_next_name(&name, branches.get()) == 0)
        if (const int number = numberOf(name); number > 0)
            found.push_back(number);
    std::sort(found.begin(), found.end());
    return found;
}

bool IterationRepository::has(int number) const {
    git_oid id;
    return number > 0 && git_reference_name_to_id(&id, m_repository.get(), branchOf(number).constData()) == 0;
}

std::vector<int> IterationRepository::numbersOf(const QString &textHash) const {
    std::vector<int> found;
    GitReferences branches;
    if (textHash.isEmpty() || git_reference_iterator_new(out(branches), m_repository.get()) != 0)
        return found;
    const QByteArray hash = textHash.toUtf8();
    for (GitReference branch; git_reference_next(out(branch), branches.get()) == 0;) {
        const int number = numberOf(git_reference_name(branch.get()));
        const git_oid *id = git_reference_target(branch.get());
        GitCommit commit;
        if (number <= 0 || id == nullptr || git_commit_lookup(out(commit), m_repository.get(), id) != 0)
            continue;
        const char *message = git_commit_message(commit.get());
        // The hash in the note says nothing: the trailer decides.
        if (std::strstr(message, hash.constData()) != nullptr &&
            trailer(QString::fromUtf8(message), QStringLiteral("Text")) == textHash)
            found.push_back(number);
    }
    std::sort(found.begin(), found.end());
    return found;
}

int IterationRepository::current() const {
    GitReference head;
    git_reference_lookup(out(head), m_repository.get(), "HEAD");
    if (!head || git_reference_type(head.get()) != GIT_REFERENCE_SYMBOLIC)
        return 0;
    const int number = numberOf(git_reference_symbolic_target(head.get()));
    return commitOf(number) ? number : 0;
}

Result<void> IterationRepository::setCurrent(int number) {
    GitReference head;
    const int code = untilUnlocked(
        [&] {
            return git_reference_symbolic_create(out(head), m_repository.get(), "HEAD",
                                                 branchOf(number).constData(), 1, nullptr);
        },
        [this] { removeStaleLocks(); });
    return code == 0
               ? Result<void>::ok()
               : Result<void>::error(cannot(QStringLiteral("make iteration %1 the current one").arg(number)));
}

GitCommit IterationRepository::commitOf(int number) const {
    git_oid id;
    GitCommit commit;
    if (number > 0 && git_reference_name_to_id(&id, m_repository.get(), branchOf(number).constData()) == 0)
        git_commit_lookup(out(commit), m_repository.get(), &id);
    return commit;
}

Result<Iteration> IterationRepository::read(int number) const {
    const GitCommit commit = commitOf(number);
    if (!commit)
        return Result<Iteration>::error(cannot(QStringLiteral("read iteration %1").arg(number)));
    const QString message = QString::fromUtf8(git_commit_message(commit.get()));
    Iteration iteration;
    iteration.number = number;
    iteration.parent = trailer(message, QStringLiteral("Parent")).toInt();
    iteration.author.kind = authorKindFromName(trailer(message, QStringLiteral("Author")));
    iteration.author.name = QString::fromUtf8(git_commit_author(commit.get())->name);
    iteration.note = message.section(QLatin1Char('\n'), 0, 0);
    iteration.time = QDateTime::fromSecsSinceEpoch(git_commit_time(commit.get()), Qt::UTC);
    iteration.textHash = trailer(message, QStringLiteral("Text"));
    return Result<Iteration>::ok(std::move(iteration));
}

Result<CandidateTexts> IterationRepository::texts(int number) const {
    using Answer = Result<CandidateTexts>;
    const GitCommit commit = commitOf(number);
    GitTree tree;
    if (!commit || git_commit_tree(out(tree), commit.get()) != 0)
        return Answer::error(cannot(QStringLiteral("read iteration %1").arg(number)));
    struct Walk {
        git_repository *repository;
        CandidateTexts texts;
    } walk{m_repository.get(), {}};
    const auto take = [](const char *root, const git_tree_entry *entry, void *target) {
        if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
            return 0;
        auto *into = static_cast<Walk *>(target);
        GitBlob blob;
        if (const int code = git_blob_lookup(out(blob), into->repository, git_tree_entry_id(entry));
            code != 0)
            return code;
        into->texts.emplace(QString::fromUtf8(root) + QString::fromUtf8(git_tree_entry_name(entry)),
                            QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                                       static_cast<qsizetype>(git_blob_rawsize(blob.get()))));
        return 0;
    };
    if (git_tree_walk(tree.get(), GIT_TREEWALK_PRE, take, &walk) != 0)
        return Answer::error(cannot(QStringLiteral("read the text of iteration %1").arg(number)));
    return Answer::ok(std::move(walk.texts));
}

Result<git_oid> IterationRepository::writeTree(const CandidateTexts &texts) const {
    using Answer = Result<git_oid>;
    GitIndex index;
    if (git_index_new(out(index)) != 0)
        return Answer::error(cannot(QStringLiteral("write")));
    for (const auto &[path, text] : texts) {
        const QByteArray name = path.toUtf8();
        git_index_entry entry{};
        entry.path = name.constData();
        entry.mode = GIT_FILEMODE_BLOB;
        if (git_blob_create_from_buffer(&entry.id, m_repository.get(), text.constData(),
                                        static_cast<std::size_t>(text.size())) != 0 ||
            git_index_add(index.get(), &entry) != 0)
            return Answer::error(cannot(QStringLiteral("keep \"%1\"").arg(path)));
    }
    git_oid tree;
    if (git_index_write_tree_to(&tree, index.get(), m_repository.get()) != 0)
        return Answer::error(cannot(QStringLiteral("write")));
    return Answer::ok(tree);
}

Result<void> IterationRepository::writeAhead(const CandidateTexts &texts) const {
    const Result<git_oid> tree = writeTree(texts);
    return tree.hasValue() ? Result<void>::ok() : Result<void>::error(tree.message());
}

// git_reference_create looks whether the branch is there before it locks it: of two processes the later one
// would write over the earlier one's iteration. So: lock, look, write.
int IterationRepository::takeNumber(int number, const git_oid &commit) const {
    const QByteArray branch = branchOf(number);
    GitTransaction transaction;
    if (const int code = git_transaction_new(out(transaction), m_repository.get()); code != 0)
        return code;
    if (const int code = git_transaction_lock_ref(transaction.get(), branch.constData()); code != 0)
        return code;
    git_oid taken;
    if (git_reference_name_to_id(&taken, m_repository.get(), branch.constData()) == 0)
        return GIT_EEXISTS;
    if (const int code = git_transaction_set_target(transaction.get(), branch.constData(), &commit, nullptr,
                                                    "a new iteration");
        code != 0)
        return code;
    return git_transaction_commit(transaction.get());
}

Result<Iteration> IterationRepository::write(const CandidateTexts &texts, Iteration iteration) {
    using Answer = Result<Iteration>;
    const Result<git_oid> treeId = writeTree(texts);
    GitTree tree;
    if (!treeId.hasValue())
        return Answer::error(treeId.message());
    if (git_tree_lookup(out(tree), m_repository.get(), &treeId.value()) != 0)
        return Answer::error(cannot(QStringLiteral("write")));

    if (!iteration.time.isValid())
        iteration.time = QDateTime::currentDateTimeUtc();
    iteration.time = QDateTime::fromSecsSinceEpoch(iteration.time.toSecsSinceEpoch(), Qt::UTC);
    // git takes no empty name and no angle brackets in one.
    iteration.author.name = oneLine(iteration.author.name).remove(QLatin1Char('<')).remove(QLatin1Char('>'));
    if (iteration.author.name.isEmpty())
        iteration.author.name = authorKindName(iteration.author.kind);
    iteration.note = oneLine(iteration.note);
    GitSignature signature;
    const QByteArray mail = authorKindName(iteration.author.kind).toUtf8() + "@warpwright.invalid";
    if (git_signature_new(out(signature), iteration.author.name.toUtf8().constData(), mail.constData(),
                          iteration.time.toSecsSinceEpoch(), 0) != 0)
        return Answer::error(cannot(QStringLiteral("write")));

    const GitCommit parent = commitOf(iteration.parent);
    const git_commit *parents[] = {parent.get()};
    const std::vector<int> taken = numbers();
    iteration.number = taken.empty() ? 1 : taken.back() + 1;
    // Another process may take the number meanwhile: then the next one is ours.
    for (int attempt = 0; attempt < 100; ++attempt, ++iteration.number) {
        git_oid id;
        if (git_commit_create(&id, m_repository.get(), nullptr, signature.get(), signature.get(), "UTF-8",
                              messageOf(iteration).constData(), tree.get(), parent ? 1 : 0, parents) != 0)
            return Answer::error(cannot(QStringLiteral("write iteration %1").arg(iteration.number)));
        const int code =
            untilUnlocked([&] { return takeNumber(iteration.number, id); }, [this] { removeStaleLocks(); });
        if (code == 0)
            return Answer::ok(std::move(iteration));
        if (code != GIT_EEXISTS)
            break;
    }
    return Answer::error(cannot(QStringLiteral("write iteration %1").arg(iteration.number)));
}

void IterationRepository::removeStaleLocks() const {
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const QString &place : {QString(), QStringLiteral("/refs/heads")})
        for (const QFileInfo &lock :
             QDir(m_folder + place).entryInfoList({QStringLiteral("*.lock")}, QDir::Files))
            if (lock.lastModified().msecsTo(now) > staleLockMs)
                QFile::remove(lock.filePath());
}

} // namespace warpwright
