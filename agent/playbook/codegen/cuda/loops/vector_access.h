// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/unaligned_rows.h"

#include <QStringList>

#include <functional>
#include <map>
#include <set>

namespace warpwright {

/// The counter of a loop over a vector's elements: "k"; empty for width 1.
[[nodiscard]] QString positionInVector(int width);

/// The address of the element at `position` ("k", "3") of the vector that begins at `address`; empty: the
/// first.
[[nodiscard]] QString addressInVector(const Kernel &kernel, const AffineExpr &address, const LoopNames &loops,
                                      const QString &position);

/// Element k of elements with the stride `apart` in the array `vecs`, of which the first is at `position`.
[[nodiscard]] QString stridedElement(const QString &vecs, std::int64_t apart, std::int64_t position);

/// Vector loads and stores of a thread, as text: of its own row, of a row that another step chooses
/// (gathers), and of unaligned rows.
class VectorAccess {
public:
    /// A step's text for the element at this position of the vector.
    using OfElement = std::function<QString(int step, int position)>;

    /// `names`, `loops` and `text` outlive it. `width`: elements of a vector; 1: there are none.
    VectorAccess(const Kernel &kernel, const KernelNames &names, int width,
                 const std::optional<UnalignedRows> &unaligned, const LoopNames &loops,
                 ExpressionPrinter &text, OfElement ofElement)
        : m_kernel(kernel),
          m_names(names),
          m_width(width),
          m_unaligned(unaligned),
          m_loops(loops),
          m_text(text),
          m_ofElement(std::move(ofElement)) {}

    void clear();
    /// Load steps of a row's vectors, by tensor, where a thread that caches its row can prefetch them all:
    /// the vectors take no more registers than the cached values. None: it cannot.
    [[nodiscard]] std::vector<int> aheadOf(const ReductionPass &pass) const;
    /// Lines before all loops over vectors `p`, for these Load steps: loaded in the first loop and cached as
    /// loaded.
    QStringList declareCachedAsLoaded(const std::set<int> &steps);
    /// Lines before a loop over vectors `p` that prefetches, and in it; load() uses these vectors until
    /// forgetAhead().
    QStringList declareAhead(int step);
    [[nodiscard]] QStringList loadAhead(int step);
    void forgetAhead() { m_ahead.clear(); }
    /// Lines before the loop over a vector's elements, with the loads of those Load steps among `steps` that
    /// are vectorized.
    QStringList load(const std::vector<int> &steps);
    /// Whether any was loaded as a struct of adjacent values.
    [[nodiscard]] bool hasStructs() const { return m_hasStructs; }
    /// "xPack.at[k]"; empty: the input was not loaded as vectors.
    [[nodiscard]] QString elementOf(int input) const;
    /// The element of a gathering Load step; empty: it was not loaded as vectors.
    [[nodiscard]] QString gathered(int step) const;
    /// Lines before the loop over a vector's elements that declare the vectors which these stores fill.
    QStringList beginStores(const std::vector<int> &positions);
    /// What the store's element is assigned to in that loop; empty: it is stored element by element.
    [[nodiscard]] QString elementToStore(int position) const;
    /// The declared vectors: "yPack".
    [[nodiscard]] std::vector<QString> vectorsToStore() const;
    /// Whether the pass loads and stores vectors only, and divides integers by constants only: then elements
    /// of a neighbouring row may be computed along with this one's.
    [[nodiscard]] bool isAll(const ReductionPass &pass) const;
    /// Lines after the loop that store them.
    [[nodiscard]] QStringList endStores() const;

private:
    /// A vector that is filled in registers before it is stored.
    struct StoredVector {
        std::vector<int> positions; ///< the kernel's stores that fill it, by address; mostly one
        QString name;
    };

    QStringList declared(int input, const QString &why, std::map<int, QString> &names);
    QStringList loadVector(int step);
    QStringList loadShifted(int step);
    QStringList loadGathered(int step);
    QStringList loadStrided(const KernelStep &load);
    QStringList loadStruct(const KernelStep &load);
    [[nodiscard]] bool canLeaveOut(int input, int guard) const;
    [[nodiscard]] std::vector<int> storesBetween(int position, const std::vector<int> &positions) const;
    [[nodiscard]] bool isRun(const StoredVector &vec) const;
    [[nodiscard]] QString storing(const KernelStore &store, const QString &vec, std::int64_t further) const;
    [[nodiscard]] QString beginningOf(int buffer, AffineExpr address) const;

    const Kernel &m_kernel;
    const KernelNames &m_names;
    int m_width;
    std::optional<UnalignedRows> m_unaligned;
    const LoopNames &m_loops;
    ExpressionPrinter &m_text;
    OfElement m_ofElement;
    std::map<int, QString> m_vecs;     ///< by input; of a gather, by -1 - its step
    std::map<int, QString> m_gathered; ///< by step
    std::map<int, QString> m_strided;  ///< elements by input, of vectors that hold others between them
    std::map<int, QString> m_shifted;  ///< arrays by input, of vectors at an offset from another one
    std::vector<StoredVector> m_stored;
    std::map<int, QString> m_ahead;          ///< by input, vectors prefetched before the current loop
    std::map<int, QString> m_cachedAsLoaded; ///< by input, vectors cached as loaded
    std::set<int> m_loaded;                  ///< of these, by input
    std::map<std::pair<int, AffineExpr>, QString> m_interleaved; ///< these vectors, by buffer and address
    bool m_hasStructs = false;
};

} // namespace warpwright
