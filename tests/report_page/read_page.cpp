// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/report_page/read_page.h"

#include <QXmlStreamReader>

#include <algorithm>

int ReadPage::count(const QString &tag) const {
    return static_cast<int>(std::count_if(elements.begin(), elements.end(),
                                          [&tag](const ReadElement &each) { return each.tag == tag; }));
}

const ReadElement *ReadPage::byId(const QString &id) const {
    for (const ReadElement &each : elements)
        if (each.attributes.value(QStringLiteral("id")) == id)
            return &each;
    return nullptr;
}

const ReadElement *ReadPage::first(const QString &tag) const {
    for (const ReadElement &each : elements)
        if (each.tag == tag)
            return &each;
    return nullptr;
}

std::vector<const ReadElement *> ReadPage::ofClass(const QString &name) const {
    std::vector<const ReadElement *> found;
    for (const ReadElement &each : elements)
        if (each.attributes.value(QStringLiteral("class")).split(QLatin1Char(' ')).contains(name))
            found.push_back(&each);
    return found;
}

QString ReadPage::words(const QString &id) const {
    const ReadElement *found = byId(id);
    return found == nullptr ? QString() : found->text;
}

ReadPage readPage(const QByteArray &bytes) {
    ReadPage page;
    QXmlStreamReader reader(bytes);
    std::vector<std::size_t> open;
    std::vector<qsizetype> begun; // of each, where its text begins in `text`
    QString text;
    while (!reader.atEnd()) {
        switch (reader.readNext()) {
        case QXmlStreamReader::StartElement: {
            ReadElement element;
            element.tag = reader.qualifiedName().toString();
            for (const QXmlStreamAttribute &attribute : reader.attributes())
                element.attributes.insert(attribute.qualifiedName().toString(), attribute.value().toString());
            open.push_back(page.elements.size());
            begun.push_back(text.size());
            page.elements.push_back(std::move(element));
            break;
        }
        case QXmlStreamReader::EndElement:
            page.elements[open.back()].text = text.mid(begun.back());
            open.pop_back();
            begun.pop_back();
            break;
        case QXmlStreamReader::Characters:
            text += reader.text();
            break;
        default:
            break;
        }
    }
    if (reader.hasError())
        page.problem = QStringLiteral("line %1, column %2: %3")
                           .arg(reader.lineNumber())
                           .arg(reader.columnNumber())
                           .arg(reader.errorString());
    return page;
}
