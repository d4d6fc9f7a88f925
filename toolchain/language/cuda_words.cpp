// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/cuda_words.h"

#include "toolchain/json.h"
#include "toolchain/text_file.h"

namespace warpwright {

Result<CudaWords> CudaWords::read(const QString &file) {
    using Answer = Result<CudaWords>;
    const Result<QByteArray> text = readTextFile(file);
    if (!text.hasValue())
        return Answer::error(text.message());
    const Result<Json> json = parseJson(text.value());
    const QString refusal = QStringLiteral("Cannot read \"%1\": %2.");
    if (!json.hasValue())
        return Answer::error(refusal.arg(file, json.message()));
    if (!json.value().is_object() || !json.value().contains("words") || !json.value()["words"].is_object())
        return Answer::error(refusal.arg(file, QStringLiteral("it has no words")));
    CudaWords words;
    for (const auto &[name, word] : json.value()["words"].items())
        words.m_words.insert(fromJson(name), {stringIn(word, "signature"), stringIn(word, "text")});
    return Answer::ok(std::move(words));
}

const CudaWord *CudaWords::find(const QString &name) const {
    const auto found = m_words.constFind(name);
    return found == m_words.constEnd() ? nullptr : &*found;
}

QString CudaWords::markdownOf(const QString &name) const {
    const CudaWord *word = find(name);
    if (word == nullptr)
        return {};
    return word->signature.isEmpty() ? word->text
                                     : QStringLiteral("```cpp\n%1\n```\n\n%2").arg(word->signature, word->text);
}

} // namespace warpwright
