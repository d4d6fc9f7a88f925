// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/samples.h"

#include "toolchain/base/folder_copy.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int lastPlace = 1000;

Sample readSample(const QString &folder) {
    Sample sample;
    sample.folder = folder;
    sample.name = QFileInfo(folder).fileName();
    sample.title = sample.name;
    sample.order = lastPlace;
    const QDir kernels(folder + QStringLiteral("/kernels"));
    const QStringList cuda = kernels.entryList({QStringLiteral("*.cu")}, QDir::Files);
    sample.hasCuda = !cuda.isEmpty();
    sample.hasTwin = sample.hasCuda && std::all_of(cuda.begin(), cuda.end(), [&kernels](const QString &name) {
                         return kernels.exists(name.chopped(2) + QStringLiteral("cpp"));
                     });
    const Result<QByteArray> text = readTextFile(folder + QStringLiteral("/sample.json"));
    const Result<Json> json = text.hasValue() ? parseJson(text.value()) : Result<Json>::error(text.message());
    if (!json.hasValue() || !json.value().is_object())
        return sample;
    const Json &object = json.value();
    if (const auto order = object.find("order"); order != object.end() && order->is_number_integer())
        sample.order = order->get<int>();
    sample.title = stringIn(object, "title", sample.name);
    sample.description = stringIn(object, "description");
    sample.shapes = stringIn(object, "shapes");
    sample.bound = stringIn(object, "bound");
    sample.verdict = verdictFromName(stringIn(object, "verdict")).value_or(Verdict::Pass);
    return sample;
}

} // namespace

Result<std::vector<Sample>> listSamples(const QString &resources) {
    using Answer = Result<std::vector<Sample>>;
    const QDir root(resources + QStringLiteral("/samples"));
    std::vector<Sample> samples;
    for (const QString &name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (root.exists(name + QStringLiteral("/model.py")))
            samples.push_back(readSample(root.absoluteFilePath(name)));
    if (samples.empty())
        return Answer::error(
            QStringLiteral("Cannot find the samples in \"%1\". Install Warpwright again, or set "
                           "WARPWRIGHT_RESOURCES to its resources.")
                .arg(root.absolutePath()));
    std::stable_sort(samples.begin(), samples.end(),
                     [](const Sample &one, const Sample &other) { return one.order < other.order; });
    return Answer::ok(std::move(samples));
}

Result<QString> openSampleCopy(const Sample &sample, const QString &data) {
    const QString copy = data + QStringLiteral("/samples/") + sample.name;
    if (QFileInfo(copy + QStringLiteral("/model.py")).isFile())
        return Result<QString>::ok(copy);
    const Result<void> copied = copyWorkspace(sample.folder, copy);
    // Another window may have been faster.
    if (!copied.hasValue() && !QFileInfo(copy + QStringLiteral("/model.py")).isFile())
        return Result<QString>::error(copied.message());
    QFile::remove(copy + QStringLiteral("/sample.json"));
    return Result<QString>::ok(copy);
}

} // namespace warpwright
