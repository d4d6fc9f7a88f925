// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/cmake_sources.h"

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
        if (const QString path = folder + '/' + name; paths.contains(path))
            return path;
    return {};
}

class Gathering {
public:
    Gathering(const QSet<QString> &paths, CMakeSources &sources) : m_paths(paths), m_sources(sources) {}

    void read(const GuardFile &list) {
        const QString folder = list.path.left(list.path.lastIndexOf('/'));
        for (const CMakeCommand &command : CMakeCommand::parse(list.lines)) {
            const bool isVariable = command.name == "set" || command.name == "list";
            const QString variable =
                !isVariable || command.arguments.isEmpty()
                    ? QString()
                    : command.arguments.at(command.name == "list" && command.arguments.size() > 1 ? 1 : 0)
                          .text;
            bool isHeaderSet = false;
            QString before;
            for (const CMakeCommand::Argument &argument : command.arguments) {
                if (!isSource(argument.text)) {
                    before.clear();
                    readWord(argument.text, isHeaderSet);
                    continue;
                }
                // By bytes, as `LC_ALL=C sort` does.
                if (argument.text < before)
                    m_sources.unsorted.append(QString("%1:%2: %3 is listed behind %4: sort the list by bytes")
                                                  .arg(list.path)
                                                  .arg(argument.line)
                                                  .arg(argument.text, before));
                before = argument.text;
                const QString path = pathOf(argument.text, folder, m_paths);
                m_sources.listed.insert(path);
                if (command.name != "add_executable")
                    m_sources.ofLibraries.insert(path);
                if (isHeaderSet)
                    takeHeader({list.path, argument, path});
                if (isVariable)
                    m_ofVariable[variable].append({list.path, argument, path});
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
        for (const QString &variable : m_headerVariables)
            for (const Listed &one : m_ofVariable.value(variable))
                takeHeader(one);
    }

private:
    struct Listed {
        QString list;
        CMakeCommand::Argument argument;
        QString path;
    };

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

    void readWord(const QString &word, bool &isHeaderSet) {
        static const QRegularExpression keyword("^[A-Z_]+$");
        static const QRegularExpression variable("^\\$\\{(\\w+)\\}$");
        if (word == "FILES" || word == "HEADERS")
            isHeaderSet = true;
        else if (keyword.match(word).hasMatch())
            isHeaderSet = false;
        else if (const auto match = variable.match(word); isHeaderSet && match.hasMatch())
            m_headerVariables.insert(match.captured(1));
    }

    const QSet<QString> &m_paths;
    CMakeSources &m_sources;
    QHash<QString, QVector<Listed>> m_ofVariable;
    QSet<QString> m_headerVariables;
};

} // namespace

QVector<CMakeCommand> CMakeCommand::parse(const QStringList &lines) {
    static const QRegularExpression word("\"([^\"]*)\"|[()]|[^\\s()\"]+");
    static const QRegularExpression comment("(^|\\s)#.*$");
    QVector<CMakeCommand> commands;
    QString last; // word outside of brackets
    int depth = 0;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        QString line = lines.at(at);
        line.remove(comment);
        for (auto found = word.globalMatch(line); found.hasNext();) {
            const auto match = found.next();
            const QString text = match.capturedLength(1) > 0 ? match.captured(1) : match.captured();
            if (text == "(" && depth++ == 0)
                commands.append({last.toLower(), {}});
            else if (text == ")")
                --depth;
            else if (depth == 0)
                last = text;
            else
                commands.last().arguments.append({text, int(at) + 1});
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
