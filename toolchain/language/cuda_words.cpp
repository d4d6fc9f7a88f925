// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/cuda_words.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

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
    return word->signature.isEmpty()
               ? word->text
               : QStringLiteral("```cpp\n%1\n```\n\n%2").arg(word->signature, word->text);
}

std::vector<CompletionItem> CudaWords::completionsOf(const QString &prefix, const TextRange &replaced,
                                                     bool isCall) const {
    std::vector<CompletionItem> items;
    for (auto word = m_words.lowerBound(prefix); word != m_words.constEnd() && word.key().startsWith(prefix);
         ++word) {
        CompletionItem item;
        item.label = item.filterText = item.sortText = item.insertText = word.key();
        item.documentation = word->text;
        item.replaced = replaced;
        item.kind = SymbolKind::Keyword;
        const qsizetype at = word->signature.indexOf(word.key());
        const QString behind = at < 0 ? QString() : word->signature.mid(at + word.key().size());
        if (behind.startsWith(QLatin1Char('('))) {
            item.kind = SymbolKind::Function;
            item.signature = behind;
            item.type = word->signature.left(at).trimmed();
            if (!isCall) {
                item.insertText += QStringLiteral("()");
                if (behind != QLatin1String("()"))
                    item.cursorInside = static_cast<int>(word.key().size()) + 1;
            }
        }
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace warpwright
