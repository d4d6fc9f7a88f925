// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/folder_access.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace warpwright {
namespace {

/// A descriptor that closes itself.
class Handle {
public:
    explicit Handle(int number) : m_number(number) {}
    Handle(Handle &&other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Handle() {
        if (m_number >= 0)
            close(m_number);
    }
    [[nodiscard]] int number() const { return m_number; }
    [[nodiscard]] bool isOpen() const { return m_number >= 0; }

private:
    int m_number;
};

ReachedFile failure(int error) {
    switch (error) {
    case ENOENT:
        return {Reach::NotThere, {}, QStringLiteral("there is no such file")};
    case ELOOP:
        return {Reach::Outside, {}, QStringLiteral("a symbolic link is on the way, and none is followed")};
    case EISDIR:
        return {Reach::NoFile, {}, QStringLiteral("it is a folder")};
    default:
        return {Reach::Failed, {}, QString::fromLocal8Bit(std::strerror(error))};
    }
}

ReachedFile outside() {
    return {Reach::Outside, {}, QStringLiteral("it is not in the work folder")};
}

constexpr int folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// The folder that a path's last name is in. A link in place of a folder is ELOOP (with O_DIRECTORY Linux
/// says ENOTDIR of it).
Handle openParent(const QString &root, const QStringList &names, bool makes) {
    Handle folder(open(QFile::encodeName(root).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (qsizetype at = 0; folder.isOpen() && at + 1 < names.size(); ++at) {
        const QByteArray name = QFile::encodeName(names[at]);
        if (makes && mkdirat(folder.number(), name.constData(), 0755) != 0 && errno != EEXIST)
            return Handle(-1);
        Handle next(openat(folder.number(), name.constData(), folderFlags));
        if (!next.isOpen() && errno == ENOTDIR) {
            struct stat facts {};
            if (fstatat(folder.number(), name.constData(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                S_ISLNK(facts.st_mode))
                errno = ELOOP;
            else
                errno = ENOTDIR;
        }
        folder = std::move(next);
    }
    return folder;
}

constexpr int deepest = 40;

void listInto(int folder, const QString &prefix, bool withHidden, std::size_t most,
              std::vector<FoundFile> &found) {
    DIR *entries = fdopendir(folder); // takes the descriptor
    if (entries == nullptr) {
        close(folder);
        return;
    }
    while (const dirent *entry = readdir(entries)) {
        const QString name = QFile::decodeName(entry->d_name);
        if (name == QLatin1String(".") || name == QLatin1String("..") ||
            (!withHidden && name.startsWith(QLatin1Char('.'))) || found.size() >= most)
            continue;
        struct stat facts {};
        if (fstatat(dirfd(entries), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(facts.st_mode)) {
            if (prefix.count(QLatin1Char('/')) >= deepest)
                continue;
            const int below = openat(dirfd(entries), entry->d_name, folderFlags);
            if (below >= 0)
                listInto(below, prefix + name + QLatin1Char('/'), withHidden, most, found);
        } else {
            found.push_back({prefix + name, S_ISREG(facts.st_mode)});
        }
    }
    closedir(entries);
}

} // namespace

QString FolderAccess::relative(const QString &path) const {
    if (path.isEmpty() || path.contains(QChar::Null))
        return {};
    // By the words alone: a "..", even one that leads back, may go through a link.
    if (path.split(QLatin1Char('/')).contains(QStringLiteral("..")))
        return {};
    QString clean = QDir::cleanPath(path);
    if (clean.startsWith(QLatin1Char('/'))) {
        if (!clean.startsWith(m_folder + QLatin1Char('/')))
            return {};
        clean = clean.mid(m_folder.size() + 1);
    }
    return clean == QLatin1String(".") ? QString() : clean;
}

ReachedFile FolderAccess::read(const QString &path, qint64 limitBytes) const {
    const QString clean = relative(path);
    if (clean.isEmpty())
        return outside();
    const QStringList names = clean.split(QLatin1Char('/'));
    const Handle folder = openParent(m_folder, names, false);
    if (!folder.isOpen())
        return failure(errno);
    // Without waiting: a pipe that nobody writes to would never open.
    const Handle file(openat(folder.number(), QFile::encodeName(names.back()).constData(),
                             O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!file.isOpen())
        return failure(errno);
    struct stat facts {};
    if (fstat(file.number(), &facts) != 0)
        return failure(errno);
    if (!S_ISREG(facts.st_mode))
        return {Reach::NoFile,
                {},
                S_ISDIR(facts.st_mode) ? QStringLiteral("it is a folder")
                                       : QStringLiteral("it is no regular file")};
    QByteArray bytes;
    char piece[64 * 1024];
    for (;;) {
        const ssize_t count = ::read(file.number(), piece, sizeof piece);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure(errno);
        if (count == 0)
            return {Reach::Ok, bytes, {}};
        bytes.append(piece, count);
        if (bytes.size() > limitBytes)
            return {Reach::TooLarge, {}, QStringLiteral("it is larger than %1 bytes").arg(limitBytes)};
    }
}

ReachedFile FolderAccess::write(const QString &path, const QByteArray &bytes) const {
    const QString clean = relative(path);
    if (clean.isEmpty())
        return outside();
    const QStringList names = clean.split(QLatin1Char('/'));
    const Handle folder = openParent(m_folder, names, true);
    if (!folder.isOpen())
        return failure(errno);
    const QByteArray name = QFile::encodeName(names.back());
    const QByteArray beside =
        ".new-" + QByteArray::number(QRandomGenerator::global()->generate64(), 16) + ".tmp";
    {
        const Handle file(openat(folder.number(), beside.constData(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
        if (!file.isOpen())
            return failure(errno);
        for (qsizetype done = 0; done < bytes.size();) {
            const ssize_t count =
                ::write(file.number(), bytes.constData() + done, static_cast<size_t>(bytes.size() - done));
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0) {
                const int error = errno;
                unlinkat(folder.number(), beside.constData(), 0);
                return failure(error);
            }
            done += count;
        }
    }
    if (renameat(folder.number(), beside.constData(), folder.number(), name.constData()) != 0) {
        const int error = errno;
        unlinkat(folder.number(), beside.constData(), 0);
        return failure(error);
    }
    return {Reach::Ok, {}, {}};
}

ReachedFile FolderAccess::remove(const QString &path) const {
    const QString clean = relative(path);
    if (clean.isEmpty())
        return outside();
    const QStringList names = clean.split(QLatin1Char('/'));
    const Handle folder = openParent(m_folder, names, false);
    if (!folder.isOpen())
        return errno == ENOENT ? ReachedFile{Reach::Ok, {}, {}} : failure(errno);
    if (unlinkat(folder.number(), QFile::encodeName(names.back()).constData(), 0) != 0 && errno != ENOENT)
        return failure(errno);
    return {Reach::Ok, {}, {}};
}

ReachedFile FolderAccess::clear(const QString &path) const {
    const QString clean = relative(path);
    if (clean.isEmpty())
        return outside();
    const QStringList names = clean.split(QLatin1Char('/'));
    const Handle root(open(QFile::encodeName(m_folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (qsizetype count = 1; count <= names.size(); ++count) {
        const Handle folder = openParent(m_folder, names.mid(0, count), false);
        if (!root.isOpen() || !folder.isOpen())
            return errno == ENOENT ? ReachedFile{Reach::Ok, {}, {}} : failure(errno);
        const QByteArray name = QFile::encodeName(names[count - 1]);
        struct stat facts {};
        if (fstatat(folder.number(), name.constData(), &facts, AT_SYMLINK_NOFOLLOW) != 0)
            return errno == ENOENT ? ReachedFile{Reach::Ok, {}, {}} : failure(errno);
        const bool isLast = count == names.size();
        if (S_ISDIR(facts.st_mode) != isLast)
            continue; // a folder on the way, or something that a file can take the place of
        const QByteArray aside = ".aside-" + QByteArray::number(QRandomGenerator::global()->generate64(), 16);
        const int result = isLast
                               ? renameat(folder.number(), name.constData(), root.number(), aside.constData())
                               : unlinkat(folder.number(), name.constData(), 0);
        if (result != 0)
            return failure(errno);
    }
    return {Reach::Ok, {}, {}};
}

QString FolderAccess::linkAt(const QString &path) const {
    const QStringList names = relative(path).split(QLatin1Char('/'));
    const Handle folder = openParent(m_folder, names, false);
    if (!folder.isOpen())
        return {};
    char target[4097];
    const ssize_t length =
        readlinkat(folder.number(), QFile::encodeName(names.back()).constData(), target, sizeof target - 1);
    return length < 0 ? QString() : QFile::decodeName(QByteArray(target, length));
}

std::vector<FoundFile> FolderAccess::list(const QString &below, bool withHidden, int most) const {
    std::vector<FoundFile> found;
    QStringList names = below.isEmpty() ? QStringList() : relative(below).split(QLatin1Char('/'));
    names << QString(); // the parent of a name in it
    const Handle folder = openParent(m_folder, names, false);
    if (!folder.isOpen())
        return found;
    const int own = openat(folder.number(), ".", folderFlags);
    if (own >= 0)
        listInto(own, below.isEmpty() ? QString() : relative(below) + QLatin1Char('/'), withHidden,
                 static_cast<std::size_t>(most), found);
    std::sort(found.begin(), found.end(),
              [](const FoundFile &one, const FoundFile &other) { return one.path < other.path; });
    return found;
}

} // namespace warpwright
