// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/size_guard.h"

#include "tests/guards/code_text.h"

#include <QHash>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <functional>

namespace warpwright {

namespace {

constexpr qsizetype mostLinesOfFile = 500;
constexpr int mostFiles = 60;
constexpr int mostClassLines = 600;
constexpr int mostFunctionLines = 80;
constexpr int mostMacroLines = 20;

/// A class, and how much of it was found so far.
struct CountedClass {
    QString file;
    QString name;
    int line = 0;
    int lines = 0;
};

class ClassSizes {
public:
    ClassSizes(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines,
               const QVector<IncludeArrow> &arrows) {
        for (const IncludeArrow &arrow : arrows)
            m_includes[arrow.from].insert(arrow.to);
        for (qsizetype at = 0; at < files.size(); ++at)
            for (const CppOutline::Class &one : outlines.at(at).classes) {
                m_ofName[one.name].append(m_classes.size());
                m_classes.append({files.at(at).path, one.name, one.line, one.lines});
            }
        for (qsizetype at = 0; at < files.size(); ++at)
            for (const CppOutline::Function &function : outlines.at(at).functions)
                if (!function.isInClass && !function.qualifier.isEmpty())
                    add(files.at(at).path, function);
    }

    const QVector<CountedClass> &classes() const { return m_classes; }

private:
    void add(const QString &path, const CppOutline::Function &function) {
        // What stands in front may be namespaces.
        for (QString name = function.qualifier; !name.isEmpty();
             name = name.contains("::") ? name.section("::", 1) : QString()) {
            const QVector<qsizetype> found = m_ofName.value(name);
            if (found.isEmpty())
                continue;
            const auto nearness = [&](qsizetype at) {
                const QString &file = m_classes.at(at).file;
                return file == path ? 2 : m_includes.value(path).contains(file) ? 1 : 0;
            };
            const auto nearest =
                std::max_element(found.begin(), found.end(), [&](qsizetype left, qsizetype right) {
                    return nearness(left) < nearness(right);
                });
            m_classes[*nearest].lines += function.lines;
            return;
        }
    }

    QHash<QString, QSet<QString>> m_includes;
    QVector<CountedClass> m_classes;
    QHash<QString, QVector<qsizetype>> m_ofName;
};

GuardFault sizeFault(const QString &key, const QString &place, const QString &name, int lines, int most) {
    return {key, {lines}, QString("%1: %2 has %3 lines, more than %4").arg(place, name).arg(lines).arg(most)};
}

void keepLargest(QMap<QString, GuardFault> &faults, const GuardFault &fault) {
    const auto known = faults.constFind(fault.key);
    if (known == faults.constEnd() || known->sizes < fault.sizes)
        faults.insert(fault.key, fault);
}

/// Overloads have one key: it gets the sizes of all, and says where the largest is.
void addSize(QMap<QString, GuardFault> &faults, const GuardFault &fault) {
    const auto known = faults.find(fault.key);
    if (known == faults.end()) {
        faults.insert(fault.key, fault);
        return;
    }
    QVector<int> sizes = known->sizes + fault.sizes;
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    if (sizes.first() > known->sizes.first())
        *known = fault;
    known->sizes = sizes;
}

} // namespace

QVector<GuardFault> folderFaults(const QVector<GuardFile> &files) {
    QMap<QString, int> counts;
    for (const GuardFile &file : files)
        ++counts[file.path.left(file.path.lastIndexOf('/'))];
    QVector<GuardFault> faults;
    for (auto count = counts.constBegin(); count != counts.constEnd(); ++count)
        if (*count > mostFiles)
            faults.append(
                {count.key(),
                 {*count},
                 QString("%1: %2 C++ files, more than %3").arg(count.key()).arg(*count).arg(mostFiles)});
    return faults;
}

QVector<CppOutline> outlinesOf(const QVector<GuardFile> &files) {
    QVector<CppOutline> outlines;
    for (const GuardFile &file : files)
        outlines.append(CppOutline::of(file.lines));
    return outlines;
}

QVector<GuardFault> functionFaults(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines) {
    QMap<QString, GuardFault> faults;
    for (qsizetype at = 0; at < files.size(); ++at) {
        const QString &path = files.at(at).path;
        const auto add = [&](const QString &name, int line, int lines) {
            if (lines > mostFunctionLines)
                addSize(faults, sizeFault(path + ' ' + name, QString("%1:%2").arg(path).arg(line), name,
                                          lines, mostFunctionLines));
        };
        for (const CppOutline::Function &function : outlines.at(at).functions)
            add(function.qualifier.isEmpty() ? function.name : function.qualifier + "::" + function.name,
                function.line, function.lines);
        for (const CppOutline::Lambda &lambda : outlines.at(at).lambdas)
            add(lambda.name + "[]", lambda.line, lambda.lines);
    }
    return faults.values();
}

QVector<GuardFault> classFaults(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines,
                                const QVector<IncludeArrow> &arrows) {
    QMap<QString, GuardFault> faults;
    const ClassSizes sizes(files, outlines, arrows);
    for (const CountedClass &one : sizes.classes())
        if (one.lines > mostClassLines)
            keepLargest(faults,
                        sizeFault(one.file + ' ' + one.name, QString("%1:%2").arg(one.file).arg(one.line),
                                  one.name, one.lines, mostClassLines));
    return faults.values();
}

QStringList macroComplaints(const QVector<GuardFile> &files) {
    static const QRegularExpression define("^(?:#|%:)\\s*define\\s+(\\w+)");
    QStringList complaints;
    for (const GuardFile &file : files) {
        const bool hasLong = std::any_of(file.lines.begin(), file.lines.end(), [](const QString &line) {
            return line.endsWith('\\') && line.contains(QLatin1String("define"));
        });
        if (!hasLong)
            continue;
        for (const CodePiece &piece : codePieces(file.lines)) {
            const int lines = int(piece.text.count('\n')) + 1;
            const auto match = define.match(piece.text);
            if (piece.kind == CodePiece::Kind::Directive && lines > mostMacroLines && match.hasMatch())
                complaints.append(QString("%1:%2: the macro %3 has %4 lines, more than %5")
                                      .arg(file.path)
                                      .arg(piece.line)
                                      .arg(match.captured(1))
                                      .arg(lines)
                                      .arg(mostMacroLines));
        }
    }
    return complaints;
}

QStringList outlineComplaints(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines) {
    QStringList complaints;
    for (qsizetype at = 0; at < files.size(); ++at)
        if (!outlines.at(at).isWhole)
            complaints.append(files.at(at).path +
                              ": braces that do not match, also if branches of #if are all read");
    return complaints;
}

bool isSizedSource(const QString &path) {
    static const QRegularExpression source("\\.(h|hpp|cpp|cc|cu|cuh|py|sh|cmake|in)$|(^|/)CMakeLists\\.txt$");
    static const QRegularExpression script("^(packaging|tests/gpu|\\.ci)/([^/]+/)*[^/.]+$");
    return source.match(path).hasMatch() || script.match(path).hasMatch();
}

QStringList fileSizeComplaints(const QVector<GuardFile> &files) {
    QStringList complaints;
    for (const GuardFile &file : files)
        if (file.lines.size() > mostLinesOfFile)
            complaints.append(QString("%1: %2 lines, more than %3")
                                  .arg(file.path)
                                  .arg(file.lines.size())
                                  .arg(mostLinesOfFile));
    return complaints;
}

} // namespace warpwright
