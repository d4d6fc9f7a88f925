// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/diagnostic_reader.h"

#include "toolchain/tool_output/ptxas_report.h"

#include <QDir>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace warpwright {

namespace {

constexpr std::size_t mostNotes = 32;
/// Longer lines are no diagnostic that a person reads (a generated table, a binary on stderr).
constexpr int longestLine = 64 * 1024;

Severity severityOf(const QString &word) {
    if (word.contains(QLatin1String("fatal"), Qt::CaseInsensitive) ||
        word.contains(QLatin1String("catastrophic")))
        return Severity::Fatal;
    if (word.contains(QLatin1String("error"), Qt::CaseInsensitive) || word.contains(QLatin1String("sorry")))
        return Severity::Error;
    if (word.contains(QLatin1String("warning"), Qt::CaseInsensitive))
        return Severity::Warning;
    return Severity::Note;
}

/// «'_Z7tooMuchPf'» -> «'tooMuch(float*)'».
QString withReadableNames(QString message) {
    static const QRegularExpression symbol(QStringLiteral("'(_Z\\w+)'"));
    for (auto match = symbol.match(message); match.hasMatch();) {
        const QString name = demangled(match.captured(1));
        message.replace(match.capturedStart(1), match.capturedLength(1), name);
        match = symbol.match(message, match.capturedStart(1) + name.size());
    }
    return message;
}

} // namespace

DiagnosticReader::DiagnosticReader(QString workspace, int limit)
    : m_workspace(QDir::cleanPath(workspace)), m_limit(std::max(limit, 0)) {}

void DiagnosticReader::read(const QString &line) {
    if (line.size() > longestLine)
        return;
    // The order matters: a continuation is known by its place, an EDG header by its parentheses, GCC's by its
    // colons.
    if (readEdgContinuation(line))
        return;
    static const QRegularExpression anyWord(
        QStringLiteral("error|warning|note|fatal|remark|sorry|required|instantiat|included "
                       "from|undefined|multiple|cannot find|referenced|defined at|in function"),
        QRegularExpression::CaseInsensitiveOption);
    if (!line.contains(QLatin1String("from ")) && !anyWord.match(line).hasMatch())
        return;
    if (readEdg(line) || readTool(line) || readLinker(line) || readGcc(line))
        return;
    readGccContext(line);
}

/// kernels/x.cu(7): error: identifier "factor" is undefined
bool DiagnosticReader::readEdg(const QString &line) {
    static const QRegularExpression form(
        QStringLiteral("^(.+?)\\((\\d+)\\): (catastrophic error|internal error|command-line "
                       "error|error|warning|note|remark)(?: (#\\d+(?:-D)?))?: (.*)$"));
    const auto match = form.match(line);
    if (!match.hasMatch())
        return false;
    const Severity severity = severityOf(match.captured(3));
    m_isInEdgTrace = false;
    m_edgLines.clear();
    if (severity == Severity::Note && !m_found.empty()) {
        addNote({placeOf(match.captured(1)), match.captured(2).toInt(), 0, match.captured(5)});
        m_isAfterEdgHeader = false;
        return true;
    }
    Diagnostic diagnostic;
    diagnostic.file = placeOf(match.captured(1));
    diagnostic.line = match.captured(2).toInt();
    diagnostic.severity = severity;
    diagnostic.option = match.captured(4);
    diagnostic.message = match.captured(5);
    diagnostic.tool = QStringLiteral("nvcc");
    add(std::move(diagnostic));
    m_isAfterEdgHeader = true;
    return true;
}

