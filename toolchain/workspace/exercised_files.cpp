// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/exercised_files.h"

#include <algorithm>
#include <iterator>

namespace warpwright {
namespace {

std::optional<SourceKind> sourceKindFromName(const QString &name) {
    for (const SourceKind kind : {SourceKind::Cuda, SourceKind::Twin, SourceKind::Cpp})
        if (sourceKindName(kind) == name)
            return kind;
    return std::nullopt;
}

bool flagIn(const OrderedJson &object, const char *key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

QString folderOf(const QString &file) {
    return file.left(file.lastIndexOf(QLatin1Char('/')) + 1);
}

bool isCudaSource(const ExercisedFile &file) {
    return file.as == SourceKind::Cuda && file.file.endsWith(QLatin1String(".cu"));
}

/// "compiled, not run"; "neither compiled nor run"; of some this and of some that: "not run".
QString whatOf(const ExercisedFiles &files) {
    const auto compiled =
        std::count_if(files.begin(), files.end(), [](const ExercisedFile &one) { return one.isCompiled; });
    if (compiled == 0)
        return QStringLiteral("neither compiled nor run");
    return compiled == static_cast<std::ptrdiff_t>(files.size()) ? QStringLiteral("compiled, not run")
                                                                 : QStringLiteral("not run");
}

QString namesOf(const ExercisedFiles &files) {
    QStringList names;
    for (const ExercisedFile &one : files)
        names << one.file;
    return names.join(QStringLiteral(", "));
}

} // namespace

QString sourceKindName(SourceKind kind) {
    switch (kind) {
    case SourceKind::Cuda:
        return QStringLiteral("cuda");
    case SourceKind::Twin:
        return QStringLiteral("twin");
    case SourceKind::Cpp:
        break;
    }
    return QStringLiteral("cpp");
}

OrderedJson toJson(const ExercisedFile &file) {
    return OrderedJson{{"file", toJson(file.file)},
                       {"as", toJson(sourceKindName(file.as))},
                       {"run", file.isRun},
                       {"compiled", file.isCompiled},
                       {"hash", toJson(file.hash)}};
}

OrderedJson toJson(const ExercisedFiles &files) {
    OrderedJson list = OrderedJson::array();
    for (const ExercisedFile &one : files)
        list.push_back(toJson(one));
    return list;
}

OrderedJson toJson(const Unexercised &unexercised) {
    const std::optional<int> &reward = unexercised.measuredReward;
    return OrderedJson{{"files", toJson(unexercised.files)},
                       {"iteration", unexercised.iteration},
                       {"evaluation", toJson(unexercised.evaluation)},
                       {"kept", unexercised.isKept},
                       {"measured",
                        {{"verdict", toJson(verdictName(unexercised.measuredVerdict))},
                         {"reward", reward ? OrderedJson(*reward) : OrderedJson(nullptr)}}}};
}

ExercisedFiles exercisedFilesFromJson(const OrderedJson &json) {
    ExercisedFiles files;
    if (!json.is_array())
        return files;
    for (const OrderedJson &entry : json) {
        const std::optional<SourceKind> as = sourceKindFromName(stringIn(entry, "as"));
        if (as && !stringIn(entry, "file").isEmpty())
            files.push_back({stringIn(entry, "file"), *as, flagIn(entry, "compiled"), flagIn(entry, "run"),
                             stringIn(entry, "hash")});
    }
    return files;
}

std::optional<Unexercised> unexercisedFromJson(const OrderedJson &json) {
    if (!json.is_object())
        return std::nullopt;
    Unexercised unexercised;
    unexercised.files = exercisedFilesFromJson(json.value("files", OrderedJson::array()));
    unexercised.iteration =
        json.value("iteration", OrderedJson()).is_number_integer() ? json["iteration"].get<int>() : 0;
    unexercised.evaluation = stringIn(json, "evaluation");
    unexercised.isKept = flagIn(json, "kept");
    const OrderedJson measured = json.value("measured", OrderedJson::object());
    unexercised.measuredVerdict = verdictFromName(stringIn(measured, "verdict")).value_or(Verdict::NotRun);
    if (measured.is_object() && measured.value("reward", OrderedJson()).is_number_integer())
        unexercised.measuredReward = measured["reward"].get<int>();
    return unexercised.files.empty() ? std::nullopt : std::optional(unexercised);
}

ExercisedFiles notRun(const ExercisedFiles &files) {
    ExercisedFiles some;
    std::copy_if(files.begin(), files.end(), std::back_inserter(some),
                 [](const ExercisedFile &one) { return !one.isRun; });
    return some;
}

QString ranHashOf(CandidateTexts texts, const ExercisedFiles &files) {
    for (const ExercisedFile &one : notRun(files))
        texts.erase(one.file);
    return textHashOf(texts);
}

QString twinSentence(const ExercisedFiles &files) {
    const auto ran = [&files](SourceKind as) {
        return std::any_of(files.begin(), files.end(),
                           [as](const ExercisedFile &one) { return one.isRun && one.as == as; });
    };
    ExercisedFiles kernels;
    bool isAllOfFolder = true;
    std::copy_if(files.begin(), files.end(), std::back_inserter(kernels),
                 [](const ExercisedFile &one) { return isCudaSource(one) && !one.isRun; });
    if (kernels.empty() || !(ran(SourceKind::Twin) || ran(SourceKind::Cpp)))
        return {};
    const QString folder = folderOf(kernels.front().file);
    for (const ExercisedFile &one : files)
        if (isCudaSource(one))
            isAllOfFolder = isAllOfFolder && !one.isRun && folderOf(one.file) == folder;
    const QString names =
        kernels.size() > 1 && isAllOfFolder ? folder + QStringLiteral("*.cu") : namesOf(kernels);
    return (ran(SourceKind::Twin) ? QStringLiteral("CPU twin ran; ") : QString()) + names + QLatin1Char(' ') +
           whatOf(kernels);
}

QString notRunSentence(const ExercisedFiles &files) {
    if (files.empty())
        return {};
    return namesOf(files) + (files.size() == 1 ? QStringLiteral(" was ") : QStringLiteral(" were ")) +
           whatOf(files);
}

} // namespace warpwright
