// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/trajectory_writer.h"

#include "agent/record/later_sync.h"
#include "agent/record/trajectory_reader.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/text_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwright {
namespace {

/// A new name is on the disk only when its folder is.
bool syncFolder(const QString &folder) {
    const int descriptor = ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool isDone = fsync(descriptor) == 0;
    ::close(descriptor);
    return isDone;
}

bool writeAll(int descriptor, const QByteArray &bytes) {
    for (qsizetype done = 0; done < bytes.size();) {
        const ssize_t now =
            ::write(descriptor, bytes.constData() + done, static_cast<std::size_t>(bytes.size() - done));
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return false;
        done += now;
    }
    return true;
}

struct Tail {
    std::optional<TrajectoryEvent> last;
    qint64 end = 0; ///< of the last whole line
    int passedOver = 0;
};

/// What stands behind the first end of line at or after `from`.
Result<Tail> readTail(const QString &path, qint64 from) {
    using Answer = Result<Tail>;
    Tail tail;
    if (from > 0) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly) || !file.seek(from))
            return Answer::error(
                QStringLiteral("Cannot read the trajectory \"%1\": %2.").arg(path, file.errorString()));
        tail.end = from + file.readLine().size();
    }
    const TrajectoryReader reader(path);
    for (bool isLast = false; !isLast;) {
        Result<TrajectoryReader::Page> read = reader.page(tail.end, 1024);
        if (!read.hasValue())
            return Answer::error(read.message());
        TrajectoryReader::Page page = std::move(read).value();
        if (!page.events.empty())
            tail.last = std::move(page.events.back());
        tail.end = page.next;
        tail.passedOver += page.passedOver;
        isLast = page.isLast;
    }
    return Answer::ok(std::move(tail));
}

constexpr qint64 firstWindow = 64 * 1024;

QString cannotText(const QString &what, const QString &folder, const QString &path, const QString &reason) {
    const QString advice = adviceForFullDisk(folder, reason);
    return QStringLiteral("Cannot %1 the trajectory \"%2\": %3.%4")
        .arg(what, path, reason, advice.isEmpty() ? QString() : QLatin1Char(' ') + advice);
}

} // namespace

