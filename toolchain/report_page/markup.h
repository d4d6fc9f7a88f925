// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QXmlStreamWriter>

#include <initializer_list>
#include <utility>
#include <vector>

namespace warpwright {

/// Writes a page that is HTML for a browser and well-formed XML for whoever checks it. Everything that is
/// given as text or as the value of an attribute stays text, whoever wrote it: it is escaped, and what turns
/// letters about or cannot stand in XML becomes a «?» or U+FFFD, and beyond 4,000 letters it is cut, with a
/// word that says so.
class Markup {
public:
    using Attribute = std::pair<const char *, QString>;
    using Attributes = std::initializer_list<Attribute>;

    /// Appends to `page`, which has to outlive it.
    explicit Markup(QByteArray &page);

    /// From now on `name` stands wherever a text names this folder: where things lie on a machine is nobody's
    /// business elsewhere.
    void nameFolder(const QString &folder, const QString &name);

    void beginDocument(); ///< the line that makes browsers follow the standard
    void begin(const char *tag, Attributes attributes = {});
    void end();
    void text(const QString &words);
    /// A whole element.
    void add(const char *tag, const QString &words) { add(tag, {}, words); }
    void add(const char *tag, Attributes attributes, const QString &words);
    /// The same, of whatever length.
    void addWhole(const char *tag, const QString &words);
    /// An element that holds nothing and is written so: `meta`, `br`, shapes of SVG.
    void mark(const char *tag, Attributes attributes);
    /// A paragraph; of nothing: none.
    void paragraph(const QString &words, const char *kind = nullptr);

    /// False: something was written that is no XML, which is our own mistake.
    [[nodiscard]] bool isWellFormed() const { return m_depth == 0 && !m_writer.hasError(); }

private:
    [[nodiscard]] QString sayable(const QString &text) const;

    QXmlStreamWriter m_writer;
    std::vector<std::pair<QString, QString>> m_folders;
    int m_depth = 0;
};

/// "12.5": a place on a drawing.
[[nodiscard]] QString placeText(double pixels);

/// The whole text, or its first `most` letters and how many follow.
[[nodiscard]] QString cutText(const QString &text, qsizetype most);

} // namespace warpwright