/// After the header: more words, the source line, a caret, and perhaps «detected during: instantiation of …».
bool DiagnosticReader::readEdgContinuation(const QString &line) {
    static const QRegularExpression trace(
        QStringLiteral("^\\s+(?:detected during )?(instantiation of .*?) at line (\\d+)(?: of (.+))?$"));
    const QString words = line.trimmed();
    if (m_isInEdgTrace || words.startsWith(QLatin1String("detected during"))) {
        m_isInEdgTrace = !words.isEmpty();
        m_isAfterEdgHeader = false;
        if (const auto match = trace.match(line); match.hasMatch() && !m_found.empty()) {
            const QString file = match.captured(3).isEmpty()
                                     ? m_found.back().file
                                     : placeOf(match.captured(3).remove(QLatin1Char('"')));
            addNote({file, match.captured(2).toInt(), 0, match.captured(1)});
        }
        return m_isInEdgTrace;
    }
    if (!m_isAfterEdgHeader)
        return false;
    if (!line.startsWith(QLatin1Char(' '))) {
        m_isAfterEdgHeader = false;
        return false;
    }
    if (words != QLatin1String("^")) {
        m_edgLines << words;
        return true;
    }
    m_isAfterEdgHeader = false;
    // The last line before the caret is the source, and the caret stands below the column. EDG indents by
    // two.
    Diagnostic &diagnostic = m_found.back();
    diagnostic.column = std::max(0, static_cast<int>(line.indexOf(QLatin1Char('^'))) - 1);
    for (qsizetype i = 0; i + 1 < m_edgLines.size(); ++i)
        diagnostic.message += QStringLiteral("; ") + m_edgLines[i];
    return true;
}

/// kernels/x.cpp:3:9: error: no matching function for call to ‘take(double)’ [-Woption]
bool DiagnosticReader::readGcc(const QString &line) {
    static const QRegularExpression form(
        QStringLiteral("^(.+?):(\\d+):(?:(\\d+):)? (fatal error|internal compiler "
                       "error|error|warning|note|sorry, unimplemented|Error|Warning|Fatal error): (.*)$"));
    static const QRegularExpression noPlace(
        QStringLiteral("^(?:\\S*/)?(cc1plus|cc1|g\\+\\+|c\\+\\+|gcc|collect2|lto1|<built-in>)(?:-\\d+)?: "
                       "(fatal error|internal compiler error|error|warning): (.*)$"));
    static const QRegularExpression option(QStringLiteral(" \\[(-[^\\]]+)\\]$"));

    Diagnostic diagnostic;
    diagnostic.tool = QStringLiteral("g++");
    QString word;
    if (const auto match = form.match(line); match.hasMatch()) {
        word = match.captured(4);
        diagnostic.file = placeOf(match.captured(1));
        diagnostic.line = match.captured(2).toInt();
        diagnostic.column = match.captured(3).toInt();
        diagnostic.message = match.captured(5);
        if (word[0].isUpper())
            diagnostic.tool = QStringLiteral("as");
    } else if (const auto tool = noPlace.match(line); tool.hasMatch()) {
        word = tool.captured(2);
        diagnostic.message = tool.captured(3);
        // «collect2: error: ld returned 1 exit status» only repeats that the linker had something to say.
        if (tool.captured(1) == QLatin1String("collect2") && countErrors(m_found) > 0)
            return true;
    } else {
        return false;
    }
    diagnostic.severity = severityOf(word);
    if (const auto match = option.match(diagnostic.message); match.hasMatch()) {
        diagnostic.option = match.captured(1);
        diagnostic.message.truncate(match.capturedStart(0));
    }
    if (diagnostic.severity == Severity::Note && !m_found.empty()) {
        m_context.clear(); // the way to a note's file is of no interest
        addNote({diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.message.trimmed()});
        return true;
    }
    diagnostic.notes = std::move(m_context);
    m_context.clear();
    add(std::move(diagnostic));
    return true;
}

