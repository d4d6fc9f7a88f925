// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/language/language_values.h"

#include <QMap>
#include <QString>

namespace warpwright {

/// What CUDA's headers do not say of their own words: `resources/language/cuda_words.json`, in our words.
struct CudaWord {
    QString signature; ///< "T __ldcs(const T *address)"
    QString text;      ///< one to three sentences

    bool operator==(const CudaWord &) const = default;
};

class CudaWords {
public:
    /// Errors: no such file, or it is none of ours.
    [[nodiscard]] static Result<CudaWords> read(const QString &file);

    /// Null: nothing is said of it.
    [[nodiscard]] const CudaWord *find(const QString &name) const;
    /// The signature as code and the sentences; empty: nothing is said of it.
    [[nodiscard]] QString markdownOf(const QString &name) const;
    [[nodiscard]] qsizetype count() const { return m_words.size(); }
    /// As completions of `prefix`, which stands at `replaced`. `isCall`: a bracket follows already.
    [[nodiscard]] std::vector<CompletionItem> completionsOf(const QString &prefix, const TextRange &replaced,
                                                            bool isCall) const;

private:
    QMap<QString, CudaWord> m_words;
};

} // namespace warpwright
