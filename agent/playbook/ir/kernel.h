// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"
#include "agent/playbook/ir/opcode.h"
#include "agent/playbook/ir/shared_device.h"
#include "agent/playbook/ir/structured_op.h"

#include <set>

/// One kernel as IR: loops, inputs, values in SSA form, stores.
namespace warpwright {

/// Which loops a step's value varies with.
enum class StepLevel {
    Constant,
    Row,    ///< once a row: depends on outer counters and on reductions over the row
    Column, ///< the same for every row: depends on inner counters
    Element,
};

struct KernelStep {
    Opcode op = Opcode::Number;
    ElementType type = ElementType::Float32; ///< it is computed in this type
    std::vector<int> operands;               ///< earlier steps
    double number = 0;                       ///< Number; Load: the value where the guard is false
    int input = -1;                          ///< Load
    AffineExpr index;                        ///< Index: its value
    bool isGuarded = false; ///< Load: its last operand is the guard; where that is false, nothing is read
    StepLevel level = StepLevel::Constant;
    int pass = 0; ///< the first loop over the row that can compute it

    bool operator==(const KernelStep &) const = default;
};

/// A tensor that a kernel reads, addressed by its loops.
struct KernelInput {
    int buffer = 0; ///< of the program
    ElementType type = ElementType::Float32;
    AffineExpr address;                ///< in elements
    std::vector<std::int64_t> strides; ///< of the load's index operands; none: see isPlain()
    std::int64_t elements = 0;         ///< that exist; 0: as many as the loops address

    /// The address is affine in the loop counters.
    [[nodiscard]] bool isPlain() const { return strides.empty(); }
    bool operator==(const KernelInput &) const = default;
};

struct KernelStore {
    int step = 0;
    int buffer = 0;
    ElementType type = ElementType::Float32;
    AffineExpr address;
    /// Only where each loop's counter is a multiple of this, and the address counts these multiples; none:
    /// everywhere. Depthwise convolutions only.
    std::vector<std::int64_t> every = {};

    bool operator==(const KernelStore &) const = default;
};

/// An element of a log-softmax, distance - logarithm, as steps.
struct LogSoftmax {
    int distance = -1;  ///< element - level
    int level = -1;     ///< the row's maximum
    int sum = -1;       ///< of exp(distance)
    int logarithm = -1; ///< of the sum

    bool operator==(const LogSoftmax &) const = default;
};

/// Outer (parallel) loops over rows, inner loops over the elements of a row; reductions and scans go over all
/// inner loops. A pointwise kernel has inner loops and neither of them.
class Kernel {
public:
    Shape loops;           ///< sizes, from the outermost
    std::size_t outer = 0; ///< number of loops over rows
    std::vector<KernelInput> inputs;
    std::vector<KernelStep> steps; ///< each after its operands
    std::vector<KernelStore> stores;
    /// Not loops: inputs 0 and 1 are its operands, resultStep() its result. A matmul's loops are batch, M, N
    /// and, as the only inner one, K; a convolution's are those of its result, attention's are set where it
    /// is lowered. They stay as they are: no finish().
    StructuredOp structuredOp;
    /// Loops alone: the rows that they store are scattered.
    std::optional<ScatterSizes> scatteredStore;
    /// No reductions: a thread computes what the elements of a row share, and then loops over them.
    bool isRowPerThread = false;
    SharedDevice device; ///< the program's; null: not part of a program yet

    /// No structured op; the rows that it stores may be scattered.
    [[nodiscard]] bool isLoops() const { return std::holds_alternative<std::monostate>(structuredOp); }
    [[nodiscard]] bool isMatmul() const { return matmul() != nullptr; }
    [[nodiscard]] bool isConvolution() const { return convolution() != nullptr; }
    [[nodiscard]] bool isDepthwiseConvolution() const {
        return isConvolution() && convolution()->sizes.isDepthwise();
    }
    [[nodiscard]] bool isAttention() const { return attention() != nullptr; }
    [[nodiscard]] bool isScatteredRows() const { return std::holds_alternative<ScatteredRows>(structuredOp); }
    [[nodiscard]] bool isSortedRows() const { return sortedRows() != nullptr; }
    /// Null: it is something else.
    [[nodiscard]] const Matmul *matmul() const { return std::get_if<Matmul>(&structuredOp); }
    [[nodiscard]] Matmul *matmul() { return std::get_if<Matmul>(&structuredOp); }
    [[nodiscard]] const Convolution *convolution() const { return std::get_if<Convolution>(&structuredOp); }
    [[nodiscard]] Convolution *convolution() { return std::get_if<Convolution>(&structuredOp); }
    [[nodiscard]] const Attention *attention() const { return std::get_if<Attention>(&structuredOp); }
    [[nodiscard]] const SortedRows *sortedRows() const { return std::get_if<SortedRows>(&structuredOp); }
    /// Of a matmul or a convolution, empty or not; null: another kernel.
    [[nodiscard]] const Epilogue *epilogue() const;
    [[nodiscard]] Epilogue *epilogue();
    [[nodiscard]] bool hasEpilogue() const { return epilogue() != nullptr && !epilogue()->isEmpty(); }
    /// Of ScatteredRows, or of loops whose rows are scattered; null: no rows are scattered.
    [[nodiscard]] const ScatterSizes *scatter() const;
    [[nodiscard]] ScatterSizes *scatter();
    [[nodiscard]] bool isScattered() const { return scatter() != nullptr; }

