// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/task_settings.h"

#include "toolchain/base/json.h"
#include "toolchain/base/precision_names.h"
#include "toolchain/base/text_file.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

QString brokenMessage(const QString &file, const QString &reason) {
    return QStringLiteral("Cannot read \"%1\": %2. Correct the file, or remove it to use the defaults.")
        .arg(file, reason);
}

/// The object of the file; an empty one without a file.
Result<OrderedJson> readObject(const QString &file) {
    using Read = Result<OrderedJson>;
    if (!QFileInfo::exists(file))
        return Read::ok(OrderedJson::object());
    const auto text = readTextFile(file);
    if (!text.hasValue())
        return Read::error(text.message());
    const auto parsed = parseJson<OrderedJson>(text.value());
    if (!parsed.hasValue())
        return Read::error(brokenMessage(file, parsed.message()));
    if (!parsed.value().is_object())
        return Read::error(brokenMessage(file, QStringLiteral("it is no JSON object")));
    return parsed;
}

bool isStrings(const OrderedJson &value) {
    return value.is_array() && std::all_of(value.begin(), value.end(),
                                           [](const OrderedJson &entry) { return entry.is_string(); });
}

} // namespace

QString taskSettingsFile(const QString &folder) {
    return folder + QStringLiteral("/.warpwright/task.json");
}

bool isArchitectureName(const QString &name) {
    static const QRegularExpression form(QStringLiteral("^sm_[0-9]{2,3}[af]?$"));
    return form.match(name).hasMatch();
}

TaskSettings TaskSettings::withDefaults(const Settings &settings) const {
    TaskSettings task = *this;
    if (!chosen.contains(QStringLiteral("allow")) && !settings.allow.isEmpty())
        task.allow = settings.allow;
    if (!chosen.contains(QStringLiteral("flags.nvcc")))
        task.nvccFlags = settings.nvccFlags;
    if (!chosen.contains(QStringLiteral("flags.cxx")))
        task.cxxFlags = settings.cxxFlags;
    return task;
}

Result<TaskSettings> readTaskSettings(const QString &folder) {
    using Read = Result<TaskSettings>;
    const QString file = taskSettingsFile(folder);
    const auto broken = [&file](const QString &reason) {
        return Read::error(brokenMessage(file, reason));
    };
    const Result<OrderedJson> read = readObject(file);
    if (!read.hasValue())
        return Read::error(read.message());
    const OrderedJson &object = read.value();
    TaskSettings settings;
    if (object.contains("allow")) {
        if (!isStrings(object["allow"]))
            return broken(QStringLiteral("\"allow\" is no list of texts"));
        settings.allow = stringsIn(object["allow"]);
        for (const QString &precision : settings.allow)
            if (!precisionNames().contains(precision))
                return broken(QStringLiteral("\"allow\" holds \"%1\", which is none of %2")
                                  .arg(precision, precisionNames().join(QStringLiteral(", "))));
        if (settings.allow.isEmpty())
            return broken(QStringLiteral("\"allow\" is empty"));
        settings.chosen << QStringLiteral("allow");
    }
    if (object.contains("architecture")) {
        settings.architecture = stringIn(object, "architecture");
        if (!isArchitectureName(settings.architecture))
            return broken(QStringLiteral("\"architecture\" has not the form \"sm_90a\""));
        settings.chosen << QStringLiteral("architecture");
    }
    if (object.contains("ieee")) {
        if (!object["ieee"].is_boolean())
            return broken(QStringLiteral("\"ieee\" is neither true nor false"));
        settings.asksForIeee = object["ieee"].get<bool>();
        settings.chosen << QStringLiteral("ieee");
    }
    if (object.contains("mode")) {
        const QString mode = stringIn(object, "mode");
        if (mode != QLatin1String("eval") && mode != QLatin1String("train"))
            return broken(QStringLiteral("\"mode\" is neither \"eval\" nor \"train\""));
        settings.trains = mode == QLatin1String("train");
        settings.chosen << QStringLiteral("mode");
    }
    if (object.contains("flags")) {
        const OrderedJson &flags = object["flags"];
        if (!flags.is_object())
            return broken(QStringLiteral("\"flags\" is no object with \"nvcc\" and \"cxx\""));
        for (const char *tool : {"nvcc", "cxx"}) {
            if (!flags.contains(tool))
                continue;
            if (!isStrings(flags[tool]))
                return broken(QStringLiteral("\"flags.%1\" is no list of texts").arg(QLatin1String(tool)));
            QStringList &target = tool[0] == 'n' ? settings.nvccFlags : settings.cxxFlags;
            target = stringsIn(flags[tool]);
            settings.chosen << QStringLiteral("flags.") + QLatin1String(tool);
        }
    }
    return Read::ok(std::move(settings));
}

Result<void> storeTaskSettings(const QString &folder, const TaskSettings &settings) {
    const QString file = taskSettingsFile(folder);
    Result<OrderedJson> read = readObject(file);
    if (!read.hasValue())
        return Result<void>::error(read.message());
    OrderedJson object = std::move(read).value();
    OrderedJson flags =
        object.contains("flags") && object["flags"].is_object() ? object["flags"] : OrderedJson::object();
    const auto put = [&settings](OrderedJson &into, const char *key, const QString &name,
                                 const OrderedJson &value) {
        if (settings.chosen.contains(name))
            into[key] = value;
        else
            into.erase(key);
    };
    put(object, "allow", QStringLiteral("allow"), stringsToJson<OrderedJson>(settings.allow));
    put(object, "architecture", QStringLiteral("architecture"), toJson(settings.architecture));
    put(object, "ieee", QStringLiteral("ieee"), settings.asksForIeee);
    put(object, "mode", QStringLiteral("mode"), settings.trains ? "train" : "eval");
    put(flags, "nvcc", QStringLiteral("flags.nvcc"), stringsToJson<OrderedJson>(settings.nvccFlags));
    put(flags, "cxx", QStringLiteral("flags.cxx"), stringsToJson<OrderedJson>(settings.cxxFlags));
    if (flags.empty())
        object.erase("flags");
    else
        object["flags"] = flags;
    return writeFileAtomically(file, dumpJson(object, 4) + '\n');
}

} // namespace warpwright
