// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/graph_repetition.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/ir/graph_part.h"

#include <QHash>

#include <algorithm>
#include <map>
#include <numeric>

namespace warpwright {
namespace {

// Fewer are planned as they are: the operators of neighbouring turns may go into one kernel.
constexpr int leastTurns = 8;
constexpr int leastNodes = 256;
constexpr int mostPeriod = 800;

const GraphNode &at(const ReferenceGraph &graph, int node) {
    return graph.nodes[static_cast<std::size_t>(node)];
}

bool isGetItem(const GraphNode &node) {
    return node.op == QLatin1String("getitem");
}

bool isLooking(const ReferenceGraph &graph, const GraphNode &node) {
    if (node.kind != GraphNode::Kind::Operator)
        return false;
    if (!isGetItem(node))
        return isView(node);
    const QString op = at(graph, node.arguments[0].node).op.section(QLatin1Char('.'), 0, 0);
    return op == QLatin1String("split_with_sizes") || op == QLatin1String("unbind") ||
           op == QLatin1String("split");
}

void writeWords(const GraphArgument &argument, bool areNumbersLeftOut, QString &words) {
    words += QLatin1Char(static_cast<char>('a' + static_cast<int>(argument.kind)));
    if (!areNumbersLeftOut && argument.kind == GraphArgument::Kind::Number)
        words += QString::number(argument.number, 'g', 17);
    words += QString::number(argument.kind == GraphArgument::Kind::Truth  ? static_cast<int>(argument.truth)
                             : argument.kind == GraphArgument::Kind::Type ? static_cast<int>(argument.type)
                                                                          : 0);
    words += argument.word;
    for (const GraphArgument &item : argument.items)
        writeWords(item, areNumbersLeftOut, words);
    words += QLatin1Char(';');
}

// Equal for nodes that may be the same of two turns: which part a view shows may change from turn to turn.
// All but that, or all but which tensors it takes.
QString wordsOf(const ReferenceGraph &graph, const GraphNode &node, bool arePartsAlike) {
    QString words = node.op;
    words += QLatin1Char(' ') + QString::number(static_cast<int>(node.type));
    for (const std::int64_t size : node.shape)
        words += QLatin1Char(',') + QString::number(size);
    const bool isPart = arePartsAlike && isLooking(graph, node);
    for (const GraphArgument &argument : node.arguments)
        writeWords(argument, isPart, words);
    for (const auto &[name, argument] : node.keywords) {
        words += name;
        writeWords(argument, isPart, words);
    }
    return words;
}

std::vector<int> operandsOf(const GraphNode &node) {
    std::vector<int> operands;
    forEachTensor(node, [&](const GraphArgument &argument) { operands.push_back(argument.node); });
    return operands;
}

/// What is asked of nodes again and again, by node.
struct NodeWords {
    explicit NodeWords(const ReferenceGraph &graph) {
        QHash<QString, int> numbers;
        const auto numberOf = [&numbers](const QString &words) {
            return *numbers.insert(words, numbers.value(words, static_cast<int>(numbers.size())));
        };
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphNode &node = graph.nodes[i];
            const bool isOperator = node.kind == GraphNode::Kind::Operator;
            const QString leaf = QStringLiteral("leaf %1").arg(i); // like no other
            rough.push_back(numberOf(isOperator ? wordsOf(graph, node, true) : leaf));
            exact.push_back(numberOf(isOperator ? QLatin1Char('=') + wordsOf(graph, node, false) : leaf));
            operands.push_back(operandsOf(node));
        }
    }

    std::vector<int> rough; ///< equal where two may be the same of two turns
    std::vector<int> exact; ///< equal where they differ in nothing but which tensors they take
    std::vector<std::vector<int>> operands;
};

/// A stretch of nodes of which each is like the one `period` before it.
struct Stretch {
    int first = 0;
    int period = 0;
    int length = 0;
};

Stretch longestStretch(const ReferenceGraph &graph, const std::vector<int> &words) {
    std::vector<bool> isWork;
    for (const GraphNode &node : graph.nodes)
        isWork.push_back(node.kind == GraphNode::Kind::Operator && node.isTensor && !isLooking(graph, node));
    Stretch longest;
    const auto count = static_cast<int>(words.size());
    for (int period = 2; period <= std::min(mostPeriod, count / leastTurns); ++period) {
        int run = 0;
        for (int i = period; i <= count; ++i) {
            if (i < count &&
                words[static_cast<std::size_t>(i)] == words[static_cast<std::size_t>(i - period)]) {
                ++run;
                continue;
            }
            // A multiple of the period repeats as well; a turn that only looks at something is none.
            const int length = (run / period + 1) * period;
            const auto end = isWork.begin() + (i - run);
            if (run >= period && length > longest.length + longest.period &&
                std::find(end - period, end, true) != end)
                longest = {i - run - period, period, run + period};
            run = 0;
        }
    }
    return longest;
}

class TurnReader {
public:
    TurnReader(const ReferenceGraph &graph, const NodeWords &words, int first, int period, int turns)
        : m_graph(graph), m_words(words) {
        m_found.first = first;
        m_found.period = period;
        m_found.turns = turns;
    }

