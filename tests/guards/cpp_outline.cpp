// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/cpp_outline.h"

#include "tests/guards/code_text.h"
#include "tests/guards/declaration_head.h"

#include <algorithm>

namespace warpwright {

namespace {

bool isWordSign(QChar sign) {
    return sign.isLetterOrNumber() || sign == '_';
}

class Outlining {
public:
    Outlining(const QString &text, CppOutline &outline) : m_text(text), m_outline(outline) {
        for (qsizetype at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
            m_breaks.append(at);
    }

    void run() {
        while (m_at < m_text.size()) {
            const QChar sign = m_text.at(m_at);
            if (sign.isSpace())
                ++m_at;
            else if (sign == ';')
                endHead();
            else if (sign == '{')
                open();
            else if (sign == '}')
                close();
            else if (sign == ':' && m_text.mid(m_at, 2) != "::" && isInClass() && m_head.isAccessLabel())
                endHead();
            else
                takeWord();
        }
        if (!m_scopes.isEmpty())
            m_outline.isWhole = false;
    }

private:
    struct Scope {
        bool isClass;
        QString className; // with those around it
        qsizetype begin;
        bool isInUnnamed;
        bool isSpecialization = false;
    };

    bool isInClass() const { return !m_scopes.isEmpty() && m_scopes.last().isClass; }
    QString classAround() const { return m_scopes.isEmpty() ? QString() : m_scopes.last().className; }
    bool isInUnnamed() const { return !m_scopes.isEmpty() && m_scopes.last().isInUnnamed; }
    // With the classes around it.
    QString nameWithin(const QString &name) const {
        const QString around = classAround();
        return around.isEmpty() || name.isEmpty() ? around + name : around + "::" + name;
    }
    int lineOf(qsizetype at) const {
        return int(std::lower_bound(m_breaks.begin(), m_breaks.end(), at) - m_breaks.begin()) + 1;
    }

    void endHead() {
        m_head.clear();
        ++m_at;
    }

    void takeWord() {
        if (m_head.isEmpty())
            m_headBegin = m_at;
        const qsizetype begin = m_at;
        const QChar sign = m_text.at(m_at);
        if (sign == '(') {
            skipGroup(u'(', u')');
            findLambdas(begin);
            m_head.add("()");
        } else if (sign == '[') {
            skipGroup(u'[', u']');
            m_head.add("[]");
        } else if (isWordSign(sign)) {
            while (m_at < m_text.size() && isWordSign(m_text.at(m_at)))
                ++m_at;
            m_head.add(m_text.mid(begin, m_at - begin));
        } else {
            const QString pair = m_text.mid(m_at, 2);
            m_at +=
                pair == "::" || pair == "->" || pair == "==" || pair == "<=" || pair == ">=" || pair == "!="
                    ? 2
                    : 1;
            m_head.add(m_text.mid(begin, m_at - begin));
        }
    }

    // At `opening`; ends behind the sign that closes it. By pointer: nearly all of the text is in such
    // groups.
    void skipGroup(char16_t opening, char16_t closing) {
        const auto *const begin = reinterpret_cast<const char16_t *>(m_text.constData());
        const auto *const end = begin + m_text.size();
        int depth = 0;
        for (const char16_t *at = begin + m_at; at < end; ++at) {
            if (*at == opening)
                ++depth;
            else if (*at == closing && --depth == 0) {
                m_at = at + 1 - begin;
                return;
            }
        }
        m_at = m_text.size();
        m_outline.isWhole = false;
    }

    // From `begin` on to where the scan is: each "[...]" that a body follows behind parameters and words.
    void findLambdas(qsizetype begin) {
        const qsizetype end = m_at;
        if (lineOf(begin) != lineOf(end - 1)) // of one line it has no size
            for (qsizetype at = m_text.indexOf('[', begin); at >= 0 && at < end;
                 at = m_text.indexOf('[', at + 1)) {
                m_at = at;
                skipGroup(u'[', u']');
                while (m_at < end && isBeforeBody(m_text.at(m_at))) {
                    if (m_text.at(m_at) == '(')
                        skipGroup(u'(', u')');
                    else
                        ++m_at;
                }
                if (m_at >= end || m_text.at(m_at) != '{')
                    continue;
                skipGroup(u'{', u'}');
                m_outline.lambdas.append({m_head.lastName(), lineOf(at), lineOf(m_at - 1) - lineOf(at) + 1});
                at = m_at - 1;
            }
        m_at = end;
    }

    // Between the captures and the body: "(int a) mutable noexcept(false) -> std::vector<int> &".
    static bool isBeforeBody(QChar sign) {
        return isWordSign(sign) || sign.isSpace() || QStringLiteral("(:<>&*-").contains(sign);
    }

    void open() {
        if (m_head.isEmpty())
            m_headBegin = m_at;
        switch (m_head.opens()) {
        case DeclarationHead::Opens::Namespace:
            m_scopes.append(
                {false, classAround(), m_headBegin, isInUnnamed() || m_head.isUnnamedNamespace()});
            endHead();
            break;
        case DeclarationHead::Opens::Class:
            m_scopes.append({true, nameWithin(m_head.className()), m_headBegin, isInUnnamed(),
                             m_head.isSpecialization() || (isInClass() && m_scopes.last().isSpecialization)});
            endHead();
            break;
        case DeclarationHead::Opens::Function: {
            CppOutline::Function function;
            QStringList qualifier{classAround(), m_head.functionQualifier()};
            qualifier.removeAll(QString());
            function.qualifier = qualifier.join("::");
            function.name = m_head.functionName();
            function.isInClass = isInClass();
            function.line = lineOf(m_headBegin);
            skipGroup(u'{', u'}');
            function.lines = lineOf(m_at - 1) - function.line + 1;
            m_outline.functions.append(function);
            m_head.clear();
            break;
        }
        case DeclarationHead::Opens::Initializer: {
            const qsizetype begin = m_at;
            skipGroup(u'{', u'}');
            findLambdas(begin);
            if (m_head.isEnum() && !m_head.className().isEmpty())
                m_outline.enums.append({nameWithin(m_head.className()), lineOf(m_headBegin),
                                        lineOf(m_at - 1) - lineOf(m_headBegin) + 1, false, isInUnnamed()});
            m_head.add("{}");
            break;
        }
        }
    }

    void close() {
        if (m_scopes.isEmpty()) {
            m_outline.isWhole = false;
        } else {
            const Scope scope = m_scopes.takeLast();
            if (scope.isClass && scope.className != classAround())
                m_outline.classes.append({scope.className, lineOf(scope.begin),
                                          lineOf(m_at) - lineOf(scope.begin) + 1, scope.isSpecialization,
                                          scope.isInUnnamed});
        }
        endHead();
    }

    const QString &m_text;
    CppOutline &m_outline;
    QVector<qsizetype> m_breaks;
    QVector<Scope> m_scopes;
    DeclarationHead m_head;
    qsizetype m_headBegin = 0;
    qsizetype m_at = 0;
};

} // namespace

CppOutline CppOutline::of(const QStringList &lines) {
    CppOutline outline;
    const QString text = codeText(lines);
    Outlining(text, outline).run();
    return outline;
}

} // namespace warpwright
