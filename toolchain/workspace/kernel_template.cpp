// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/kernel_template.h"

#include "toolchain/base/text_file.h"

#include <QRegularExpression>
#include <QStringList>

namespace warpwright {
namespace {

const QStringList &keywords() {
    static const QStringList words =
        QStringLiteral(
            "alignas alignof and asm assert async auto await bool break case catch char class const "
            "constexpr continue decltype def default del delete do double elif else enum except explicit "
            "export extern false finally float for friend from global goto if import in inline int is "
            "lambda long mutable namespace new noexcept nonlocal None not nullptr operator or pass private "
            "protected public raise register return short signed sizeof static struct switch template this "
            "throw true True False try typedef typename union unsigned using virtual void volatile while "
            "with xor yield")
            .split(QLatin1Char(' '));
    return words;
}

} // namespace

QString camelCase(const QString &stem) {
    QString name;
    for (const QString &word : stem.split(QLatin1Char('_'), Qt::SkipEmptyParts))
        name += word.left(1).toUpper() + word.mid(1);
    return name;
}

QString whyNoIdentifier(const QString &name) {
    if (name.isEmpty())
        return QStringLiteral("it is empty");
    if (name.size() > 100)
        return QStringLiteral("it is longer than 100 letters");
    if (name.at(0).isDigit())
        return QStringLiteral("it begins with a digit");
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9_]"));
    if (const auto match = other.match(name); match.hasMatch())
        return QStringLiteral(
                   "it has \"%1\" in it, and a kernel's name has letters a to z, digits and \"_\" only")
            .arg(match.captured());
    if (camelCase(name).isEmpty() || name.startsWith(QLatin1String("__")))
        return QStringLiteral("C++ keeps such names for itself");
    if (keywords().contains(name))
        return QStringLiteral("C++ or Python has that word for itself");
    return {};
}

Result<CandidateTexts> kernelFromTemplate(const QString &stem, bool withTwin, const QString &resources) {
    const QString folder = resources + QStringLiteral("/templates/workspace/kernels/");
    QStringList ends = {QStringLiteral(".cu"), QStringLiteral("_binding.cpp")};
    if (withTwin)
        ends << QStringLiteral(".cpp");
    CandidateTexts texts;
    for (const QString &end : ends) {
        const Result<QByteArray> read = readTextFile(folder + QStringLiteral("example") + end);
        if (!read.hasValue())
            return Result<CandidateTexts>::error(
                read.message() + QStringLiteral(" Install Warpwright again, or set WARPWRIGHT_RESOURCES."));
        QString text = QString::fromUtf8(read.value());
        static const QRegularExpression word(QStringLiteral("\\bexample\\b"));
        static const QRegularExpression part(QStringLiteral("\\b(launch|bind)Example\\b"));
        text.replace(word, stem);
        text.replace(part, QStringLiteral("\\1") + camelCase(stem));
        texts.emplace(QStringLiteral("kernels/") + stem + end, text.toUtf8());
    }
    return Result<CandidateTexts>::ok(std::move(texts));
}

} // namespace warpwright