    std::optional<Repetition> run() {
        m_found.turn.argumentNames = m_graph.argumentNames;
        m_found.turn.inputCount = m_graph.inputCount;
        m_found.places.assign(static_cast<std::size_t>(m_found.period), -1);
        m_areParts.assign(m_found.places.size(), false);
        for (int position = 0; position < m_found.period; ++position)
            if (!readPosition(position))
                return std::nullopt;
        // What is carried round is known only when the whole turn is.
        for (TurnLeaf &leaf : m_found.leaves)
            if (leaf.kind == TurnLeaf::Kind::Carried) {
                leaf.result = addResult(leaf.result);
                m_found.areCarried[static_cast<std::size_t>(leaf.result)] = true;
            }
        for (const int position : readLater())
            addResult(position);
        for (const int position : m_found.positions)
            if (m_found.places[static_cast<std::size_t>(position)] < 0 ||
                m_areParts[static_cast<std::size_t>(position)] || !nodeOf(0, position).isTensor)
                return std::nullopt; // only looked at: what it shows is read where it lies
        return m_found.positions.empty() ? std::nullopt : std::optional(std::move(m_found));
    }

    /// After a run that found nothing: the first turn that is not like the second one, or 0.
    int oddTurn() const { return m_oddTurn; }

private:
    int isOddIn(int turn) {
        m_oddTurn = std::max(m_oddTurn, turn);
        return -1;
    }

    int nodeAt(int turn, int position) const { return m_found.first + turn * m_found.period + position; }
    const GraphNode &nodeOf(int turn, int position) const { return at(m_graph, nodeAt(turn, position)); }

    bool readPosition(int position) {
        m_oddTurn = 0;
        const GraphNode &node = nodeOf(1, position);
        if (isLooking(m_graph, node) && isPart(position))
            return true;
        const auto wordAt = [&](int turn) {
            return m_words.exact[static_cast<std::size_t>(nodeAt(turn, position))];
        };
        for (int turn = 0; turn < m_found.turns; ++turn)
            if (wordAt(turn) != wordAt(1)) {
                isOddIn(turn);
                return false;
            }
        GraphNode copy = node;
        std::size_t slot = 0;
        bool isKnown = true;
        forEachTensor(copy, [&](GraphArgument &argument) {
            std::vector<int> byTurn;
            for (int turn = 0; turn < m_found.turns; ++turn)
                byTurn.push_back(m_words.operands[static_cast<std::size_t>(nodeAt(turn, position))][slot]);
            ++slot;
            argument.node = isKnown ? operand(byTurn) : -1;
            isKnown = isKnown && argument.node >= 0;
        });
        if (!isKnown)
            return false;
        m_found.places[static_cast<std::size_t>(position)] = append(std::move(copy));
        return true;
    }

    int append(GraphNode node) {
        m_found.turn.nodes.push_back(std::move(node));
        return static_cast<int>(m_found.turn.nodes.size()) - 1;
    }

    // A view in each turn of another part of what is made outside of them.
    bool isPart(int position) {
        std::vector<int> byTurn;
        for (int turn = 0; turn < m_found.turns; ++turn)
            byTurn.push_back(nodeAt(turn, position));
        const auto first = lookedAt(m_graph, byTurn.front());
        if (!first || m_found.holds(first->base) || lookedAt(m_graph, byTurn[1]) == first)
            return false;
        const int part = partLeaf(byTurn);
        if (part < 0)
            return false; // in some turns it looks at what a turn makes
        m_found.places[static_cast<std::size_t>(position)] = part;
        m_areParts[static_cast<std::size_t>(position)] = true;
        return true;
    }

