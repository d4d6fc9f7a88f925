// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

#include <vector>

/// An element of a page, as an XML reader sees it.
struct ReadElement {
    QString tag;
    QMap<QString, QString> attributes;
    QString text; ///< all that is in it, elements within included
};

/// A page that was read whole: every element in the order of its beginning.
struct ReadPage {
    QString problem; ///< why it is no XML; empty: it is
    std::vector<ReadElement> elements;

    [[nodiscard]] int count(const QString &tag) const;
    /// The first one with this id; null: there is none.
    [[nodiscard]] const ReadElement *byId(const QString &id) const;
    /// The first one of this tag.
    [[nodiscard]] const ReadElement *first(const QString &tag) const;
    [[nodiscard]] std::vector<const ReadElement *> ofClass(const QString &name) const;
    /// The words of the part with this id.
    [[nodiscard]] QString words(const QString &id) const;
};

[[nodiscard]] ReadPage readPage(const QByteArray &bytes);