/// «In file included from a.h:2,», «                 from b.cpp:1:», «x.cpp:9:3:   required from here»
bool DiagnosticReader::readGccContext(const QString &line) {
    static const QRegularExpression included(
        QStringLiteral("^(?:In file included|\\s+) ?from (.+?):(\\d+)(?::(\\d+))?[,:]$"));
    static const QRegularExpression required(
        QStringLiteral("^(.+?):(\\d+):(?:(\\d+):)?\\s+((?:recursively )?required .*)$"));
    auto match = included.match(line);
    QString message = QStringLiteral("included from here");
    if (!match.hasMatch()) {
        match = required.match(line);
        message = match.captured(4);
    } else if (line.startsWith(QLatin1String("In file included"))) {
        m_context.clear(); // a new chain
    }
    if (!match.hasMatch())
        return false;
    if (m_context.size() < mostNotes)
        m_context.push_back(
            {placeOf(match.captured(1)), match.captured(2).toInt(), match.captured(3).toInt(), message});
    return true;
}

/// «ptxas error   : …», «ptxas /tmp/x.ptx, line 29; error   : …», «nvlink error   : …», «nvcc fatal   : …»
bool DiagnosticReader::readTool(const QString &line) {
    static const QRegularExpression form(
        QStringLiteral("^(ptxas|nvlink|nvcc|fatbinary|cicc|cudafe\\+\\+) (?:.*, line (\\d+); "
                       ")?(error|warning|fatal|info)\\s*: (.*)$"));
    const auto match = form.match(line);
    if (!match.hasMatch())
        return false;
    if (match.captured(3) == QLatin1String("info"))
        return true;
    // «fatal: Ptx assembly aborted due to errors» only counts what came before it.
    if (match.captured(4).contains(QLatin1String("aborted due to errors")) && countErrors(m_found) > 0)
        return true;
    Diagnostic diagnostic;
    diagnostic.tool = match.captured(1);
    diagnostic.severity = severityOf(match.captured(3));
    diagnostic.message = withReadableNames(match.captured(4));
    // The line is one of a temporary PTX file; it helps only to tell two errors apart.
    if (!match.captured(2).isEmpty())
        diagnostic.message += QStringLiteral(" (line %1 of the PTX)").arg(match.captured(2));
    add(std::move(diagnostic));
    return true;
}

/// GNU ld, gold, lld and mold, as far as undefined and doubled symbols and missing libraries go.
bool DiagnosticReader::readLinker(const QString &line) {
    static const QRegularExpression function(
        QStringLiteral("^(?:\\S*ld(?:\\.\\w+)?: )?.*: in function [`'](.+)':$"));
    static const QRegularExpression symbol(
        QStringLiteral("^(?:\\S*ld(?:\\.\\w+)?: )?(?:([^:(]+):)?(?:\\d+:)?\\([^)]*\\): (warning: "
                       ")?(?:undefined reference to|multiple definition of) [`'](.+?)'"
                       "(?:; (?:[^:]+:)?([^:(]+):\\([^)]*\\): first defined here|;.*)?$"));
    static const QRegularExpression plain(QStringLiteral(
        "^(?:\\S*/)?(ld|ld\\.gold|ld\\.bfd|ld\\.lld|mold): (?:(fatal|error|warning): )?(.*)$"));
    if (const auto match = function.match(line); match.hasMatch()) {
        m_linkedFunction = match.captured(1);
        return true;
    }
    // «more undefined references to `PyErr_Clear' follow»: of one that was named before.
    if (line.contains(QLatin1String(": more undefined references to ")) ||
        line.contains(QLatin1String(": warning: more undefined references to ")))
        return true;
    Diagnostic diagnostic;
    diagnostic.tool = QStringLiteral("ld");
    if (const auto match = symbol.match(line); match.hasMatch()) {
        const bool isMissing = line.contains(QLatin1String("undefined reference"));
        diagnostic.severity = match.captured(2).isEmpty() ? Severity::Error : Severity::Warning;
        diagnostic.file = match.captured(1).trimmed();
        diagnostic.message = QStringLiteral("%1 \"%2\"")
                                 .arg(isMissing ? QStringLiteral("undefined reference to")
                                                : QStringLiteral("multiple definition of"),
                                      match.captured(3));
        if (!m_linkedFunction.isEmpty())
            diagnostic.notes.push_back(
                {diagnostic.file, 0, 0, QStringLiteral("in %1").arg(m_linkedFunction)});
        if (const QString first = match.captured(4).trimmed(); !first.isEmpty())
            diagnostic.notes.push_back({first, 0, 0, firstDefined});
        add(std::move(diagnostic));
        return true;
    }
    if (readLinkedPlace(line))
        return true;
    const auto match = plain.match(line);
    if (!match.hasMatch())
        return false;
    diagnostic.severity = match.captured(2) == QLatin1String("warning") ? Severity::Warning : Severity::Error;
    diagnostic.message = match.captured(3);
    if (diagnostic.message.startsWith(QLatin1String("warning: "))) {
        diagnostic.severity = Severity::Warning;
        diagnostic.message.remove(0, 9);
    }
    static const QRegularExpression named(QStringLiteral("^(undefined|duplicate) symbol: (.+)$"));
    if (const auto name = named.match(diagnostic.message); name.hasMatch())
        diagnostic.message = QStringLiteral("%1 \"%2\"")
                                 .arg(name.captured(1) == QLatin1String("undefined")
                                          ? QStringLiteral("undefined reference to")
                                          : QStringLiteral("multiple definition of"),
                                      name.captured(2));
    add(std::move(diagnostic));
    return true;
}

