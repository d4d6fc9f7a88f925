// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/script/lesson_fields.h"

#include "agent/interface/prediction.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/lessons.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <optional>

namespace warpwright {
namespace {

enum class Kind { Text, Texts, Whole, Number, Object, Renames };

struct Field {
    const char *name;
    Kind kind;
};

const std::vector<Field> stepFields{
    {"title", Kind::Text},    {"move", Kind::Text},       {"reason", Kind::Text},
    {"taught", Kind::Text},   {"undecided", Kind::Text},  {"prediction", Kind::Object},
    {"deleted", Kind::Texts}, {"renamed", Kind::Renames},
};
const std::vector<Field> rangeFields{
    {"timeRatio", Kind::Number}, {"low", Kind::Number}, {"high", Kind::Number}, {"words", Kind::Text}};
const std::vector<Field> predictionFields{{"timeRatio", Kind::Number}, {"low", Kind::Number},
                                          {"high", Kind::Number},      {"words", Kind::Text},
                                          {"cpu", Kind::Object},       {"cuda", Kind::Object}};
/// The last three are written by the program where a lesson is laid out or shipped.
const std::vector<Field> lessonFields{
    {"title", Kind::Text},  {"description", Kind::Text}, {"kernel", Kind::Text},
    {"goals", Kind::Texts}, {"shapes", Kind::Text},      {"bound", Kind::Text},
    {"name", Kind::Text},   {"folder", Kind::Text},      {"order", Kind::Whole}};

bool areTexts(const Json &value) {
    return value.is_array() && stringsIn(value).size() == static_cast<qsizetype>(value.size());
}

bool areRenames(const Json &value) {
    if (!value.is_array())
        return false;
    for (const Json &one : value)
        if (stringIn(one, "from").isEmpty() || stringIn(one, "to").isEmpty())
            return false;
    return true;
}

bool isOfKind(const Json &value, Kind kind) {
    switch (kind) {
    case Kind::Text:
        return value.is_string();
    case Kind::Texts:
        return areTexts(value);
    case Kind::Whole:
        return value.is_number_integer();
    case Kind::Number:
        return value.is_number() && value.get<double>() >= timeRatioAtLeast &&
               value.get<double>() <= timeRatioAtMost;
    case Kind::Object:
        return value.is_object();
    case Kind::Renames:
        return areRenames(value);
    }
    return false;
}

QString kindWords(Kind kind) {
    switch (kind) {
    case Kind::Text:
        return QStringLiteral("a text in quotes");
    case Kind::Texts:
        return QStringLiteral("a list of texts, [\"one\", \"two\"]");
    case Kind::Whole:
        return QStringLiteral("a whole number");
    case Kind::Number:
        return QStringLiteral("a number above 0, from a millionth to a million, without quotes");
    case Kind::Object:
        return QStringLiteral("an object, {\"timeRatio\": 0.6}");
    case Kind::Renames:
        return QStringLiteral("a list of {\"from\": \"kernels/a.cu\", \"to\": \"kernels/b.cu\"}");
    }
    return {};
}

/// Of one file.
class Faults {
public:
    Faults(QString file, std::vector<LessonFault> &faults) : m_file(std::move(file)), m_faults(faults) {}

    void add(const QString &why, const QString &remedy) {
        m_faults.emplace_back(m_file.isEmpty() ? why : QStringLiteral("%1: %2").arg(m_file, why), remedy);
    }

    /// `of`: "a step", whose words the fields are.
    void look(const Json &object, const std::vector<Field> &fields, const QString &of) {
        QStringList names;
        for (const Field &field : fields)
            names << QString::fromLatin1(field.name);
        for (const auto &[key, value] : object.items()) {
            const QString name = fromJson(key);
            const auto at = names.indexOf(name);
            if (at < 0) {
                add(QStringLiteral("\"%1\" is no word of %2").arg(name, of),
                    QStringLiteral("Use one of these, or take it out: %1.")
                        .arg(names.join(QStringLiteral(", "))));
                continue;
            }
            const Kind kind = fields[static_cast<std::size_t>(at)].kind;
            if (!isOfKind(value, kind))
                add(QStringLiteral("\"%1\" is %2").arg(name, QString::fromUtf8(dumpJson(value)).left(60)),
                    QStringLiteral("It must be %1.").arg(kindWords(kind)));
        }
    }

    void lookAtChoice(const Json &object, const char *key, const QStringList &choices) {
        const QString chosen = stringIn(object, key);
        if (const auto found = object.find(key);
            found != object.end() && found->is_string() && !choices.contains(chosen))
            add(QStringLiteral("its \"%1\" is \"%2\"").arg(QString::fromLatin1(key), chosen),
                QStringLiteral("It may be \"%1\".").arg(choices.join(QStringLiteral("\" or \""))));
    }

