// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/readme_images.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QImageReader>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QUrl>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostPixels = 2000; ///< across: twice what a page is wide
constexpr qint64 mostBytes = 16 << 20;

QString words(const char *text) {
    return QCoreApplication::translate("ReadmeImages", text);
}

QSize fitting(const QSize &size) {
    return size.width() <= mostPixels && size.height() <= 2 * mostPixels
               ? size
               : size.scaled(mostPixels, 2 * mostPixels, Qt::KeepAspectRatio);
}

QImage drawing(const QString &file) {
    QSvgRenderer renderer(file);
    const QSize size = fitting(renderer.defaultSize());
    if (!renderer.isValid() || size.isEmpty())
        return {};
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

QImage picture(const QString &file) {
    QImageReader reader(file);
    reader.setAutoTransform(true);
    if (const QSize size = reader.size(); size.isValid() && fitting(size) != size)
        reader.setScaledSize(fitting(size));
    return reader.read();
}

/// Why there is none; empty: `image` is it.
QString read(const QString &name, const QString &folder, QImage &image) {
    const QString path = QUrl::fromPercentEncoding(name.toUtf8());
    if (!QDir::isRelativePath(path) || !QUrl(name).scheme().isEmpty())
        return words("only pictures in the lesson's folder are shown");
    const QFileInfo info(folder + QLatin1Char('/') + path);
    const QString file = info.canonicalFilePath();
    if (!info.isFile() || file.isEmpty())
        return words("there is no such file");
    if (!file.startsWith(QFileInfo(folder).canonicalFilePath() + QLatin1Char('/')))
        return words("it lies outside the lesson's folder");
    if (info.size() > mostBytes)
        return words("it has more than 16 MiB");
    image =
        info.suffix().compare(QLatin1String("svg"), Qt::CaseInsensitive) == 0 ? drawing(file) : picture(file);
    if (image.isNull())
        return words("it cannot be read as PNG, JPEG or SVG");
    image.setText(QStringLiteral("stamp"), QString::number(info.lastModified().toMSecsSinceEpoch()) +
                                               QLatin1Char(' ') + QString::number(info.size()));
    return {};
}

} // namespace

bool areSame(const ReadmeImages &one, const ReadmeImages &other) {
    return std::equal(
        one.begin(), one.end(), other.begin(), other.end(), [](const auto &left, const auto &right) {
            return left.first == right.first && left.second.size() == right.second.size() &&
                   left.second.text(QStringLiteral("stamp")) == right.second.text(QStringLiteral("stamp"));
        });
}

IllustratedText withImages(const QString &markdown, const QString &folder) {
    static const QRegularExpression form(QStringLiteral("!\\[([^\\]]*)\\]\\(\\s*<?([^)>\\s]+)>?[^)]*\\)"));
    IllustratedText told;
    qsizetype from = 0;
    for (auto matches = form.globalMatch(markdown); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const QString name = match.captured(2);
        QImage image;
        const QString why = read(name, folder, image);
        told.text += markdown.mid(from, match.capturedStart() - from);
        from = match.capturedEnd();
        if (why.isEmpty()) {
            told.images[name] = image;
            told.text += match.captured();
        } else {
            told.text +=
                words("*Picture %1: %2.*")
                    .arg(match.captured(1).isEmpty() ? name : match.captured(1) + QStringLiteral(", ") + name,
                         why);
        }
    }
    told.text += markdown.mid(from);
    return told;
}

} // namespace warpwright
