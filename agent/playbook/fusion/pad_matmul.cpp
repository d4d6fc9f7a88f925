// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/pad_matmul.h"

#include "agent/playbook/fusion/fuse_consumer.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace warpwright {
namespace {

constexpr double leastOperations = 1e9; ///< of a matmul that is worth another launch
constexpr std::int64_t leastRows = 512; ///< uses of each element of the copy
constexpr std::int64_t lineBytes = 128;
constexpr std::int64_t leastLineUses = 4096; ///< operations per element copied to aligned lines
constexpr std::int64_t leastInner = 256;     ///< so that few of them are zeros
constexpr std::int64_t leastUses = 1024;     ///< operations per element of a matrix that is copied alone
constexpr double leastOperationsEach = 512;  ///< per element of both matrices, where both are copied

std::int64_t roundUp(std::int64_t elements, ElementType type, std::int64_t bytes) {
    const std::int64_t multiple = bytes / bytesOf(type);
    return (elements + multiple - 1) / multiple * multiple;
}

std::int64_t roundUpToVectors(std::int64_t elements, ElementType type) {
    return roundUp(elements, type, 16);
}

/// Columns of all matmuls with the same first matrix: they share a copy of it.
using Uses = std::map<std::pair<int, std::vector<std::int64_t>>, std::int64_t>;

/// A matmul whose loops are to be padded.
class MatmulPadding {
public:
    MatmulPadding(Program &program, std::size_t kernel)
        : m_program(program), m_kernel(kernel), m_batches(matmul().loops.size() - 3) {}

    static bool isFor(const Kernel &kernel) {
        return kernel.isMatmul() && !isSkinnyMatmul(kernel) && !hasTerms(kernel) &&
               kernel.inputs.size() >= 2 && kernel.stores.size() == 1 && kernel.loops.size() >= 3 &&
               kernel.inputs[0].type == kernel.stores[0].type &&
               kernel.inputs[1].type == kernel.stores[0].type;
    }

    /// Padded columns and padded K.
    std::int64_t columns() const { return hasPaddedColumns() ? roundUpToVectors(loop(1), type()) : loop(1); }
    /// Copies have rows of whole sectors: from a row that starts inside one TMA fetches a fifth sector per
    /// 128 bytes. Zeros appended in place only have room up to a whole vector.
    std::int64_t inner() const {
        const std::int64_t vecs = roundUpToVectors(loop(2), type());
        return !hasPaddedInner()                      ? loop(2)
               : hasRoom(0, vecs) || hasRoom(1, vecs) ? vecs
                                                      : roundUp(loop(2), type(), sectorBytes());
    }
    std::int64_t sectorBytes() const { return deviceOf(matmul()).sectorBytes; }
    std::int64_t innerLines() const { return roundUp(loop(2), type(), lineBytes); }

    /// Both matrices are copied then: zero times garbage after a row may be NaN.
    bool hasPaddedInner() const {
        const double elements = static_cast<double>(loop(0) + loop(1)) * static_cast<double>(loop(2)) *
                                static_cast<double>(std::max<std::int64_t>(batches(), 1));
        return roundUpToVectors(loop(2), type()) != loop(2) && matmul().operations() >= leastOperations &&
               matmul().operations() >= leastOperationsEach * elements;
    }

    bool hasPaddedColumns() const {
        const KernelStore &store = matmul().stores[0];
        const ProgramBuffer &result = m_program.buffers[static_cast<std::size_t>(store.buffer)];
        const std::int64_t padded = roundUpToVectors(loop(1), type());
        const std::vector<std::int64_t> &steps = matmul().inputs[1].address.steps;
        const bool isBatched =
            std::any_of(steps.begin(), steps.end() - 2, [](std::int64_t step) { return step != 0; });
        const bool isWorthIt = loop(0) >= leastRows && matmul().operations() >= leastOperations;
        const bool isInnerAligned = roundUpToVectors(loop(2), type()) == loop(2) || hasPaddedInner();
        // K has to be whole vectors as well, or nothing is gained.
        return padded != loop(1) && isInnerAligned && !isBatched && isWorthIt &&
               matmul().inputs.size() == 2 && !matmul().hasEpilogue() &&
               result.kind == ProgramBuffer::Kind::Temporary && store.address.steps[m_batches + 1] == 1 &&
               result.layout.memory.back() >= padded &&
               std::all_of(store.address.steps.begin(), store.address.steps.end(),
                           [padded](std::int64_t step) { return step <= 1 || step >= padded; });
    }

