// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/markup.h"

#include "toolchain/base/figures.h"
#include "toolchain/base/ink.h"

namespace warpwright {

namespace {

constexpr qsizetype longestText = 4000;

} // namespace

Markup::Markup(QByteArray &page) : m_writer(&page) {
    m_writer.setAutoFormatting(false);
}

/// XML has no way to say some letters, escaped or not.
QString Markup::sayable(const QString &text) const {
    QString clean = printable(text);
    for (const auto &[folder, name] : m_folders)
        clean.replace(folder, name);
    for (qsizetype at = 0; at < clean.size(); ++at) {
        const QChar letter = clean.at(at);
        const bool isPair =
            letter.isHighSurrogate() && at + 1 < clean.size() && clean.at(at + 1).isLowSurrogate();
        if (isPair)
            ++at;
        else if (letter.isSurrogate() || letter.unicode() >= 0xfffe)
            clean[at] = QChar::ReplacementCharacter;
    }
    return clean;
}

void Markup::nameFolder(const QString &folder, const QString &name) {
    if (folder.count(QLatin1Char('/')) > 1)
        m_folders.emplace_back(folder, name);
}

void Markup::beginDocument() {
    m_writer.writeDTD(QStringLiteral("<!DOCTYPE html>\n"));
}

void Markup::begin(const char *tag, Attributes attributes) {
    m_writer.writeStartElement(QLatin1String(tag));
    for (const Attribute &attribute : attributes)
        m_writer.writeAttribute(QLatin1String(attribute.first),
                                sayable(cutText(attribute.second, longestText)));
    // Ends the tag: a browser takes `<div/>` for a beginning.
    m_writer.writeCharacters(QString());
    ++m_depth;
}

void Markup::end() {
    m_writer.writeEndElement();
    --m_depth;
}

void Markup::text(const QString &words) {
    m_writer.writeCharacters(sayable(cutText(words, longestText)));
}

void Markup::addWhole(const char *tag, const QString &words) {
    begin(tag);
    m_writer.writeCharacters(sayable(words));
    end();
}

void Markup::add(const char *tag, Attributes attributes, const QString &words) {
    begin(tag, attributes);
    text(words);
    end();
}

void Markup::mark(const char *tag, Attributes attributes) {
    m_writer.writeEmptyElement(QLatin1String(tag));
    for (const Attribute &attribute : attributes)
        m_writer.writeAttribute(QLatin1String(attribute.first),
                                sayable(cutText(attribute.second, longestText)));
}

void Markup::paragraph(const QString &words, const char *kind) {
    if (words.isEmpty())
        return;
    if (kind == nullptr)
        add("p", words);
    else
        add("p", {{"class", QLatin1String(kind)}}, words);
}

QString placeText(double pixels) {
    return QString::number(pixels, 'f', 1);
}

QString cutText(const QString &text, qsizetype most) {
    if (text.size() <= most)
        return text;
    return QStringLiteral("%1… (%2 more)")
        .arg(text.left(most), countText(text.size() - most, QStringLiteral("letter")));
}

} // namespace warpwright
