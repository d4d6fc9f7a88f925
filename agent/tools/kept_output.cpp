// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/kept_output.h"

#include "toolchain/base/figures.h"
#include "toolchain/base/ink.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostEndBytes = 16 * 1024;

/// Not in the middle of a letter, and at the end of a line where one is near.
qsizetype cutBefore(const QByteArray &bytes, qsizetype at) {
    const qsizetype line = bytes.lastIndexOf('\n', at - 1);
    if (line >= at / 2)
        return line + 1;
    while (at > 0 && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80)
        --at;
    return at;
}

qsizetype cutAfter(const QByteArray &bytes, qsizetype at) {
    const qsizetype line = bytes.indexOf('\n', at);
    if (line >= 0 && line - at < (bytes.size() - at) / 2)
        return line + 1;
    while (at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80)
        ++at;
    return at;
}

QByteArray leftOut(qint64 bytes, const QString &where) {
    QString words = QStringLiteral("\n… %1 left out here").arg(bytesText(static_cast<double>(bytes)));
    words += where.isEmpty() ? QStringLiteral(" …\n") : QStringLiteral(". %1 …\n").arg(where);
    return words.toUtf8();
}

QString joined(const QByteArray &first, const QByteArray &last, qint64 all, qsizetype most,
               const QString &where) {
    const qsizetype room = std::max<qsizetype>(most - leftOut(all, where).size(), 64);
    const qsizetype firstEnd = first.size() > room / 2 ? cutBefore(first, room / 2) : first.size();
    const qsizetype lastBegin = last.size() > room / 2 ? cutAfter(last, last.size() - room / 2) : 0;
    const qint64 out = all - firstEnd - (last.size() - lastBegin);
    return QString::fromUtf8(first.left(firstEnd) + leftOut(out, where) + last.mid(lastBegin));
}

} // namespace

void KeptOutput::add(const QByteArray &bytes) {
    m_bytes += bytes.size();
    const qint64 room = mostKeptBytes - m_beginning.size();
    m_beginning += bytes.left(static_cast<qsizetype>(room));
    m_end += bytes;
    if (m_end.size() > 2 * mostEndBytes)
        m_end = m_end.right(mostEndBytes);
}

QString cutInTheMiddle(const QString &text, qsizetype mostBytes, const QString &where) {
    const QByteArray bytes = text.toUtf8();
    return bytes.size() <= mostBytes ? text : joined(bytes, bytes, bytes.size(), mostBytes, where);
}

QString outputText(const KeptOutput &output, qsizetype mostBytes, const QString &where) {
    // Decoded first: a byte that is no text becomes three of the replacement character.
    const auto decoded = [](const QByteArray &bytes) {
        return printable(QString::fromUtf8(bytes)).toUtf8();
    };
    const QByteArray first = decoded(output.beginning().left(4 * mostBytes));
    if (output.bytes() <= 4 * mostBytes && first.size() <= mostBytes)
        return QString::fromUtf8(first);
    const QByteArray last = decoded(output.end());
    const qint64 all = std::max<qint64>(output.bytes(), first.size());
    return joined(first, last, all, mostBytes, where);
}

} // namespace warpwright