    /// Finds an equal step or adds one; folds constants and canonicalizes.
    int add(Opcode op, ElementType type, std::vector<int> operands);
    int number(double value, ElementType type);
    int index(const AffineExpr &value);
    /// `indices`: one for each of the input's strides. `guard`: nothing is read where this condition is
    /// false; -1: none.
    int load(const KernelInput &input, std::vector<int> indices = {}, int guard = -1);
    int converted(int step, ElementType type);
    /// A row's maximum; of a softmax or a log-softmax it is derived from the maximum of its operand.
    int largest(ElementType type, int element);
    /// Appends a step without simplifying it, or finds an equal one; its operands are steps of this kernel.
    /// Computes its level, which has to be set for a Load or an Index.
    int append(KernelStep step);

    [[nodiscard]] const KernelStep &step(int number) const { return steps[static_cast<std::size_t>(number)]; }
    [[nodiscard]] std::int64_t rows() const;
    [[nodiscard]] std::int64_t columns() const; ///< elements of a row
    [[nodiscard]] bool hasReductions() const;   ///< or scans
    [[nodiscard]] bool hasScans() const;
    [[nodiscard]] bool hasKthValues() const; ///< selects elements of a row by rank
    [[nodiscard]] int resultStep() const;    ///< the first reduction, of attention the last one; -1: none
    [[nodiscard]] int passCount() const;     ///< loops over a row
    [[nodiscard]] StepLevel levelOf(const AffineExpr &index) const;
    /// Whether the input is read at most once a row: a label's logit.
    [[nodiscard]] bool isReadOncePerRow(const KernelInput &input) const;
    /// The minimum traffic of a launch: each input and each store once.
    [[nodiscard]] double bytes() const;
    [[nodiscard]] bool isReadWithOther(const KernelInput &input) const;
    /// What a depthwise convolution's epilogue reads of its own input again, not part of `bytes`: most of it
    /// is still in the caches.
    [[nodiscard]] double rereadInputBytes() const;
    [[nodiscard]] double operations() const;

    /// Drops steps and inputs that no store needs.
    void eliminateDeadCode();
    /// Eliminates dead code, sorts loops into memory order, merges neighbouring loops that every address
    /// traverses as one, and numbers passes.
    void finish();
    /// Equal for kernels that compute the same, independent of names and of the order of steps.
    [[nodiscard]] QString signature() const;

    bool operator==(const Kernel &) const = default;

private:
    [[nodiscard]] double operationsOfSteps() const;
    [[nodiscard]] double footprint(const AffineExpr &address, ElementType type,
                                   const KernelInput *input) const;
    [[nodiscard]] bool isNumber(int step, double value) const;
    [[nodiscard]] std::optional<double> foldConstants(Opcode op, ElementType type,
                                                      const std::vector<int> &operands) const;
    [[nodiscard]] int softplusBy20(const std::vector<int> &select) const;
    int softplus(int h, ElementType type);
    [[nodiscard]] int softplusOf(int step) const;
    [[nodiscard]] std::pair<int, int> withoutFactor(int multiply, ElementType type, std::set<int> &none);
    [[nodiscard]] bool isMaximumOf(int level, int v) const;
    [[nodiscard]] std::optional<LogSoftmax> logSoftmaxOf(int step) const;
    [[nodiscard]] bool dependsOn(int step, int other) const;
    int logarithmOf(const LogSoftmax &some, ElementType type);
    [[nodiscard]] std::pair<int, int> withoutLogarithms(int step, ElementType type,
                                                        const std::vector<int> &others, int depth = 0);
    int sumWithoutLogarithms(int multiply, ElementType type);
    [[nodiscard]] int foldIntoIndex(Opcode op, int first, int second);
    [[nodiscard]] int simplifiedSelect(int condition, int first, int second);
    [[nodiscard]] int simplifiedElu(int condition, int positive, int negative);
    void orderLoops();
    [[nodiscard]] std::vector<AffineExpr *> allIndices();
    void mergeLoops();
    void numberPasses();
    [[nodiscard]] std::vector<QString> stepSignatures() const;
};

} // namespace warpwright