    /// The turn's node for an operand that is, by turn, one of these nodes; -1: there is none.
    int operand(const std::vector<int> &byTurn) {
        const int second = byTurn[1];
        const bool isInside = m_found.holds(second);
        const int position = isInside ? m_found.positionOf(second) : -1;
        const int lag = isInside ? 1 - m_found.turnOf(second) : 0;
        for (int turn = 0; turn < m_found.turns; ++turn) {
            const int node = byTurn[static_cast<std::size_t>(turn)];
            const bool isInitial = lag == 1 && turn == 0;
            if (isInside && !isInitial ? node != nodeAt(turn - lag, position) : m_found.holds(node))
                return isOddIn(turn);
        }
        if (isInside && lag == 0)
            return m_found.places[static_cast<std::size_t>(position)];
        if (isInside)
            return lag == 1 ? carriedLeaf(position, byTurn[0]) : -1;
        const bool isSame =
            std::all_of(byTurn.begin(), byTurn.end(), [&](int node) { return node == second; });
        return isSame ? copied(second) : partLeaf(byTurn);
    }

    int carriedLeaf(int position, int initial) {
        for (const TurnLeaf &leaf : m_found.leaves)
            if (leaf.kind == TurnLeaf::Kind::Carried && leaf.result == position)
                return leaf.source == initial ? leaf.node : -1;
        const GraphNode &node = nodeOf(0, position);
        if (!node.isTensor || at(m_graph, initial).shape != node.shape ||
            at(m_graph, initial).type != node.type)
            return -1;
        TurnLeaf leaf;
        leaf.kind = TurnLeaf::Kind::Carried;
        leaf.source = initial;
        leaf.result = position; // until the whole turn is known
        leaf.node = append(leafLike(node, QStringLiteral("state")));
        m_found.leaves.push_back(leaf);
        return leaf.node;
    }

    int partLeaf(const std::vector<int> &byTurn) {
        const auto first = lookedAt(m_graph, byTurn[0]);
        const auto second = lookedAt(m_graph, byTurn[1]);
        if (!first || !second || m_found.holds(first->base) || !dependsOnlyOnBefore(first->base))
            return -1;
        if (second->base != first->base)
            return isOddIn(1);
        TurnLeaf leaf;
        leaf.kind = TurnLeaf::Kind::Part;
        leaf.source = first->base;
        leaf.place = first->place;
        for (std::size_t d = 0; d < first->place.size(); ++d)
            leaf.step.push_back(second->place[d].offset - first->place[d].offset);
        for (int turn = 1; turn < m_found.turns; ++turn) {
            const GraphNode &node = at(m_graph, byTurn[static_cast<std::size_t>(turn)]);
            auto there = lookedAt(m_graph, byTurn[static_cast<std::size_t>(turn)]);
            if (!there || there->base != first->base || node.shape != at(m_graph, byTurn[0]).shape)
                return isOddIn(turn);
            for (std::size_t d = 0; d < leaf.step.size(); ++d)
                there->place[d].offset -= turn * leaf.step[d];
            if (there->place != first->place)
                return isOddIn(turn);
        }
        for (const TurnLeaf &other : m_found.leaves)
            if (other.kind == leaf.kind && other.source == leaf.source && other.place == leaf.place &&
                other.step == leaf.step && at(m_found.turn, other.node).shape == at(m_graph, byTurn[0]).shape)
                return m_views.at(other.node);
        leaf.node = append(leafLike(at(m_graph, byTurn[0]), QStringLiteral("given")));
        m_found.leaves.push_back(leaf);
        // A library may want it in another order: a copy is made of what looks at it, not of a leaf.
        return m_views[leaf.node] =
                   appendView(m_found.turn, "clone", leaf.node, {}, Shape(at(m_graph, byTurn[0]).shape));
    }

    static GraphNode leafLike(const GraphNode &node, const QString &name) {
        GraphNode leaf;
        leaf.kind = GraphNode::Kind::Input;
        leaf.name = name;
        leaf.shape = node.shape;
        leaf.strides = contiguousStrides(node.shape);
        leaf.type = node.type;
        return leaf;
    }

    // What is the same for all turns: views are the turn's own, and what they look at is a leaf.
    int copied(int node) {
        if (const auto known = m_copies.find(node); known != m_copies.end())
            return known->second;
        if (!dependsOnlyOnBefore(node))
            return -1;
        const GraphNode &what = at(m_graph, node);
        int place = -1;
        if (isLooking(m_graph, what) && !isGetItem(what)) {
            GraphNode view = what;
            const int source = copied(view.arguments[0].node);
            if (source < 0)
                return -1;
            view.arguments[0].node = source;
            place = append(std::move(view));
        } else {
            if (!what.isTensor)
                return -1;
            TurnLeaf leaf;
            leaf.source = node;
            leaf.node = append(what.kind == GraphNode::Kind::Operator ? leafLike(what, QStringLiteral("made"))
                                                                      : what);
            m_found.leaves.push_back(leaf);
            place = leaf.node;
        }
        m_copies[node] = place;
        return place;
    }