/// «>>> referenced by a.cpp», «>>> defined at a.cpp»: lld and mold name the source below what they say of it.
bool DiagnosticReader::readLinkedPlace(const QString &line) {
    static const QRegularExpression form(QStringLiteral("^>>> (referenced by|defined at) (.+)$"));
    const auto match = form.match(line);
    if (!match.hasMatch() || m_found.empty())
        return false;
    Diagnostic &diagnostic = m_found.back();
    const QString place = match.captured(2).trimmed();
    if (diagnostic.tool == QLatin1String("ld") && diagnostic.file.isEmpty()) {
        diagnostic.file = place;
    } else if (match.captured(1) == QLatin1String("defined at")) {
        // As GNU ld has it: the later one is the one too many.
        addNote({std::exchange(diagnostic.file, place), 0, 0, firstDefined});
    } else if (diagnostic.file != place) {
        addNote({place, 0, 0, QStringLiteral("referenced here")});
    }
    return true;
}

void DiagnosticReader::add(Diagnostic diagnostic) {
    m_found.push_back(std::move(diagnostic));
}

void DiagnosticReader::addNote(DiagnosticNote note) {
    if (m_found.back().notes.size() < mostNotes)
        m_found.back().notes.push_back(std::move(note));
}

QString DiagnosticReader::placeOf(const QString &file) const {
    const QString clean = QDir::cleanPath(file);
    if (m_workspace.isEmpty() || m_workspace == QLatin1String("."))
        return clean;
    const QString root = m_workspace + QLatin1Char('/');
    const QString absolute = QDir::isAbsolutePath(clean) ? clean : QDir::cleanPath(root + clean);
    return absolute.startsWith(root) ? absolute.mid(root.size()) : absolute;
}

std::vector<Diagnostic> DiagnosticReader::take() {
    if (static_cast<int>(m_found.size()) > m_limit)
        m_found.resize(static_cast<std::size_t>(m_limit));
    // nvcc compiles a file twice, for the device and for the host, and says many things twice; a missing
    // symbol is missed in ten places. Compared when whole, for EDG gives the column two lines after the rest.
    std::vector<Diagnostic> once;
    for (Diagnostic &diagnostic : m_found) {
        const bool isKnown = std::any_of(once.begin(), once.end(), [&diagnostic](const Diagnostic &other) {
            return other.message == diagnostic.message && other.file == diagnostic.file &&
                   other.line == diagnostic.line && other.column == diagnostic.column &&
                   other.severity == diagnostic.severity;
        });
        if (!isKnown)
            once.push_back(std::move(diagnostic));
    }
    m_found.clear();
    return once;
}

} // namespace warpwright
