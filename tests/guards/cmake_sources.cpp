// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/cmake_sources.h"

#include <QDir>
#include <QHash>
#include <QRegularExpression>

namespace warpwright {

namespace {

bool isSource(const QString &argument) {
    static const QRegularExpression source("\\.(h|cpp|cu|cuh)$");
    return source.match(argument).hasMatch();
}

QString pathOf(const QString &argument, const QString &listFolder, const QSet<QString> &paths) {
    static const QRegularExpression here("^\\$\\{CMAKE_CURRENT_(SOURCE|LIST)_DIR\\}/");
    static const QRegularExpression root("^\\$\\{(PROJECT|CMAKE)_SOURCE_DIR\\}/");
    QString name = argument;
    if (const auto match = root.match(name); match.hasMatch())
        return name.mid(match.capturedLength());
    name.remove(here);
    for (QString folder = listFolder; !folder.isEmpty();
         folder = folder.contains('/') ? folder.left(folder.lastIndexOf('/')) : QString())
        if (const QString path = QDir::cleanPath(folder + '/' + name); paths.contains(path))
            return path;
    return {};
}

bool isOfTarget(const QString &command) {
    return command == "add_library" || command == "add_executable" || command == "target_sources";
}

class Gathering {
public:
    Gathering(const QSet<QString> &paths, CMakeSources &sources) : m_paths(paths), m_sources(sources) {}

    void read(const GuardFile &list) {
        const QString folder = list.path.left(list.path.lastIndexOf('/'));
        if (list.path.endsWith("/CMakeLists.txt"))
            m_lists.append(folder);
        for (const CMakeCommand &command : CMakeCommand::parse(list.lines)) {
            if (command.name == "add_subdirectory" && !command.arguments.isEmpty())
                m_added.insert(QDir::cleanPath(folder + '/' + command.arguments.first().text));
            const bool isVariable = command.name == "set" || command.name == "list";
            const qsizetype nameAt = command.name == "list" && command.arguments.size() > 1 ? 1 : 0;
            const QString variable =
                isVariable && !command.arguments.isEmpty() ? command.arguments.at(nameAt).text : QString();
            Use use{command.name != "add_executable", false};
            QString before;
            for (const CMakeCommand::Argument &argument : command.arguments) {
                if (!isSource(argument.text)) {
                    before.clear();
                    readWord(argument.text, command.name, variable, use);
                    continue;
                }
                // By bytes, as `LC_ALL=C sort` does.
                if (argument.text < before)
                    m_sources.unsorted.append(QString("%1:%2: %3 is listed behind %4: sort the list by bytes")
                                                  .arg(list.path)
                                                  .arg(argument.line)
                                                  .arg(argument.text, before));
                before = argument.text;
                const Listed one{list.path, argument, pathOf(argument.text, folder, m_paths)};
                if (isVariable)
                    m_ofVariable[variable].append(one);
                else if (isOfTarget(command.name))
                    take(one, use);
            }
        }
    }

    void readReferee(const GuardFile &list) {
        static const QRegularExpression name("\"([^\"]+\\.(cpp|cu))\"");
        const QString folder = list.path.left(list.path.lastIndexOf('/'));
        for (auto found = name.globalMatch(list.lines.join('\n')); found.hasNext();) {
            const QString path = folder + '/' + found.next().captured(1);
            if (!m_paths.contains(path) && !m_sources.ofReferee.contains(path))
                m_sources.missing.append(QString("%1: names %2, which is no file").arg(list.path, path));
            m_sources.listed.insert(path);
            m_sources.ofReferee.insert(path);
        }
    }

    void finish() {
        for (qsizetype at = 0; at < m_variables.size(); ++at) { // grows: a variable may take others
            const auto [variable, use] = m_variables.at(at);
            for (const Listed &one : m_ofVariable.value(variable))
                take(one, use);
            for (const QString &inner : m_within.value(variable))
                takeVariable(inner, use);
        }
        for (const QString &folder : m_lists)
            if (folder.contains('/') && !m_added.contains(folder)) // a layer's own is added by name
                m_sources.unadded.append(folder + "/CMakeLists.txt: no add_subdirectory() names its folder");
    }

private:
    struct Use {
        bool isOfLibrary;
        bool isHeaderSet;
        bool operator==(const Use &) const = default;
    };
    struct Listed {
        QString list;
        CMakeCommand::Argument argument;
        QString path;

        QString place() const { return QString("%1:%2").arg(list).arg(argument.line); }
    };

