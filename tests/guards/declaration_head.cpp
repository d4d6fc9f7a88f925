// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/declaration_head.h"

#include <QSet>

namespace warpwright {

namespace {

bool isName(const QString &word) {
    return !word.isEmpty() && (word.front().isLetterOrNumber() || word.front() == '_');
}

bool isClassWord(const QString &word) {
    return word == "class" || word == "struct" || word == "union";
}

// At "<": behind its ">".
qsizetype behindAngles(const QStringList &words, qsizetype at) {
    int depth = 0;
    for (; at < words.size(); ++at) {
        depth += words.at(at) == "<" ? 1 : words.at(at) == ">" ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

// At ">": its "<".
qsizetype openingAngle(const QStringList &words, qsizetype at) {
    int depth = 0;
    for (; at > 0; --at) {
        depth += words.at(at) == ">" ? 1 : words.at(at) == "<" ? -1 : 0;
        if (depth == 0)
            break;
    }
    return at;
}

} // namespace

void DeclarationHead::add(const QString &word) {
    static const QSet<QString> whole{"Q_OBJECT", "Q_GADGET", "Q_NAMESPACE"};
    const bool isMacro = m_words.isEmpty()
                             ? whole.contains(word)
                             : m_words.size() == 1 && m_words.first().startsWith("Q_") && word == "()";
    if (isMacro)
        m_words.clear();
    else
        m_words.append(word);
}

// Behind "template <...>", attributes and what is said of storage.
qsizetype DeclarationHead::firstOfMeaning() const {
    static const QSet<QString> before{"[]",     "static", "inline", "constexpr", "constinit",
                                      "export", "const",  "friend", "typedef",   "thread_local"};
    qsizetype at = 0;
    while (at < m_words.size()) {
        if (m_words.at(at) == "template" && m_words.value(at + 1) == "<")
            at = behindAngles(m_words, at + 1);
        else if (before.contains(m_words.at(at)))
            ++at;
        else
            break;
    }
    if (m_words.value(at) == "requires") // of a class; a function's is no matter here
        for (qsizetype next = at + 1; next < m_words.size(); ++next)
            if (isClassWord(m_words.at(next)))
                return next;
    return at;
}

bool DeclarationHead::isUnnamedNamespace() const {
    const qsizetype first = firstOfMeaning();
    return m_words.value(first) == "namespace" && first + 1 == m_words.size();
}

bool DeclarationHead::isEnum() const {
    return m_words.value(firstOfMeaning()) == "enum";
}

bool DeclarationHead::isSpecialization() const {
    const qsizetype first = firstOfMeaning();
    const qsizetype colon = m_words.indexOf(":", first);
    return m_words.mid(first, colon < 0 ? -1 : colon - first).contains("<");
}

bool DeclarationHead::isAccessLabel() const {
    static const QSet<QString> labels{"public", "protected", "private", "signals",
                                      "slots",  "Q_SIGNALS", "Q_SLOTS"};
    return !m_words.isEmpty() && labels.contains(m_words.last());
}

// The parameters of a function: the first "()" that is no attribute's and not within a type's angles. Or -1.
qsizetype DeclarationHead::parameters() const {
    static const QSet<QString> attributes{"alignas",       "decltype",          "explicit", "noexcept",
                                          "__attribute__", "__launch_bounds__", "requires"};
    int depth = 0;
    for (qsizetype at = firstOfMeaning(); at < m_words.size(); ++at) {
        const QString &word = m_words.at(at);
        if (word == "operator") {
            // Its own signs are no angles: operator<, and operator() has brackets in its name.
            for (qsizetype next = at + 1; next < m_words.size(); ++next)
                if (m_words.at(next) == "()")
                    return m_words.value(next + 1) == "()" ? next + 1 : next;
            return -1;
        }
        if (word == "<")
            ++depth;
        else if (word == ">")
            --depth;
        else if (word == "()" && depth == 0 && at > 0 && !attributes.contains(m_words.at(at - 1)))
            return at;
    }
    return -1;
}

// The "=" of a variable, or -1.
qsizetype DeclarationHead::initialValue() const {
    for (qsizetype at = firstOfMeaning(); at < m_words.size(); ++at) {
        if (m_words.at(at) == "operator")
            return -1;
        if (m_words.at(at) == "=")
            return at;
    }
    return -1;
}

DeclarationHead::Opens DeclarationHead::opens() const {
    const qsizetype first = firstOfMeaning();
    const QString word = m_words.value(first);
    if (word == "namespace" || (word == "extern" && first + 1 == m_words.size()))
        return Opens::Namespace;
    if (word == "enum")
        return Opens::Initializer;
    const qsizetype value = initialValue();
    if (value >= 0)
        return m_words.value(value + 1) == "[]" ? Opens::Function : Opens::Initializer;
    const qsizetype brackets = parameters();
    const qsizetype colon = m_words.indexOf(":", first);
    if (isClassWord(word) && (brackets < 0 || (colon >= 0 && colon < brackets)))
        return Opens::Class;
    if (brackets < 0)
        return Opens::Initializer;
    // A constructor's members may be given their values in braces: m_size{1}.
    const bool isAmongMembers = m_words.indexOf(":", brackets) >= 0;
    return isAmongMembers && (isName(m_words.last()) || m_words.last() == ">") ? Opens::Initializer
                                                                               : Opens::Function;
}

QString DeclarationHead::className() const {
    const qsizetype colon = m_words.indexOf(":");
    QString name;
    for (qsizetype at = firstOfMeaning() + 1; at < (colon < 0 ? m_words.size() : colon); ++at) {
        const QString &word = m_words.at(at);
        if (word == "<")
            at = behindAngles(m_words, at) - 1;
        else if (word == "::")
            name += word;
        else if (isName(word) && word != "final" && word != "alignas")
            name = name.endsWith("::") ? name + word : word;
    }
    return name;
}

QString DeclarationHead::lastName() const {
    const qsizetype value = initialValue();
    for (qsizetype at = value >= 0 ? value - 1 : m_words.size() - 1; at >= 0; --at)
        if (isName(m_words.at(at)))
            return m_words.at(at);
    return {};
}

qsizetype DeclarationHead::nameOfFunction() const {
    const qsizetype value = initialValue();
    if (value > 0)
        return value - 1;
    const qsizetype word = m_words.indexOf("operator", firstOfMeaning());
    if (word >= 0)
        return word;
    qsizetype at = parameters() - 1;
    if (at >= 0 && m_words.at(at) == ">") // of a specialization
        at = openingAngle(m_words, at) - 1;
    return at;
}

QString DeclarationHead::functionName() const {
    const qsizetype at = nameOfFunction();
    if (at < 0)
        return {};
    if (m_words.at(at) == "operator")
        return m_words.mid(at, std::max<qsizetype>(parameters() - at, 2)).join("");
    return at > 0 && m_words.at(at - 1) == "~" ? "~" + m_words.at(at) : m_words.at(at);
}

QString DeclarationHead::functionQualifier() const {
    QStringList names;
    qsizetype at = nameOfFunction() - 1;
    if (at >= 0 && m_words.at(at) == "~")
        --at;
    while (at > 0 && m_words.at(at) == "::") {
        --at;
        if (m_words.at(at) == ">")
            at = openingAngle(m_words, at) - 1;
        if (at < 0 || !isName(m_words.at(at)))
            break;
        names.prepend(m_words.at(at));
        --at;
    }
    return names.join("::");
}

} // namespace warpwright
