// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/readme_images.h"

#include "toolchain/workspace/readme_pictures.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QImageReader>
#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostPixels = 2000; ///< across: twice what a page is wide

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
QString read(const ReadmePicture &named, QImage &image) {
    if (!named.whyNot.isEmpty())
        return named.whyNot;
    const QFileInfo info(named.file);
    image = info.suffix().compare(QLatin1String("svg"), Qt::CaseInsensitive) == 0 ? drawing(named.file)
                                                                                  : picture(named.file);
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
    IllustratedText told;
    qsizetype from = 0;
    for (const ReadmePicture &named : readmePictures(markdown, folder)) {
        QImage image;
        const QString why = read(named, image);
        told.text += markdown.mid(from, named.start - from);
        from = named.end;
        if (why.isEmpty()) {
            told.images[named.name] = image;
            told.text += markdown.mid(named.start, named.end - named.start);
        } else {
            told.text +=
                words("*Picture %1: %2.*")
                    .arg(named.alt.isEmpty() ? named.name : named.alt + QStringLiteral(", ") + named.name,
                         why);
        }
    }
    told.text += markdown.mid(from);
    return told;
}

} // namespace warpwright