    void take(const Listed &one, const Use &use) {
        static const QRegularExpression compiled("\\.(cpp|cu)$");
        m_sources.listed.insert(one.path);
        if (use.isOfLibrary)
            m_sources.ofLibraries.insert(one.path);
        if (use.isHeaderSet)
            takeHeader(one);
        if (one.path.isEmpty() || !compiled.match(one.path).hasMatch())
            return;
        // A program may be made of a library's sources, so that it needs nothing else of it.
        QHash<QString, QString> &placeOf = use.isOfLibrary ? m_inLibraries : m_inPrograms;
        const auto first = placeOf.constFind(one.path);
        if (first != placeOf.constEnd())
            m_sources.repeated.append(
                QString("%1: %2 is listed a second time, behind %3").arg(one.place(), one.path, *first));
        else
            placeOf.insert(one.path, one.place());
    }

    void takeVariable(const QString &variable, const Use &use) {
        const QPair<QString, Use> one{variable, use};
        if (!m_variables.contains(one))
            m_variables.append(one);
    }

    // A source that stands there alone is compiled by nobody: only the link would miss it.
    void takeHeader(const Listed &one) {
        static const QRegularExpression header("\\.(h|cuh)$");
        if (header.match(one.argument.text).hasMatch())
            m_sources.headers.insert(one.path);
        else
            m_sources.misplaced.append(
                QString(
                    "%1:%2: %3 is in a FILE_SET of headers, where nothing compiles it: list it as a source")
                    .arg(one.list)
                    .arg(one.argument.line)
                    .arg(one.argument.text));
    }

    void readWord(const QString &word, const QString &command, const QString &inVariable, Use &use) {
        static const QRegularExpression keyword("^[A-Z_]+$");
        static const QRegularExpression variable("^\\$\\{(\\w+)\\}$");
        if (keyword.match(word).hasMatch())
            use.isHeaderSet = word == "FILES" && command == "target_sources";
        else if (const auto match = variable.match(word); match.hasMatch()) {
            if (!inVariable.isEmpty())
                m_within[inVariable].append(match.captured(1));
            else if (isOfTarget(command))
                takeVariable(match.captured(1), use);
        }
    }

    const QSet<QString> &m_paths;
    CMakeSources &m_sources;
    QHash<QString, QVector<Listed>> m_ofVariable;
    QHash<QString, QStringList> m_within;     ///< variables that a variable takes
    QVector<QPair<QString, Use>> m_variables; ///< that targets take
    QHash<QString, QString> m_inLibraries;    ///< of a source, where it is listed
    QHash<QString, QString> m_inPrograms;
    QStringList m_lists; ///< folders
    QSet<QString> m_added;
};

} // namespace

QVector<CMakeCommand> CMakeCommand::parse(const QStringList &lines) {
    static const QRegularExpression word("\"([^\"]*)\"|[()]|[^\\s()\"]+");
    static const QRegularExpression comment("(^|\\s)#.*$");
    static const QRegularExpression bracketComment("#\\[(=*)\\[.*?(\\]\\1\\]|$)",
                                                   QRegularExpression::DotMatchesEverythingOption);
    QString text = lines.join('\n');
    for (auto found = bracketComment.match(text); found.hasMatch(); found = bracketComment.match(text))
        text.replace(found.capturedStart(), found.capturedLength(),
                     QString(found.captured().count('\n'), '\n'));
    const QStringList read = text.split('\n');
    QVector<CMakeCommand> commands;
    QString last; // word outside of brackets
    int depth = 0;
    for (qsizetype at = 0; at < read.size(); ++at) {
        QString line = read.at(at);
        line.remove(comment);
        for (auto found = word.globalMatch(line); found.hasNext();) {
            const auto match = found.next();
            const QString argument = match.capturedLength(1) > 0 ? match.captured(1) : match.captured();
            if (argument == "(" && depth++ == 0)
                commands.append({last.toLower(), {}});
            else if (argument == ")")
                --depth;
            else if (depth == 0)
                last = argument;
            else
                commands.last().arguments.append({argument, int(at) + 1});
        }
    }
    return commands;
}

CMakeSources CMakeSources::of(const QVector<GuardFile> &lists, const QSet<QString> &paths) {
    CMakeSources sources;
    Gathering gathering(paths, sources);
    for (const GuardFile &list : lists)
        if (list.path.endsWith(".json"))
            gathering.readReferee(list);
        else
            gathering.read(list);
    gathering.finish();
    return sources;
}

} // namespace warpwright
