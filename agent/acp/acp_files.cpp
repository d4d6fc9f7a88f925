// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_files.h"

#include "toolchain/process/in_pool.h"

#include <QDir>

namespace warpwright {
namespace {

constexpr qint64 mostBytes = 16LL * 1024 * 1024;

AcpFileAnswer refused(const QString &what, const QString &path, const QString &why) {
    return {{}, QStringLiteral("Cannot %1 \"%2\": %3.").arg(what, path, why), true};
}

QString outsideWords(const WorkFolder &folder, const QString &path) {
    if (QDir::cleanPath(path) == folder.folder())
        return QStringLiteral("it is the work folder itself, and no file");
    return QStringLiteral("it is not in the work folder \"%1\"").arg(folder.folder());
}

AcpFileAnswer readFile(const WorkFolder &folder, const AcpReadFile &file) {
    const QString path = folder.access().relative(file.path);
    if (path.isEmpty())
        return refused(QStringLiteral("read"), file.path, outsideWords(folder, file.path));
    const ReachedFile reached = folder.access().read(path, mostBytes);
    if (reached.reach != Reach::Ok) {
        AcpFileAnswer answer = refused(QStringLiteral("read"), file.path, reached.why);
        answer.isThere = reached.reach != Reach::NotThere;
        return answer;
    }
    if (file.line == 1 && file.lines < 0)
        return {QString::fromUtf8(reached.bytes), {}, true};
    qsizetype begin = 0;
    for (int line = 1; line < file.line && begin >= 0; ++line) {
        const qsizetype end = reached.bytes.indexOf('\n', begin);
        begin = end < 0 ? reached.bytes.size() : end + 1;
        if (end < 0)
            break;
    }
    qsizetype end = begin;
    for (int line = 0; line != file.lines && end < reached.bytes.size(); ++line) {
        const qsizetype next = reached.bytes.indexOf('\n', end);
        end = next < 0 ? reached.bytes.size() : next + 1;
    }
    return {QString::fromUtf8(reached.bytes.mid(begin, end - begin)), {}, true};
}

AcpFileAnswer writeFile(const WorkFolder &folder, const AcpWriteFile &file) {
    const QString path = folder.access().relative(file.path);
    if (path.isEmpty())
        return refused(QStringLiteral("write"), file.path, outsideWords(folder, file.path));
    if (const QString why = folder.whyNotWritable(path); !why.isEmpty())
        return {{}, why, true};
    const QByteArray bytes = file.text.toUtf8();
    if (bytes.size() > mostBytes)
        return refused(QStringLiteral("write"), file.path, QStringLiteral("it is larger than 16 MiB"));
    const ReachedFile reached = folder.access().write(path, bytes);
    return reached.reach == Reach::Ok ? AcpFileAnswer{}
                                      : refused(QStringLiteral("write"), file.path, reached.why);
}

} // namespace

AcpFiles::AcpFiles(WorkFolder folder, QObject *parent) : QObject(parent), m_folder(std::move(folder)) {
    m_pool.setMaxThreadCount(1);
}

AcpFiles::~AcpFiles() {
    m_pool.clear();
}

void AcpFiles::read(const AcpReadFile &file, Answered answered) {
    inPool(
        m_pool, this, [folder = m_folder, file] { return readFile(folder, file); }, std::move(answered));
}

void AcpFiles::write(const AcpWriteFile &file, Answered answered) {
    inPool(
        m_pool, this, [folder = m_folder, file] { return writeFile(folder, file); }, std::move(answered));
}

} // namespace warpwright
