// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/iteration_links.h"

#include "toolchain/base/text_file.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace warpwright {
namespace {

// Of a line as add() writes it; 0: there is none. Before the line is read as JSON: it may be of another
// iteration.
int numberIn(const QByteArray &line) {
    static const QByteArray key = QByteArrayLiteral("\"iteration\":");
    const qsizetype found = line.indexOf(key);
    if (found < 0)
        return 0;
    qsizetype first = found + key.size();
    while (first < line.size() && line[first] == ' ')
        ++first;
    qsizetype at = first;
    while (at < line.size() && line[at] >= '0' && line[at] <= '9')
        ++at;
    return line.mid(first, at - first).toInt();
}

} // namespace

IterationLinks::IterationLinks(QString file) : m_file(std::move(file)) {}

Result<void> IterationLinks::add(const IterationLink &link) const {
    Json json{{"iteration", link.iteration}};
    if (link.evaluation.isEmpty())
        json["mark"] = toJson(iterationMarkName(link.mark));
    else
        json["evaluation"] = toJson(link.evaluation);
    if (link.summary)
        json["summary"] = summaryToJson(*link.summary);
    // An end of line before as well as after: what a crash has cut off stays a line of its own.
    const QByteArray line = '\n' + dumpJson(json) + '\n';
    QFile file(m_file);
    errno = 0;
    if (file.open(QIODevice::Append | QIODevice::Unbuffered) && file.write(line) == line.size() &&
        fsync(file.handle()) == 0)
        return Result<void>::ok();
    const QString reason = errno != 0 ? qt_error_string(errno) : file.errorString();
    const QString advice = adviceForFullDisk(QFileInfo(m_file).path(), reason);
    return Result<void>::error(QStringLiteral("Cannot write \"%1\": %2.").arg(m_file, reason) +
                               (advice.isEmpty() ? QString() : QLatin1Char(' ') + advice));
}

Result<std::vector<IterationLink>> IterationLinks::read() const {
    return read(nullptr);
}

Result<std::vector<IterationLink>> IterationLinks::readOf(const std::vector<int> &numbers) const {
    return numbers.empty() ? Result<std::vector<IterationLink>>::ok({}) : read(&numbers);
}

// `numbers`: null for all.
Result<std::vector<IterationLink>> IterationLinks::read(const std::vector<int> *numbers) const {
    using Answer = Result<std::vector<IterationLink>>;
    std::vector<IterationLink> links;
    if (!QFileInfo::exists(m_file))
        return Answer::ok(links);
    const Result<QByteArray> text = readTextFile(m_file);
    if (!text.hasValue())
        return Answer::error(text.message());
    for (const QByteArray &line : text.value().split('\n')) {
        if (numbers != nullptr && !std::binary_search(numbers->begin(), numbers->end(), numberIn(line)))
            continue;
        const Result<Json> json = line.isEmpty() ? Result<Json>::error({}) : parseJson(line);
        if (!json.hasValue() || !json.value().is_object())
            continue;
        const auto number = json.value().find("iteration");
        IterationLink link;
        link.evaluation = stringIn(json.value(), "evaluation");
        const bool isMark = link.evaluation.isEmpty() && json.value().contains("mark");
        if (number == json.value().end() || !number->is_number_integer() ||
            (link.evaluation.isEmpty() && !isMark))
            continue;
        link.mark = iterationMarkFromName(stringIn(json.value(), "mark"));
        link.iteration = number->get<int>();
        if (const auto summary = json.value().find("summary"); summary != json.value().end())
            link.summary = summaryFromJson(*summary);
        links.push_back(std::move(link));
    }
    return Answer::ok(std::move(links));
}

} // namespace warpwright
