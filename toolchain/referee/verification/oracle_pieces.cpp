// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/oracle_pieces.h"

#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/device/ceilings.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;

// Another number of rows may be added up in another order: some steps of rounding, and no more.
double toleranceFor(const std::string &type) {
    if (type == "float16")
        return 0x1p-6;
    if (type == "bfloat16")
        return 0x1p-3;
    return type == "float64" ? 0x1p-46 : 0x1p-19;
}

int64_t rowsIn(const Json &node) {
    const Json sizes = node.value("sizes", Json::array());
    return sizes.empty() ? 0 : sizes[0].get<int64_t>();
}

uint64_t bytesIn(const Json &node) {
    uint64_t bytes = elementBytes(node.value("dtype", ""));
    for (const Json &size : node.value("sizes", Json::array()))
        bytes *= size.get<uint64_t>();
    return bytes;
}

bool isTensor(const Json &node) {
    return node.is_object() && node.value("kind", "") == "tensor";
}

// The largest tensor with so many rows; 0 where there is none.
uint64_t largestOf(const Json &node, int64_t rows) {
    if (isTensor(node))
        return rowsIn(node) == rows ? bytesIn(node) : 0;
    uint64_t largest = 0;
    if (node.is_object() && node.contains("items")) {
        for (const Json &item : node["items"])
            largest = std::max(largest, largestOf(item, rows));
    }
    return largest;
}

// `left`: how many tensors may still be cut.
void cutInto(Json &node, int64_t rows, int64_t first, int64_t count, uint64_t least, int &left) {
    if (isTensor(node)) {
        if (rowsIn(node) != rows || bytesIn(node) < least || left-- <= 0)
            return;
        node["sizes"][0] = count;
        node["offset"] = node["offset"].get<uint64_t>() + static_cast<uint64_t>(first) *
                                                              node["strides"][0].get<uint64_t>() *
                                                              elementBytes(node.value("dtype", ""));
        return;
    }
    if (!node.is_object() || !node.contains("items"))
        return;
    for (Json &item : node["items"])
        cutInto(item, rows, first, count, least, left);
}

} // namespace

OraclePieces::OraclePieces(TaskSession &session, WorkerProcess &oracle)
    : m_session(session),
      m_oracle(oracle),
      m_rows(session.memoryNeeds().rows),
      m_rowsEach((m_rows + session.memoryPlan().pieces - 1) / session.memoryPlan().pieces) {}

OraclePieces::Rows OraclePieces::rowsOf(int64_t piece) const {
    const int64_t first = piece * m_rowsEach;
    return {first, std::min(m_rowsEach, m_rows - first)};
}

Json OraclePieces::cut(const Json &inputs, Rows rows, RowCut how) const {
    Json part = inputs;
    int left = how == RowCut::Largest ? 1 : 64;
    cutInto(part, m_rows, rows.first, rows.count, how == RowCut::Largest ? largestOf(inputs, m_rows) : 0,
            left);
    return part;
}

bool OraclePieces::areRowsTheirOwn(const VerificationRound &round) {
    if (m_session.rowCut() != RowCut::Unknown)
        return m_session.rowCut() != RowCut::None;
    const Rows last = rowsOf((m_rows - 1) / m_rowsEach);
    for (const RowCut how : {RowCut::All, RowCut::Largest}) {
        if (isSame(round, rowsOf(0), how) && isSame(round, last, how)) {
            m_session.setRowCut(how);
            return true;
        }
    }
    m_session.setRowCut(RowCut::None);
    return false;
}

bool OraclePieces::isSame(const VerificationRound &round, Rows rows, RowCut how) {
    WorkerProcess &reference = m_session.reference();
    const auto release = [&] {
        reference.call("release", {{"last", 1}}, limitSeconds);
    };
    try {
        const Json ran = reference.call("run",
                                        {{"inputs", cut(round.inputs, rows, how)},
                                         {"clone", m_session.clonesInputs()},
                                         {"mode", "strict"}},
                                        limitSeconds);
        const std::vector<ValueLeaf> part = leavesOf(ran.at("outputs"), "output");
        bool isSame = part.size() == round.reference.size();
        for (size_t i = 0; i < part.size() && isSame; ++i) {
            const at::Tensor whole = tensorAt(round.reference[i].node, reference.arena());
            const at::Tensor wanted = whole.narrow(0, rows.first, rows.count);
            const at::Tensor got = tensorAt(part[i].node, reference.arena());
            isSame = got.sizes() == wanted.sizes() &&
                     relativeDifference(wanted, got) <= toleranceFor(part[i].node.value("dtype", ""));
        }
        idle(m_session.device().memory);
        release();
        return isSame;
    } catch (const WorkerFault &fault) {
        if (fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
            throw;
        return false; // so many rows do not fit together
    }
}

void OraclePieces::begin(const VerificationRound &round) {
    m_inputs = round.inputs;
    m_wanted.clear();
    for (const ValueLeaf &leaf : round.reference) {
        const FlatValues flat =
            leaf.isTensor() ? tensorAt(leaf.node, m_session.reference().arena()) : at::empty({0});
        m_wanted.push_back({flat.numel(), flat.isFloatingPoint() ? at::kDouble : flat.type()});
    }
    m_piece = -1;
    compute(0);
}

void OraclePieces::forget() {
    idle(m_session.device().memory); // whoever still reads the rows before
    m_piece = -1;
    m_oracle.call("release", Json::object(), limitSeconds);
    m_session.trim(m_oracle);
}

void OraclePieces::compute(int64_t piece) {
    if (piece == m_piece)
        return;
    const Phases::Span span(m_session.phases(), "reference");
    idle(m_session.device().memory); // whoever still reads the rows before
    m_piece = -1;
    m_oracle.call("release", Json::object(), limitSeconds);
    const Json ran =
        m_oracle.call("run", {{"inputs", cut(m_inputs, rowsOf(piece), m_session.rowCut())}, {"clone", false}},
                      limitSeconds);
    m_results = leavesOf(ran.at("outputs"), "output");
    m_piece = piece;
}

at::Tensor OraclePieces::part(size_t output, int64_t begin, int64_t end) {
    const int64_t row = m_wanted.at(output).count / m_rows;
    std::vector<at::Tensor> parts;
    for (int64_t place = begin; place < end;) {
        const int64_t piece = place / (row * m_rowsEach);
        m_session.asTask([&] { compute(piece); });
        const FlatValues here = tensorAt(m_results.at(output).node, m_oracle.arena());
        const int64_t start = piece * row * m_rowsEach;
        const int64_t stop = std::min(end, start + here.numel());
        const at::Tensor some = here.slice(place - start, stop - start);
        parts.push_back(stop == end ? some : some.clone()); // the next rows come into its memory
        place = stop;
    }
    return parts.size() == 1 ? parts[0] : at::cat(parts);
}

FlatValues OraclePieces::values(size_t output) {
    const Wanted &wanted = m_wanted.at(output);
    return {wanted.count, wanted.type, [this, output](int64_t begin, int64_t end) {
                return part(output, begin, end);
            }};
}

} // namespace warpwright