    /// The file as an object; none: that was said.
    std::optional<Json> read(const QString &path) {
        const Result<QByteArray> text = readTextFile(path);
        if (!text.hasValue()) {
            add(text.message(), QStringLiteral("Make the file readable."));
            return std::nullopt;
        }
        const Result<Json> json = parseJson(text.value());
        if (!json.hasValue())
            add(jsonFaultWords(json.message()),
                QStringLiteral("Mend it there or just before: a comma, a quote or a bracket is missing, or "
                               "one is too many."));
        else if (!json.value().is_object())
            add(QStringLiteral("it is no JSON object"), QStringLiteral("Put the words between { and }."));
        return json.hasValue() && json.value().is_object() ? std::optional(json.value()) : std::nullopt;
    }

private:
    QString m_file;
    std::vector<LessonFault> &m_faults;
};

void lookAtRange(const Json &prediction, Faults &faults) {
    const auto number = [&prediction](const char *key) {
        const auto found = prediction.find(key);
        return found != prediction.end() && isOfKind(*found, Kind::Number)
                   ? std::optional(found->get<double>())
                   : std::nullopt;
    };
    const std::optional<double> ratio = number("timeRatio"), low = number("low"), high = number("high");
    if (low && high && *low > *high)
        faults.add(QStringLiteral("the range is the wrong way round: \"low\" %1 is above \"high\" %2")
                       .arg(*low)
                       .arg(*high),
                   QStringLiteral("Exchange the two."));
    else if (ratio && ((low && *ratio < *low) || (high && *ratio > *high)))
        faults.add(QStringLiteral("\"timeRatio\" %1 is outside its range, \"low\" to \"high\"").arg(*ratio),
                   QStringLiteral("Widen the range, or mend the ratio: it is the time after over the time "
                                  "before."));
    if (!prediction.contains("timeRatio") && (low || high))
        faults.add(QStringLiteral("the prediction has a range and no \"timeRatio\""),
                   QStringLiteral("Add it, or take the range out."));
}

void lookAtStep(const QString &path, const QString &shown, std::vector<LessonFault> &all) {
    if (!QFileInfo::exists(path))
        return;
    Faults faults(shown, all);
    const std::optional<Json> words = faults.read(path);
    if (!words)
        return;
    faults.look(*words, stepFields, QStringLiteral("a step"));
    faults.lookAtChoice(*words, "undecided", {QStringLiteral("keep"), QStringLiteral("leave-out")});
    if (const auto prediction = words->find("prediction");
        prediction != words->end() && prediction->is_object()) {
        faults.look(*prediction, predictionFields, QStringLiteral("a prediction"));
        lookAtRange(*prediction, faults);
        for (const char *kind : {"cpu", "cuda"}) // in place of the whole of it on such a device
            if (const auto part = prediction->find(kind); part != prediction->end() && part->is_object()) {
                faults.look(*part, rangeFields,
                            QStringLiteral("a prediction's \"%1\"").arg(QLatin1String(kind)));
                lookAtRange(*part, faults);
            }
    }
}

} // namespace

QString jsonFaultWords(const QString &parserMessage) {
    static const QRegularExpression place(QStringLiteral("line (\\d+), column (\\d+)"));
    const QRegularExpressionMatch found = place.match(parserMessage);
    return found.hasMatch()
               ? QStringLiteral("it is no JSON: what stands at line %1, column %2 was not expected there")
                     .arg(found.captured(1), found.captured(2))
               : QStringLiteral("it is no JSON");
}

std::vector<LessonFault> faultsOfStepWords(const QString &path) {
    std::vector<LessonFault> faults;
    lookAtStep(path, {}, faults);
    return faults;
}

std::vector<LessonFault> faultsOfLessonWords(const QString &folder) {
    std::vector<LessonFault> all;
    if (const QString path = folder + QLatin1Char('/') + lessonWordsFile; QFileInfo::exists(path)) {
        Faults faults(lessonWordsFile, all);
        if (const std::optional<Json> words = faults.read(path)) {
            faults.look(*words, lessonFields, QStringLiteral("a lesson"));
            // A workspace is called so, in a folder of ours.
            static const QRegularExpression folderName(QStringLiteral("^[\\w-][\\w. -]{0,63}$"),
                                                       QRegularExpression::UseUnicodePropertiesOption);
            if (const auto name = words->find("name");
                name != words->end() && name->is_string() &&
                !folderName.match(fromJson(name->get<std::string>())).hasMatch())
                faults.add(
                    QStringLiteral("\"name\" is %1").arg(QString::fromUtf8(dumpJson(*name)).left(60)),
                    QStringLiteral("It must be the name of a folder: letters, digits, - and _. Or take "
                                   "it out: then the lesson is called as its folder is."));
            if (const auto title = words->find("title");
                title != words->end() && title->is_string() && stringIn(*words, "title").trimmed().isEmpty())
                faults.add(QStringLiteral("\"title\" is empty"),
                           QStringLiteral("Say in it what the lesson is about, or take it out."));
            faults.lookAtChoice(*words, "bound", {QStringLiteral("memory"), QStringLiteral("compute")});
        }
    }
    const QDir steps(folder + QStringLiteral("/steps"));
    for (const QFileInfo &entry :
         steps.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString shown = QStringLiteral("steps/") + entry.fileName();
        if (entry.isDir())
            lookAtStep(entry.filePath() + QStringLiteral("/proposal.json"),
                       shown + QStringLiteral("/proposal.json"), all);
        else if (entry.suffix() == QLatin1String("json"))
            lookAtStep(entry.filePath(), shown, all);
    }
    return all;
}

} // namespace warpwright
