// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/drawn_inputs.h"

#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/task/fingerprint.h"

namespace warpwright {

at::Tensor DrawnInputs::bytes() const {
    const SharedRegion &inputs = m_session.inputs();
    return tensorAt(
        {{"dtype", "uint8"}, {"sizes", {m_session.inputBytes()}}, {"strides", {1}}, {"offset", 0u}},
        inputs.base(), inputs.bytes(), inputs.kind());
}

Json DrawnInputs::print() const {
    const SharedRegion &inputs = m_session.inputs();
    return fingerprint(inputs.base(), m_session.inputBytes(), inputs.kind());
}

void DrawnInputs::remember() {
    if (m_session.isRoomy()) {
        m_copy = bytes().clone();
    } else {
        m_copy.reset();
        m_print = print();
    }
}

bool DrawnInputs::areWhole() const {
    return m_copy.defined() ? sameBits(m_copy, bytes()) : print() == m_print;
}

bool DrawnInputs::putBack() {
    if (!m_copy.defined())
        return areWhole();
    bytes().copy_(m_copy);
    return true;
}

} // namespace warpwright