    /// Whether both matrices have rows that start within sectors, and are reused enough for copies with
    /// aligned rows, since our SM90 GEMM would read them slowly.
    bool hasLines(const Uses &uses) const {
        const bool isBare = matmul().inputs.size() == 2 && !matmul().hasEpilogue();
        const bool isOne = matmul().loops.size() == 3 && sumsOf(matmul()).size() < 2 && !hasPaddedInner();
        if (!m_program.choices.hasSm90Matmuls || !isOne || !(isBare || isSm90Matmul(matmul())) ||
            loop(2) < leastInner || 2 * loop(0) < leastLineUses)
            return false;
        const auto used = uses.find({matmul().inputs[0].buffer, copyKeyOf(0)});
        if (used == uses.end() || 2 * used->second < leastLineUses)
            return false; // or it already reads a copy
        bool isWithin = false;
        for (const std::size_t input : {std::size_t(0), std::size_t(1)}) {
            const KernelInput &from = matmul().inputs[input];
            if (!from.isPlain() || from.address.steps[2] != 1)
                return false;
            isWithin = isWithin ||
                       roundUp(from.address.steps[input], type(), sectorBytes()) != from.address.steps[input];
        }
        return isWithin;
    }

    /// Whether the rows of a matrix (or its columns, if these are contiguous) are misaligned, and it is
    /// reused enough for a copy.
    bool isMisaligned(std::size_t input) const {
        const KernelInput &from = matmul().inputs[input];
        const std::vector<std::int64_t> &steps = from.address.steps;
        const auto isAligned = [&](std::int64_t elements) {
            return roundUpToVectors(elements, type()) == elements;
        };
        const bool isWorthIt = type() != ElementType::Float64 && matmul().operations() >= leastOperations &&
                               2 * loop(1 - input) >= leastUses && isAligned(inner());
        return isWorthIt && from.isPlain() &&
               !(isAligned(from.address.offset) &&
                 std::all_of(steps.begin(), steps.end(),
                             [&](std::int64_t step) { return step == 1 || isAligned(step); }));
    }

    std::int64_t loop(std::size_t which) const { return matmul().loops[m_batches + which]; }
    const Kernel &matmul() const { return m_program.kernels[m_kernel]; }

    /// Lets the matmul read the copy, with `rowCount` rows of K, and lengthens its loops.
    void readCopy(std::size_t input, int copy, std::int64_t rowCount, std::int64_t rowLength) {
        KernelInput &read = m_program.kernels[m_kernel].inputs[input];
        read.buffer = copy;
        read.elements = 0;
        read.address.offset = 0;
        std::int64_t step = rowCount * rowLength;
        for (std::size_t k = m_batches; k-- > 0;) {
            if (read.address.steps[k] == 0)
                continue;
            read.address.steps[k] = step;
            step *= matmul().loops[k];
        }
        read.address.steps[m_batches + input] = rowLength;
        read.address.steps[m_batches + 2] = 1;
    }
    void lengthen(std::int64_t columns, std::int64_t inner) {
        Kernel &longer = m_program.kernels[m_kernel];
        longer.loops[m_batches + 1] = columns;
        longer.loops[m_batches + 2] = inner;
    }

    /// By rows of K, zero-padded: the first matrix or the second.
    Kernel copyOf(std::size_t input, std::int64_t rowCount, std::int64_t rowLength, int buffer) const {
        const KernelInput &from = matmul().inputs[input];
        Kernel kernel;
        kernel.device = matmul().device;
        KernelInput read = from;
        read.address.steps.clear();
        for (std::size_t k = 0; k < m_batches; ++k) {
            if (from.address.steps[k] == 0)
                continue;
            kernel.loops.push_back(matmul().loops[k]);
            read.address.steps.push_back(from.address.steps[k]);
        }
        const std::size_t rows = kernel.loops.size();
        kernel.loops.insert(kernel.loops.end(), {rowCount, rowLength});
        read.address.steps.insert(read.address.steps.end(),
                                  {from.address.steps[m_batches + input], from.address.steps[m_batches + 2]});
        kernel.outer = kernel.loops.size();
        read.elements =
            loop(input) * loop(2) * elementCount(Shape(kernel.loops.begin(), kernel.loops.end() - 2));
        const auto isBefore = [&](std::size_t which, std::int64_t end) {
            AffineExpr counter{0, std::vector<std::int64_t>(kernel.loops.size(), 0)};
            counter.steps[which] = 1;
            const int position = kernel.index(counter);
            return kernel.add(Opcode::Less, ElementType::Bool,
                              {position, kernel.number(static_cast<double>(end), ElementType::Int64)});
        };
        int isThere = -1;
        if (rowCount != loop(input))
            isThere = isBefore(rows, loop(input));
        if (rowLength != loop(2)) {
            const int isInRow = isBefore(rows + 1, loop(2));
            isThere = isThere < 0 ? isInRow : kernel.add(Opcode::And, ElementType::Bool, {isThere, isInRow});
        }
        const int value = isThere < 0 ? kernel.load(read) : kernel.load(read, {}, isThere);
        kernel.stores.push_back({value, buffer, from.type, {0, contiguousStrides(kernel.loops)}});
        kernel.finish();
        return kernel;
    }

