// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/emission_guard.h"

#include "tests/guards/code_text.h"

#include <QRegularExpression>

namespace warpwright {

bool isDecision(const QString &path) {
    static const QRegularExpression decision(
        "^agent/playbook/(ir|analysis|target|schedule|fusion|graph_passes|lowering|recurrence)/"
        ".*\\.(h|cpp)$");
    return decision.match(path).hasMatch();
}

QVector<GuardFault> writtenTextFaults(const QVector<GuardFile> &files) {
    static const QRegularExpression code("__|#pragma|;(\\\\n|\\s)*\"$");
    QVector<GuardFault> faults;
    for (const GuardFile &file : files) {
        int count = 0;
        QString where;
        for (const CodePiece &piece : codePieces(file.lines)) {
            const bool isText = piece.kind == CodePiece::Kind::RawLiteral ||
                                (piece.kind == CodePiece::Kind::Literal && code.match(piece.text).hasMatch());
            if (isText && ++count == 1)
                where = QString("%1:%2").arg(file.path).arg(piece.line);
        }
        if (count > 0)
            faults.append({file.path,
                           {count},
                           QString("%1: a decision writes text, %2 literals of code: return a value, and let "
                                   "codegen write")
                               .arg(where)
                               .arg(count)});
    }
    return faults;
}

bool isCodegen(const QString &path) {
    static const QRegularExpression codegen("^agent/playbook/codegen/.*\\.(h|cpp)$");
    static const QRegularExpression writer("/(template_fill|\\w+_printer)\\.\\w+$");
    return codegen.match(path).hasMatch() && !writer.match(path).hasMatch();
}

QVector<GuardFault> parsedTextFaults(const QVector<GuardFile> &files) {
    static const QRegularExpression reading("\\bQRegularExpression\\b|(\\.|->)(indexOf|replace)\\(");
    QVector<GuardFault> faults;
    for (const GuardFile &file : files) {
        int count = 0;
        QString where;
        const QStringList code = codeText(file.lines).split('\n');
        for (qsizetype at = 0; at < code.size(); ++at)
            for (auto found = reading.globalMatch(code.at(at)); found.hasNext(); found.next())
                if (++count == 1)
                    where = QString("%1:%2").arg(file.path).arg(at + 1);
        if (count > 0)
            faults.append({file.path,
                           {count},
                           QString("%1: text is parsed or patched here, %2 times: give what it depends on "
                                   "to who writes it (template_fill, a printer)")
                               .arg(where)
                               .arg(count)});
    }
    return faults;
}

} // namespace warpwright