struct TrajectoryWriter::File {
    File(QString runFolder, int descriptor)
        : folder(std::move(runFolder)), path(trajectoryFile(folder)), handle(descriptor), later(descriptor) {}
    // The lock goes at once, also where the last sync still holds the file open.
    ~File() {
        if (handle >= 0)
            flock(handle, LOCK_UN);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    [[nodiscard]] QString cannot(const QString &what, const QString &reason) const {
        return cannotText(what, folder, path, reason);
    }
    [[nodiscard]] Result<void> recover();
    [[nodiscard]] Result<void> append(const QString &kind, const Json &body);
    [[nodiscard]] bool sync() {
        if (!isSyncedLater)
            return fsync(handle) == 0;
        later.ask();
        return true;
    }

    QString folder;
    QString path;
    int handle = -1; ///< of `later`, which closes it
    LaterSync later;
    bool isSyncedLater = false;
    qint64 size = 0; ///< of what is whole
    qint64 lastNumber = 0;
    qint64 lastOffset = -1;
    bool isUnsure = false; ///< a line may stand behind `size` that could not be cut away
    QString notice;
};

Result<void> TrajectoryWriter::File::recover() {
    struct stat facts {};
    if (fstat(handle, &facts) != 0)
        return Result<void>::error(cannot(QStringLiteral("read"), qt_error_string(errno)));
    // Only the tail is read, for a run may be hundreds of megabytes; the more of it, the less of it is whole.
    Tail tail;
    for (qint64 window = firstWindow;; window *= 16) {
        const Result<Tail> read = readTail(path, facts.st_size - window);
        if (!read.hasValue())
            return Result<void>::error(read.message());
        tail = read.value();
        if (tail.last || window >= facts.st_size)
            break;
    }
    const qint64 end = tail.end;
    lastNumber = tail.last ? tail.last->number : 0;
    lastOffset = tail.last ? tail.last->offset : -1;
    QStringList said;
    if (facts.st_size > end) {
        if (ftruncate(handle, end) != 0 || fsync(handle) != 0)
            return Result<void>::error(
                cannot(QStringLiteral("cut a half-written line from"), qt_error_string(errno)));
        said << QStringLiteral("a half-written last line was cut away (%1)")
                    .arg(countText(static_cast<qsizetype>(facts.st_size - end), QStringLiteral("byte")));
    }
    if (tail.passedOver > 0)
        said << QStringLiteral("%1 could not be read and stayed where it was")
                    .arg(countText(tail.passedOver, QStringLiteral("line")));
    notice = said.isEmpty() ? QString()
                            : QStringLiteral("The trajectory \"%1\" was not whole: %2.")
                                  .arg(path, said.join(QStringLiteral("; ")));
    size = end;
    isUnsure = false;
    return Result<void>::ok();
}

Result<void> TrajectoryWriter::File::append(const QString &kind, const Json &body) {
    if (isUnsure)
        if (const Result<void> recovered = recover(); !recovered.hasValue())
            return recovered;
    TrajectoryEvent event;
    event.number = lastNumber + 1;
    event.at = QDateTime::currentDateTimeUtc();
    event.kind = kind;
    event.body = body;
    const QByteArray line = lineOf(event);
    errno = 0;
    if (writeAll(handle, line) && sync()) {
        lastNumber = event.number;
        lastOffset = size;
        size += line.size();
        return Result<void>::ok();
    }
    const int problem = errno;
    // What was not acknowledged is not to be found later. Where it cannot be cut away now, it is looked at
    // again before the next line.
    isUnsure = ftruncate(handle, size) != 0 || fsync(handle) != 0;
    return Result<void>::error(cannot(QStringLiteral("write"), qt_error_string(problem)));
}

TrajectoryWriter::TrajectoryWriter(std::unique_ptr<File> file) : m_file(std::move(file)) {}
TrajectoryWriter::~TrajectoryWriter() = default;
TrajectoryWriter::TrajectoryWriter(TrajectoryWriter &&) noexcept = default;
TrajectoryWriter &TrajectoryWriter::operator=(TrajectoryWriter &&) noexcept = default;

Result<TrajectoryWriter> TrajectoryWriter::beginRun(const QString &stateFolder) {
    using Answer = Result<TrajectoryWriter>;
    const QString id = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'hhmmss.zzz'Z'")) +
                       QLatin1Char('-') + QUuid::createUuid().toString(QUuid::Id128).left(6);
    const QString runs = runsFolder(stateFolder);
    const QString folder = runs + QLatin1Char('/') + id;
    if (const Result<void> made = makeFolder(folder); !made.hasValue())
        return Answer::error(made.message());
    const QByteArray path = QFile::encodeName(trajectoryFile(folder));
    const int handle = ::open(path.constData(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    const bool isOnDisk = handle >= 0 && fsync(handle) == 0 && syncFolder(folder) && syncFolder(runs) &&
                          syncFolder(stateFolder);
    const QString reason = qt_error_string(errno);
    auto file = std::make_unique<File>(folder, handle);
    if (!isOnDisk || flock(handle, LOCK_EX | LOCK_NB) != 0)
        return Answer::error(file->cannot(QStringLiteral("begin"), reason));
    return Answer::ok(TrajectoryWriter(std::move(file)));
}

Result<TrajectoryWriter> TrajectoryWriter::continueRun(const QString &runFolder) {
    using Answer = Result<TrajectoryWriter>;
    const QByteArray path = QFile::encodeName(trajectoryFile(runFolder));
    const int handle = ::open(path.constData(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const QString reason = qt_error_string(errno);
    auto file = std::make_unique<File>(runFolder, handle);
    if (handle < 0)
        return Answer::error(file->cannot(QStringLiteral("continue"), reason));
    if (flock(handle, LOCK_EX | LOCK_NB) != 0)
        return Answer::error(
            QStringLiteral("Cannot continue the trajectory \"%1\": another process is writing "
                           "it. End the run there first.")
                .arg(file->path));
    if (const Result<void> recovered = file->recover(); !recovered.hasValue())
        return Answer::error(recovered.message());
    return Answer::ok(TrajectoryWriter(std::move(file)));
}

void TrajectoryWriter::syncLater(std::function<void(const QString &message)> tell) {
    m_file->isSyncedLater = true;
    m_file->later.setTold(
        [tell = std::move(tell), folder = m_file->folder, path = m_file->path](const QString &reason) {
            const QString message = cannotText(QStringLiteral("bring to the disk"), folder, path, reason);
            if (tell)
                tell(message);
            else
                qWarning("%s", qPrintable(message));
        });
}

Result<void> TrajectoryWriter::append(const QString &kind, const Json &body) {
    Q_ASSERT(!kind.isEmpty() && (body.is_object() || body.is_null()));
    return m_file->append(kind, body);
}

QString TrajectoryWriter::run() const {
    return QFileInfo(m_file->folder).fileName();
}

QString TrajectoryWriter::folder() const {
    return m_file->folder;
}

QString TrajectoryWriter::file() const {
    return m_file->path;
}

qint64 TrajectoryWriter::lastNumber() const {
    return m_file->lastNumber;
}

qint64 TrajectoryWriter::lastOffset() const {
    return m_file->lastOffset;
}

QString TrajectoryWriter::notice() const {
    return m_file->notice;
}

} // namespace warpwright