    /// Whether rows of that length fit into the matrix's pitch: rows of a temporary are padded to whole
    /// vectors.
    bool hasRoom(std::size_t input, std::int64_t rowLength) const {
        const KernelInput &from = matmul().inputs[input];
        const ProgramBuffer &memory = m_program.buffers[static_cast<std::size_t>(from.buffer)];
        const std::vector<std::int64_t> &steps = from.address.steps;
        if (memory.kind != ProgramBuffer::Kind::Temporary || !from.isPlain() || memory.layout.memory.empty())
            return false;
        const std::int64_t row = memory.layout.memory.back();
        return row >= rowLength && memory.layout.shape.back() == loop(2) &&
               memory.layout.strides.back() == 1 && steps[m_batches + 2] == 1 &&
               from.address.offset % row == 0 && steps[m_batches + input] >= row &&
               std::all_of(steps.begin(), steps.end(),
                           [row](std::int64_t step) { return step <= 1 || step % row == 0; });
    }
    /// Writes zeros after its rows.
    Kernel zeroFillOf(std::size_t input, std::int64_t rowLength) const {
        const KernelInput &from = matmul().inputs[input];
        Kernel kernel;
        kernel.device = matmul().device;
        AffineExpr address{from.address.offset + loop(2), {}};
        for (std::size_t k = 0; k < m_batches; ++k)
            if (from.address.steps[k] != 0) {
                kernel.loops.push_back(matmul().loops[k]);
                address.steps.push_back(from.address.steps[k]);
            }
        kernel.loops.insert(kernel.loops.end(), {loop(input), rowLength - loop(2)});
        address.steps.insert(address.steps.end(), {from.address.steps[m_batches + input], 1});
        kernel.outer = kernel.loops.size();
        kernel.stores.push_back({kernel.number(0, computeType(from.type)), from.buffer, from.type, address});
        kernel.finish();
        return kernel;
    }
    void readPastRows(std::size_t input) { m_program.kernels[m_kernel].inputs[input].elements = 0; }

    /// Identifies a copy of it.
    std::vector<std::int64_t> copyKeyOf(std::size_t input) const {
        const AffineExpr &address = matmul().inputs[input].address;
        std::vector<std::int64_t> position = address.steps;
        position.erase(position.begin() +
                       static_cast<std::ptrdiff_t>(m_batches + 1 - input)); // of the other operand's loop
        for (std::size_t k = 0; k < m_batches; ++k)
            position.push_back(address.steps[k] != 0 ? matmul().loops[k] : 1);
        position.insert(position.end(), {address.offset, loop(input), loop(2)});
        return position;
    }

private:
    ElementType type() const { return matmul().stores[0].type; }
    std::int64_t batches() const {
        return elementCount(Shape(matmul().loops.begin(), matmul().loops.end() - 3));
    }

