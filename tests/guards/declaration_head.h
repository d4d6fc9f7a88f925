// SPDX-License-Identifier: GPL-3.0-or-later
// The words before a brace, and what they open.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace warpwright {

/// Words of a declaration outside of functions, as they are met. Groups in round, square and curly brackets
/// are one word each: "()", "[]", "{}".
class DeclarationHead {
public:
    enum class Opens { Namespace, Class, Function, Initializer };

    void clear() { m_words.clear(); }
    bool isEmpty() const { return m_words.isEmpty(); }
    /// A macro of moc's at the beginning, which needs no semicolon, is no part of what follows.
    void add(const QString &word);

    /// "public:" and the like, before the colon.
    bool isAccessLabel() const;
    /// What a brace opens that follows these words.
    Opens opens() const;
    bool isUnnamedNamespace() const;
    bool isEnum() const;
    /// Of a class or an enum; empty where it has none.
    QString className() const;
    /// Of a class: its name has arguments of a template.
    bool isSpecialization() const;
    /// The last name so far: before a value that of its variable. May be empty.
    QString lastName() const;
    /// Of a function: what stands before the last "::" without arguments of templates, and what behind it.
    QString functionQualifier() const;
    QString functionName() const;

private:
    qsizetype firstOfMeaning() const;
    qsizetype parameters() const;
    qsizetype initialValue() const;
    qsizetype nameOfFunction() const;

    QStringList m_words;
};

} // namespace warpwright
