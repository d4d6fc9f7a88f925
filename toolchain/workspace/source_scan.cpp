// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/source_scan.h"

#include "toolchain/text/scanned_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostDoubts = 5;

struct Pattern {
    const char *rule;
    QRegularExpression expression;
};

// Names that do arithmetic. Allocation, views and copies are allowed, nn.Linear may hold parameters.
const QString operators = QStringLiteral(
    "(?:matmul|mm|bmm|mv|addmm|addmv|baddbmm|addbmm|einsum|linear|bilinear|conv[123]d|conv_transpose[123]d|"
    "convolution|softmax|log_softmax|relu|gelu|silu|sigmoid|tanh|softplus|exp|log|sum|mean|amax|max_pool[123]"
    "d|"
    "avg_pool[123]d|layer_norm|batch_norm|group_norm|rms_norm|scaled_dot_product_attention|lstm|gru|cumsum|"
    "argmax|argmin|sort|topk|addcmul|addcdiv)");

const std::vector<Pattern> &pythonPatterns() {
    static const std::vector<Pattern> patterns{
        {"torch-operators",
         QRegularExpression(QStringLiteral("\\btorch\\.") + operators + QStringLiteral("\\b"))},
        {"torch-operators",
         QRegularExpression(QStringLiteral("\\b(?:F|torch\\.nn\\.functional|torch\\._C\\._nn|torch\\.ops\\."
                                           "\\w+|torch\\.special|torch\\.linalg|_VF)\\.\\w+"))},
        {"fallback",
         QRegularExpression(QStringLiteral("\\bfrom\\s+model\\s+import\\b|^\\s*import\\s+model\\b"))},
        {"runtime-compilation",
         QRegularExpression(QStringLiteral("\\btorch\\.compile\\b|\\btorch\\.jit\\b|\\bload_inline\\b|\\bcpp_"
                                           "extension\\b|\\bimport\\s+triton\\b|\\bnvrtc\\b|\\bnumba\\b|"
                                           "\\bsubprocess\\b|\\bos\\.system\\b"))},
        {"prebuilt", QRegularExpression(QStringLiteral("\\bctypes\\b|\\bcffi\\b|\\bload_library\\b"))},
        {"hidden-text",
         QRegularExpression(QStringLiteral("\\b(?:exec|eval|__import__)\\s*\\(|\\bbase64\\b|\\bmarshal\\b|"
                                           "\\bsys\\._getframe\\b|\\bgc\\.get_objects\\b"))},
    };
    return patterns;
}

const std::vector<Pattern> &cppPatterns() {
    static const std::vector<Pattern> patterns{
        {"torch-operators", QRegularExpression(QStringLiteral("\\b(?:at|torch)::") + operators +
                                               QStringLiteral("(?:_out|_)?\\b"))},
        {"torch-operators",
         QRegularExpression(QStringLiteral("\\bc10::Dispatcher\\b|\\btorch::(?:nn|jit)\\b|\\bat::native::"))},
        {"runtime-compilation",
         QRegularExpression(QStringLiteral("\\bnvrtc\\w*|\\bcuModuleLoad\\w*|\\bpopen\\b|\\bsystem\\s*\\("))},
        {"prebuilt", QRegularExpression(QStringLiteral("\\bdlopen\\b|\\.incbin\\b"))},
    };
    return patterns;
}

QStringList codeLines(const QByteArray &text, bool isPython) {
    if (!isPython)
        return scanText(text, Literals::Kept).code.split(QLatin1Char('\n'));
    QStringList lines = QString::fromUtf8(text).split(QLatin1Char('\n'));
    for (QString &line : lines) // a # in a string is rare, and a comment is not worth a doubt
        line = line.section(QLatin1Char('#'), 0, 0);
    return lines;
}

/// Of the first character that is no blank; -1: there is none.
qsizetype columnOf(const QString &line) {
    const auto first = std::find_if(line.begin(), line.end(), [](QChar each) { return !each.isSpace(); });
    return first == line.end() ? -1 : first - line.begin();
}

QString sentenceOf(const QString &rule) {
    if (rule == QLatin1String("torch-operators"))
        return QStringLiteral("torch is to do none of the work");
    if (rule == QLatin1String("fallback"))
        return QStringLiteral("the reference is not to be used");
    if (rule == QLatin1String("runtime-compilation"))
        return QStringLiteral("nothing is to be compiled while it runs");
    if (rule == QLatin1String("prebuilt"))
        return QStringLiteral("everything is to be built from its sources");
    return QStringLiteral("what runs is to stand in the text");
}

} // namespace

std::vector<SourceMatch> scanSources(const CandidateTexts &texts) {
    std::vector<SourceMatch> matches;
    for (const auto &[path, bytes] : texts) {
        const bool isPython = path.endsWith(QLatin1String(".py"));
        const bool isCpp = path.endsWith(QLatin1String(".cpp")) || path.endsWith(QLatin1String(".cu")) ||
                           path.endsWith(QLatin1String(".h")) || path.endsWith(QLatin1String(".cuh")) ||
                           path.endsWith(QLatin1String(".hpp"));
        if ((!isPython && !isCpp) || path == QLatin1String("model.py") ||
            path.startsWith(QLatin1String("utils/")))
            continue;
        int number = 0;
        qsizetype constructor = -1; // the column of the `def` that a line of Python is in
        for (const QString &line : codeLines(bytes, isPython)) {
            ++number;
            if (const qsizetype column = columnOf(line); isPython && column >= 0) {
                static const QRegularExpression head(QStringLiteral("^\\s*def __init__\\b"));
                if (constructor >= 0 && column <= constructor)
                    constructor = -1;
                if (head.match(line).hasMatch())
                    constructor = column;
            }
            for (const Pattern &pattern : isPython ? pythonPatterns() : cppPatterns()) {
                // Tables may be made there: nothing of a call's inputs is known yet.
                if (constructor >= 0 && pattern.rule == QLatin1String("torch-operators"))
                    continue;
                if (const auto match = pattern.expression.match(line); match.hasMatch())
                    matches.push_back(
                        {QLatin1String(pattern.rule), path, number, match.captured().simplified()});
            }
        }
    }
    return matches;
}

QStringList doubtsOf(const std::vector<SourceMatch> &matches) {
    QStringList doubts;
    for (const SourceMatch &match : matches) {
        if (doubts.size() == mostDoubts) {
            doubts << QStringLiteral("%1 more lines of the candidate's text name what the rules do not want.")
                          .arg(static_cast<qsizetype>(matches.size()) - mostDoubts);
            break;
        }
        doubts << QStringLiteral(
                      "%1:%2 names \"%3\", and %4. A text alone decides nothing: see the findings.")
                      .arg(match.file)
                      .arg(match.line)
                      .arg(match.word, sentenceOf(match.rule));
    }
    return doubts;
}

} // namespace warpwright