    Program &m_program;
    std::size_t m_kernel;
    std::size_t m_batches;
};

/// Whether two matmuls share a first matrix or a consumer: they may be fused.
bool mayFuseTogether(const Program &program, const Kernel &one, const Kernel &other) {
    return one.inputs[0] == other.inputs[0] ||
           std::any_of(program.kernels.begin(), program.kernels.end(), [&](const Kernel &consumer) {
               return reads(consumer, one.stores[0].buffer) && reads(consumer, other.stores[0].buffer);
           });
}

/// Whether the matmul, and others with it, is a kernel of ours, or would be when fused with its consumer.
bool canBeFusedByLines(const Program &program, std::size_t matmul, const Uses &uses) {
    if (isSm90Matmul(program.kernels[matmul]))
        return true;
    Program trial = program;
    std::map<std::pair<int, std::vector<std::int64_t>>, int> copies;
    for (std::size_t i = 0; i < trial.kernels.size(); ++i) {
        if (!MatmulPadding::isFor(trial.kernels[i]) ||
            !mayFuseTogether(program, trial.kernels[i], program.kernels[matmul]) ||
            !MatmulPadding(trial, i).hasLines(uses))
            continue;
        const std::int64_t inner = MatmulPadding(trial, i).innerLines();
        for (const std::size_t input : {std::size_t(0), std::size_t(1)}) {
            const int from = trial.kernels[i].inputs[input].buffer;
            const auto [copy, isNew] = copies.try_emplace({from, MatmulPadding(trial, i).copyKeyOf(input)},
                                                          static_cast<int>(trial.buffers.size()));
            if (isNew)
                trial.buffers.push_back(trial.buffers[static_cast<std::size_t>(from)]);
            MatmulPadding(trial, i).readCopy(input, copy->second, 0, inner);
        }
        MatmulPadding(trial, i).lengthen(trial.kernels[i].loops[1], inner);
    }
    return fuseMatmulIntoConsumer(trial, matmul);
}

} // namespace

void padMatmuls(Program &program) {
    std::map<std::pair<int, std::vector<std::int64_t>>, int> copies;
    Uses uses;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        if (const MatmulPadding padding(program, i); MatmulPadding::isFor(program.kernels[i]))
            uses[{padding.matmul().inputs[0].buffer, padding.copyKeyOf(0)}] += padding.loop(1);
    // Decided before any copy is made: matmuls that are fused share matrices.
    std::set<int> byLines;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        if (MatmulPadding::isFor(program.kernels[i]) && MatmulPadding(program, i).hasLines(uses) &&
            canBeFusedByLines(program, i, uses))
            byLines.insert(program.kernels[i].stores[0].buffer);
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        if (!MatmulPadding::isFor(program.kernels[i]))
            continue;
        const std::int64_t columns = MatmulPadding(program, i).columns();
        const bool hasLines = byLines.contains(program.kernels[i].stores[0].buffer);
        const std::int64_t inner =
            hasLines ? MatmulPadding(program, i).innerLines() : MatmulPadding(program, i).inner();
        const bool isInnerPadded = MatmulPadding(program, i).hasPaddedInner() || hasLines;
        const bool isColumnPadded = MatmulPadding(program, i).hasPaddedColumns();
        const bool isMisaligned[2] = {MatmulPadding(program, i).isMisaligned(0),
                                      MatmulPadding(program, i).isMisaligned(1)};
        for (const std::size_t input : {std::size_t(0), std::size_t(1)}) {
            if (!isInnerPadded && !isMisaligned[input] && (input == 0 || !isColumnPadded))
                continue;
            const MatmulPadding padding(program, i);
            const std::int64_t rowCount = input == 0 ? padding.loop(0) : columns;
            const KernelInput from = padding.matmul().inputs[input];
            std::vector<std::int64_t> position = padding.copyKeyOf(input);
            position.insert(position.end(), {rowCount, inner});
            // Zeros after the rows cost a sector per row, a copy moves the matrix twice.
            if (!isMisaligned[input] && rowCount == padding.loop(input) && padding.hasRoom(input, inner)) {
                if (copies.try_emplace({from.buffer, position}, from.buffer).second) {
                    program.kernels.insert(program.kernels.begin() + static_cast<std::ptrdiff_t>(i),
                                           padding.zeroFillOf(input, inner));
                    ++i;
                }
                MatmulPadding(program, i).readPastRows(input);
                continue;
            }
            const auto [copy, isNew] =
                copies.try_emplace({from.buffer, position}, static_cast<int>(program.buffers.size()));
            if (isNew) {
                const Kernel kernel = padding.copyOf(input, rowCount, inner, copy->second);
                const int node = program.buffers[static_cast<std::size_t>(from.buffer)].node;
                const Shape memory(kernel.loops.begin(), kernel.loops.end());
                TensorLayout layout = contiguousLayout(memory);
                // Merged loops have batches, whose rows are not padded.
                if (rowCount != padding.loop(input))
                    layout.shape[layout.shape.size() - 2] = padding.loop(input);
                layout.shape.back() = padding.loop(2);
                program.buffers.push_back({ProgramBuffer::Kind::Temporary, node, layout});
                program.kernels.insert(program.kernels.begin() + static_cast<std::ptrdiff_t>(i), kernel);
                ++i;
            }
            MatmulPadding(program, i).readCopy(input, copy->second, rowCount, inner);
        }
        MatmulPadding(program, i).lengthen(columns, inner);
    }
}

} // namespace warpwright
