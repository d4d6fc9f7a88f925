// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"
#include "agent/playbook/ir/opcode.h"
#include "agent/playbook/ir/structured_op.h"

#include <set>

/// One kernel before it is text: loops, what is read, what is computed for each element, what is written.
namespace warpwright {

struct Device;

/// How often a step's value changes.
enum class StepLevel {
    Constant,
    Row,    ///< once a row: a function of the outer counters and of sums over the row
    Column, ///< the same for every row: a function of the inner counters
    Element,
};

struct KernelStep {
    Opcode op = Opcode::Number;
    ElementType type = ElementType::Float32; ///< that it is computed in
    std::vector<int> operands;               ///< earlier steps
    double number = 0;                       ///< Number; Load: what stands for an element that is not there
    int input = -1;                          ///< Load
    AffineExpr index;                        ///< Index: its value
    bool isGuarded = false; ///< Load: its last operand says whether it is there; else it is `number`
    StepLevel level = StepLevel::Constant;
    int pass = 0; ///< the loop over the row that can compute it first

    bool operator==(const KernelStep &) const = default;
};

/// Memory that a kernel reads, as its loops meet it.
struct KernelInput {
    int buffer = 0; ///< of the plan
    ElementType type = ElementType::Float32;
    AffineExpr address;                ///< in elements
    std::vector<std::int64_t> strides; ///< what the load's operands count; none: the loops alone say where
    std::int64_t elements = 0;         ///< that are there; 0: as many as the loops meet

    /// The loops alone say where.
    [[nodiscard]] bool isPlain() const { return strides.empty(); }
    bool operator==(const KernelInput &) const = default;
};

struct KernelStore {
    int step = 0;
    int buffer = 0;
    ElementType type = ElementType::Float32;
    AffineExpr address;
    /// Only where each loop's counter is a multiple of this one, and the address counts these; none:
    /// everywhere. Of depthwise convolutions alone.
    std::vector<std::int64_t> every = {};

    bool operator==(const KernelStore &) const = default;
};

/// An element of a log-softmax: distance - logarithm.
struct LogSoftmax {
    int distance = -1;  ///< from the row's largest element
    int level = -1;     ///< that it is the distance from
    int sum = -1;       ///< of the exponentials of these
    int logarithm = -1; ///< of it

    bool operator==(const LogSoftmax &) const = default;
};

/// Outer loops over rows, inner loops over the elements of a row; reductions and scans go over all inner
/// loops. A pointwise kernel has inner loops and neither of them.
class Kernel {
public:
    Shape loops;           ///< sizes, from the outermost
    std::size_t outer = 0; ///< so many of them are over rows
    std::vector<KernelInput> inputs;
    std::vector<KernelStep> steps; ///< each after its operands
    std::vector<KernelStore> stores;
    /// Else a library computes it: leaves 0 and 1 are what it takes, resultStep() is what it finds. A
    /// product's loops are batches, rows, columns and, as its only inner one, what is summed over; a
    /// convolution's are those of its result, attention's are told where it is planned. They stay as they
    /// are: no finish().
    StructuredOp structuredOp = StructuredOp::None;
    Epilogue epilogue;
    ConvolutionSizes convolution;
    AttentionSteps attention;
    ScatterSizes scatter;
    SortSizes sorting;
    /// Without sums: a thread works out what the elements of a row share, and then goes through them.
    bool isRowPerThread = false;
    bool isInTimeStep = false; ///< a product of few rows, in a loop over time, that is ours (`turn_product`)
    const Device *device = nullptr; ///< that it is made for (target/plan_device.h); null: none in particular

    /// Finds an equal step or adds one; folds constants and brings equal meanings to one form.
    int add(Opcode op, ElementType type, std::vector<int> operands);
    int number(double value, ElementType type);
    int index(const AffineExpr &value);
    /// `indices`: one for each of the leaf's strides. `guard`: a condition without which nothing is read; -1:
    /// none.
    int load(const KernelInput &input, std::vector<int> indices = {}, int guard = -1);
    int converted(int step, ElementType type);
    /// A row's largest element; of a softmax or a log-softmax it is made of what these are made of.
    int largest(ElementType type, int element);
    /// A step as it is, its operands being this kernel's: finds an equal one or adds it, and works out its
    /// level; a Load's and an Index's are given.
    int append(KernelStep step);

    [[nodiscard]] const KernelStep &step(int number) const { return steps[static_cast<std::size_t>(number)]; }
    [[nodiscard]] std::int64_t rows() const;
    [[nodiscard]] std::int64_t columns() const; ///< elements of a row
    [[nodiscard]] bool hasReductions() const;   ///< or scans: it has rows by nature
    [[nodiscard]] bool hasScans() const;
    [[nodiscard]] bool hasKthValues() const; ///< elements of a row that are searched for
    [[nodiscard]] int resultStep() const;    ///< the first sum, of attention the last one; -1: none
    [[nodiscard]] int passCount() const;     ///< loops over a row
    [[nodiscard]] StepLevel levelOf(const AffineExpr &index) const;
    /// Whether no step reads this leaf for each element: a label's logit.
    [[nodiscard]] bool isReadOncePerRow(const KernelInput &input) const;
    /// What a launch has to move at least: each leaf and each store once.
    [[nodiscard]] double bytes() const;
    /// What a depthwise convolution reads of its own image beside what it sums, no part of `bytes`: most of
    /// it is in the caches still.
    [[nodiscard]] bool isReadWithOther(const KernelInput &input) const;
    [[nodiscard]] double rereadInputBytes() const;
    [[nodiscard]] double operations() const;

    /// Drops steps and leaves that no store needs.
    void eliminateDeadCode();
    /// Drops what no store needs, brings loops into the order of the memory, makes one loop of neighbours
    /// that every address passes through alike, and numbers passes.
    void finish();
    /// The same for kernels that do the same, whatever things are called and in which order they came.
    [[nodiscard]] QString signature() const;

    bool operator==(const Kernel &) const = default;

private:
    [[nodiscard]] double footprint(const AffineExpr &address, ElementType type,
                                   const KernelInput *input) const;
    [[nodiscard]] bool isNumber(int step, double value) const;
    [[nodiscard]] std::optional<double> foldConstants(Opcode op, ElementType type,
                                                      const std::vector<int> &operands) const;
    [[nodiscard]] int softplusBy20(const std::vector<int> &select) const;
    int softplus(int h, ElementType type);
    [[nodiscard]] int softplusOf(int step) const;
    [[nodiscard]] std::pair<int, int> withoutFactor(int multiply, ElementType type, std::set<int> &none);
    [[nodiscard]] bool isLevelOf(int level, int v) const;
    [[nodiscard]] std::optional<LogSoftmax> logSoftmaxOf(int step) const;
    [[nodiscard]] bool dependsOn(int step, int other) const;
    int lessOf(const LogSoftmax &some, ElementType type);
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
