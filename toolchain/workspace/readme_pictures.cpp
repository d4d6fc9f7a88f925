// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/readme_pictures.h"

#include "toolchain/base/text_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

namespace warpwright {
namespace {

constexpr qint64 mostBytes = 16 << 20;
constexpr qint64 bytesThatTell = 4096; ///< a drawing may begin with a comment

bool looksLikePicture(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray head = file.read(bytesThatTell);
    return QFileInfo(path).suffix().compare(QLatin1String("svg"), Qt::CaseInsensitive) == 0
               ? head.contains("<svg") || head.startsWith("\x1f\x8b")
               : head.startsWith("\x89PNG") || head.startsWith("\xff\xd8") || head.startsWith("GIF8") ||
                     head.startsWith("BM") || head.startsWith("RIFF");
}

void lookAt(ReadmePicture &picture, const QString &folder) {
    const QString path = QUrl::fromPercentEncoding(picture.name.toUtf8());
    if (!QDir::isRelativePath(path) || !QUrl(picture.name).scheme().isEmpty()) {
        picture.whyNot = QStringLiteral("only pictures in the lesson's folder are shown");
        return;
    }
    const QFileInfo info(folder + QLatin1Char('/') + path);
    const QString file = info.canonicalFilePath();
    if (!info.isFile() || file.isEmpty())
        picture.whyNot = QStringLiteral("there is no such file");
    else if (!file.startsWith(QFileInfo(folder).canonicalFilePath() + QLatin1Char('/')))
        picture.whyNot = QStringLiteral("it lies outside the lesson's folder");
    else if (info.size() > mostBytes)
        picture.whyNot = QStringLiteral("it has more than 16 MiB");
    else if (!looksLikePicture(file))
        picture.whyNot = QStringLiteral("it cannot be read as PNG, JPEG or SVG");
    else
        picture.file = file;
}

} // namespace

std::vector<ReadmePicture> readmePictures(const QString &markdown, const QString &folder) {
    static const QRegularExpression form(QStringLiteral("!\\[([^\\]]*)\\]\\(\\s*<?([^)>\\s]+)>?[^)]*\\)"));
    std::vector<ReadmePicture> pictures;
    for (auto matches = form.globalMatch(markdown); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        ReadmePicture picture;
        picture.name = match.captured(2);
        picture.alt = match.captured(1);
        picture.start = match.capturedStart();
        picture.end = match.capturedEnd();
        lookAt(picture, folder);
        pictures.push_back(picture);
    }
    return pictures;
}

QStringList picturesNotShown(const QString &folder) {
    const Result<QByteArray> text = readTextFile(folder + QStringLiteral("/README.md"));
    QStringList said;
    if (!text.hasValue())
        return said;
    for (const ReadmePicture &picture : readmePictures(QString::fromUtf8(text.value()), folder))
        if (!picture.whyNot.isEmpty())
            said << QStringLiteral("%1: %2").arg(picture.name, picture.whyNot);
    said.removeDuplicates();
    return said;
}

} // namespace warpwright