    bool dependsOnlyOnBefore(int node) {
        if (m_needsTurn.empty()) {
            m_needsTurn.assign(m_graph.nodes.size(), false);
            for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
                bool needs = m_found.holds(static_cast<int>(i));
                for (const int operand : m_words.operands[i])
                    needs = needs || m_needsTurn[static_cast<std::size_t>(operand)];
                m_needsTurn[i] = needs;
            }
        }
        return !m_needsTurn[static_cast<std::size_t>(node)];
    }

    // Of which of a turn's nodes something outside is made.
    std::vector<int> readLater() const {
        std::vector<int> positions;
        const auto note = [&](int node) {
            if (m_found.holds(node) && !m_areParts[static_cast<std::size_t>(m_found.positionOf(node))])
                positions.push_back(m_found.positionOf(node));
        };
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (!m_found.holds(static_cast<int>(i)))
                for (const int operand : operandsOf(m_graph.nodes[i]))
                    note(operand);
        for (const int output : m_graph.outputs)
            note(output);
        return positions;
    }

    int addResult(int position) {
        const auto known = std::find(m_found.positions.begin(), m_found.positions.end(), position);
        if (known != m_found.positions.end())
            return static_cast<int>(known - m_found.positions.begin());
        m_found.positions.push_back(position);
        m_found.areCarried.push_back(false);
        const int place = m_found.places[static_cast<std::size_t>(position)];
        m_found.turn.outputs.push_back(place);
        if (place >= 0) { // it lies by rows, whatever the reference's strides were
            GraphNode &node = m_found.turn.nodes[static_cast<std::size_t>(place)];
            node.strides = contiguousStrides(node.shape);
            node.offset = 0;
        }
        return static_cast<int>(m_found.positions.size()) - 1;
    }

    const ReferenceGraph &m_graph;
    const NodeWords &m_words;
    Repetition m_found;
    int m_oddTurn = 0;
    std::vector<bool> m_areParts;  ///< by position: it looks at what is outside
    std::map<int, int> m_views;    ///< by leaf of the turn that is a part
    std::map<int, int> m_copies;   ///< of what is outside
    std::vector<bool> m_needsTurn; ///< by node of the whole graph
};

} // namespace

std::optional<LookedAt> lookedAt(const ReferenceGraph &graph, int node,
                                 const std::function<bool(int)> &isEnd) {
    const Shape loops = at(graph, node).shape;
    LookedAt found{node, identityMap(loops.size(), loops.size())};
    while (isLooking(graph, at(graph, found.base)) && !(isEnd && isEnd(found.base))) {
        const GraphNode &view = at(graph, found.base);
        std::optional<LoopSplit> split;
        std::optional<IndexMap> through;
        if (isGetItem(view)) {
            const GraphNode &splitting = at(graph, view.arguments[0].node);
            through = throughSplit(graph, splitting, static_cast<int>(view.arguments[1].number), found.place,
                                   loops);
            found.base = splitting.arguments[0].node;
        } else {
            through = throughView(graph, view, found.place, loops, split);
            found.base = view.arguments[0].node;
        }
        if (!through)
            return std::nullopt;
        found.place = std::move(*through);
    }
    return found;
}

std::optional<Repetition> findRepetition(const ReferenceGraph &graph) {
    const NodeWords words(graph);
    const Stretch stretch = longestStretch(graph, words.rough);
    // Where a turn begins the stretch does not say; a first one that is not quite like the others is left
    // out.
    for (int shift = 0; shift <= stretch.period; ++shift) {
        int first = stretch.first + shift;
        int turns = (stretch.length - shift) / std::max(stretch.period, 1);
        while (turns >= leastTurns && turns * stretch.period >= leastNodes) {
            TurnReader reader(graph, words, first, stretch.period, turns);
            if (auto found = reader.run())
                return found;
            // Two loops may say the same and stand side by side: the turns before the odd one, or from it on.
            const int odd = reader.oddTurn();
            if (odd < 2)
                break;
            first += odd < leastTurns ? odd * stretch.period : 0;
            turns = odd < leastTurns ? turns - odd : odd;
        }
    }
    return std::nullopt;
}

} // namespace warpwright
