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

/// In a loop over a pack of so many: "k"; of one there is none.
[[nodiscard]] QString positionInVector(int width);

/// An address at a place of the pack that begins there: "k", "3"; none: at its beginning.
[[nodiscard]] QString addressInVector(const Kernel &kernel, const AffineExpr &address, const LoopNames &loops,
                                      const QString &position);

/// One, k, of neighbours that lie `apart` in several packs, the first of them at `place`.
[[nodiscard]] QString elementAmong(const QString &vecs, std::int64_t apart, std::int64_t position);

/// Neighbours that a thread loads and stores by one instruction, as text: those of its row, those of a row
/// that another step chooses, and those of rows that packs do not fill.
class VectorAccess {
public:
    /// A step's text for the neighbour at this place of the pack.
    using OfNeighbour = std::function<QString(int step, int position)>;

    /// `names`, `loops` and `text` outlive it. `width`: elements of a pack; 1: there are none.
    VectorAccess(const Kernel &kernel, const KernelNames &names, int width,
                 const std::optional<UnalignedRows> &unaligned, const LoopNames &loops,
                 ExpressionPrinter &text, OfNeighbour ofNeighbour)
        : m_kernel(kernel),
          m_names(names),
          m_width(width),
          m_unaligned(unaligned),
          m_loops(loops),
          m_text(text),
          m_ofNeighbour(std::move(ofNeighbour)) {}

    void clear();
    /// Load steps of all that a row's packs bring, by tensor, where a thread that keeps its row can load them
    /// before it computes anything, for what it keeps of them takes no fewer registers. None: it cannot.
    [[nodiscard]] std::vector<int> aheadOf(const ReductionPass &pass) const;
    /// Lines before all loops over packs `p`, for what these Load steps find: it is loaded in the first one
    /// and stays as it is.
    QStringList keepAsRead(const std::set<int> &steps);
    /// Lines before a loop over packs `p` that does, and in it; load() takes these from then on, until
    /// forgetAhead().
    QStringList declareAhead(int step);
    [[nodiscard]] QStringList loadAhead(int step);
    void forgetAhead() { m_ahead.clear(); }
    /// Lines before the loop over a pack's elements, that load what the Load steps among these find, where it
    /// is not read element by element.
    QStringList load(const std::vector<int> &steps);
    /// Whether any was loaded as a group of what lies side by side.
    [[nodiscard]] bool hasStructs() const { return m_hasStructs; }
    /// "xPack.at[k]"; empty: the leaf was not loaded as packs.
    [[nodiscard]] QString elementOf(int input) const;
    /// What the Load step computes with, where it chooses its row; empty: that was not loaded as packs.
    [[nodiscard]] QString gathered(int step) const;
    /// Lines before the loop over a pack's elements, for what these of the kernel's stores write by packs.
    QStringList beginStores(const std::vector<int> &positions);
    /// What the store's element is assigned to in that loop; empty: it is written element by element.
    [[nodiscard]] QString elementToStore(int position) const;
    /// The packs that were begun: "yPack".
    [[nodiscard]] std::vector<QString> vectorsToStore() const;
    /// Whether the pass reads nothing but packs, writes nothing else, and divides whole numbers by given ones
    /// only: then elements of a neighbour's row may be computed with those of this one.
    [[nodiscard]] bool isAll(const ReductionPass &pass) const;
    /// Lines after the loop that store them.
    [[nodiscard]] QStringList endStores() const;

private:
    /// Neighbours that are gathered in registers before they are written.
    struct StoredVector {
        std::vector<int> positions; ///< the kernel's stores that fill it, by where they write; mostly one
        QString name;
    };

    QStringList declared(int input, const QString &why, std::map<int, QString> &names);
    QStringList loadVector(int step);
    QStringList loadNext(int step);
    QStringList loadGathered(int step);
    QStringList loadSpread(const KernelStep &load);
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
    OfNeighbour m_ofNeighbour;
    std::map<int, QString> m_vecs;     ///< by leaf; of what is gathered, by -1 - its step
    std::map<int, QString> m_gathered; ///< by step
    std::map<int, QString> m_spread;   ///< elements by leaf, of packs that hold others between them
    std::map<int, QString> m_next;     ///< arrays by leaf, of neighbours that are some places on from a pack
    std::vector<StoredVector> m_stored;
    std::map<int, QString> m_ahead;  ///< by leaf, packs that are there before the loop at work
    std::map<int, QString> m_asRead; ///< by leaf, packs that stay as they come
    std::set<int> m_loaded;          ///< of these, by leaf
    std::map<std::pair<int, AffineExpr>, QString> m_around; ///< these packs, by buffer and where they begin
    bool m_hasStructs = false;
};

} // namespace warpwright
