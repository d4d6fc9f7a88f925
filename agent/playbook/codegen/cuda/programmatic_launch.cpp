// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/programmatic_launch.h"

#include "agent/playbook/codegen/cuda/templates/programmatic_launch.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

/// Start of the name that ends at `end`, template arguments included: "fusedRows<256>".
qsizetype nameBefore(const QString &text, qsizetype end) {
    const auto isOfName = [&text](qsizetype i) {
        return text[i].isLetterOrNumber() || text[i] == QLatin1Char('_');
    };
    qsizetype begin = end;
    if (begin > 0 && text[begin - 1] == QLatin1Char('>'))
        begin = text.lastIndexOf(QLatin1Char('<'), begin - 1);
    while (begin > 0 && isOfName(begin - 1))
        --begin;
    return begin;
}

/// The position after the parenthesis that closes the one at `open`.
qsizetype endOfCall(const QString &text, qsizetype open) {
    int depth = 0;
    for (qsizetype i = open; i < text.size(); ++i)
        if (text[i] == QLatin1Char('('))
            ++depth;
        else if (text[i] == QLatin1Char(')') && --depth == 0)
            return i + 1;
    return text.size();
}

/// Rewrites one launch, whose "<<<" is at `shape`.
QString withEarlyCall(const QString &text, qsizetype shape) {
    qsizetype nameEnd = shape;
    while (text[nameEnd - 1].isSpace())
        --nameEnd;
    const qsizetype name = nameBefore(text, nameEnd);
    const qsizetype shapeEnd = text.indexOf(QLatin1String(">>>"), shape);
    const qsizetype end = endOfCall(text, shapeEnd);
    const QString arguments = text.mid(shapeEnd + 4, end - shapeEnd - 5).simplified();
    const qsizetype line = text.lastIndexOf(QLatin1Char('\n'), name) + 1;
    const QString call =
        wrappedCall(text.mid(line, name - line) + QLatin1String("launchEarly("),
                    text.mid(name, nameEnd - name) + QLatin1String(", ") +
                        text.mid(shape + 3, shapeEnd - shape - 3) + QLatin1String(", ") + arguments,
                    QStringLiteral(")"));
    return text.left(line) + call.chopped(1) + text.mid(end);
}

} // namespace

QString withProgrammaticLaunch(const QString &cuda, const QStringList &written) {
    const QLatin1String launchMark("<<<");
    if (!cuda.contains(launchMark) || !cuda.contains(QLatin1String("__global__")))
        return cuda;
    QString text = cuda;
    for (const QString &name : written)
        text.replace(QRegularExpression(QStringLiteral("\\*__restrict__ %1\\b").arg(name)),
                     QLatin1Char('*') + name);
    for (qsizetype at = text.indexOf(launchMark); at >= 0; at = text.indexOf(launchMark))
        text = withEarlyCall(text, at);
    const qsizetype kernel = text.indexOf(QLatin1String("__global__"));
    text.insert(text.indexOf(QLatin1String("{\n"), kernel) + 2,
                QStringLiteral("    waitForPreviousKernel();\n"));
    text.insert(text.indexOf(QLatin1String("#include")), QStringLiteral("#include \"early_launch.h\"\n\n"));
    return text;
}

QString programmaticLaunchText() {
    return fillTemplate(earlyLaunchHeader, {{"include", QStringLiteral("#include")}});
}

} // namespace warpwright
