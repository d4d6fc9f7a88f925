// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/guide_file.h"

#include "toolchain/base/figures.h"

#include <QFile>
#include <QFileInfo>
#include <QStringDecoder>

#include <algorithm>

namespace warpwright {
namespace {

QString whyNotOpened(const QString &folder, const QFileInfo &file) {
    if (!file.exists())
        return QStringLiteral("is a link that leads nowhere");
    const QString root = QFileInfo(folder).canonicalFilePath();
    if (!file.canonicalFilePath().startsWith(root + QLatin1Char('/')))
        return QStringLiteral("is a link out of the workspace");
    if (file.isDir())
        return QStringLiteral("is a folder");
    return file.isFile() ? QString() : QStringLiteral("is a pipe, a socket or a device");
}

QString decoded(const QByteArray &bytes) {
    const auto marked = QStringConverter::encodingForData(bytes);
    QStringDecoder decoder(marked.value_or(QStringConverter::Utf8));
    const QString text = decoder(bytes);
    return decoder.hasError() && !marked ? QString::fromLatin1(bytes) : text;
}

/// More than a stray one: a program, an archive, a picture.
bool hasControls(const QString &text) {
    const auto isControl = [](QChar c) {
        return c < QLatin1Char(' ') && !c.isSpace() && c != QChar(0x1b);
    };
    return text.contains(QChar::Null) ||
           std::count_if(text.begin(), text.end(), isControl) * 100 > text.size();
}

} // namespace

std::optional<GuideFile> readGuideFile(const QString &folder, const QString &name) {
    const QFileInfo info(folder + QLatin1Char('/') + name);
    if (!info.exists() && !info.isSymLink())
        return std::nullopt;
    GuideFile read{name, {}, whyNotOpened(folder, info), 0, false};
    if (!read.isRead())
        return read;
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly)) {
        read.whyNot = QStringLiteral("cannot be read (%1)").arg(file.errorString());
        return read;
    }
    QByteArray bytes = file.read(mostGuideBytes);
    read.bytes = std::max(file.size(), qint64(bytes.size()));
    read.isCut = read.bytes > bytes.size();
    QString text = decoded(bytes);
    if (hasControls(text))
        read.whyNot = QStringLiteral("is no text");
    else if (text.trimmed().isEmpty())
        read.whyNot = QStringLiteral("is empty");
    if (!read.isRead())
        return read;
    if (read.isCut) {
        if (const qsizetype line = text.lastIndexOf(QLatin1Char('\n')); line > 0)
            text.truncate(line + 1);
        text += QStringLiteral("\n(Cut here: %1 has %2 bytes, and its beginning is all that is shown.)\n")
                    .arg(name, numberText(static_cast<double>(read.bytes)));
    }
    read.text = text;
    return read;
}

} // namespace warpwright
