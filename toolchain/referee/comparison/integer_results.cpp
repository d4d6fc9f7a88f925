// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/integer_results.h"

#include "referee/base/report_text.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace warpwright {

namespace {

// As for results that are no whole numbers: the candidate's error may be so many times the reference's.
constexpr double timesOwnError = 4.0;

at::Tensor flatLong(const at::Tensor &tensor) {
    return tensor.reshape({-1}).to(at::kLong);
}

at::Tensor flatDouble(const at::Tensor &tensor) {
    return tensor.reshape({-1}).to(at::kDouble);
}

int64_t countOf(const at::Tensor &mask) {
    return mask.sum().item<int64_t>();
}

std::string ofAll(int64_t some, const at::Tensor &all, const char *what) {
    return std::to_string(some) + " of " + std::to_string(all.numel()) + " " + what;
}

// How many indices come once more in their row.
int64_t repeated(const at::Tensor &indices, const at::Tensor &rows, int64_t length) {
    const at::Tensor places = std::get<0>((rows * length + indices).sort());
    return places.numel() < 2 ? 0 : countOf(places.slice(0, 1).eq(places.slice(0, 0, -1)));
}

IntegerVerdict judgeChoice(const at::Tensor &z, const at::Tensor &y, const at::Tensor &places,
                           const IntegerOrigin &exact, const IntegerOrigin &own) {
    const at::Tensor keys = exact.keys.to(at::kDouble);
    const int64_t length = keys.size(1);
    const at::Tensor rows = flatLong(exact.rows);
    const at::Tensor mine = z.index_select(0, places);
    if (const int64_t outside = countOf(at::logical_or(mine.lt(0), mine.ge(length))); outside > 0)
        return {false, ofAll(outside, z, "indices lie outside of the ") + std::to_string(length) +
                           " values that are chosen among"};
    if (exact.isOnce && repeated(z, rows, length) > repeated(y, rows, length))
        return {false,
                ofAll(repeated(z, rows, length), z, "indices name a value a second time in their row")};
    const at::Tensor itsRows = rows.index_select(0, places);
    const at::Tensor got = keys.index({itsRows, mine});
    const at::Tensor wanted = keys.index({itsRows, y.index_select(0, places)});
    const at::Tensor error = (own.keys.to(at::kDouble) - keys).abs().nan_to_num(0.0, 0.0, 0.0).amax({1});
    const at::Tensor allowed = error.index_select(0, itsRows) * timesOwnError;
    const at::Tensor isEqual =
        at::logical_or(at::logical_or(got.eq(wanted), (got - wanted).abs().le(allowed)),
                       at::logical_and(at::isnan(got), at::isnan(wanted)));
    const int64_t others = countOf(isEqual.logical_not());
    if (others == 0)
        return {true, ofAll(places.numel(), z, "indices name another one of several values that are equal") +
                          (allowed.max().item<double>() > 0.0 ? " within rounding" : "") +
                          ": which one, the reference does not say"};
    const int64_t first = isEqual.to(at::kByte).argmin().item<int64_t>();
    return {false, ofAll(others, z, "indices name another value: the first of them ") +
                       scientific(got[first].item<double>()) + " where it is " +
                       scientific(wanted[first].item<double>())};
}

IntegerVerdict judgeStep(const at::Tensor &z, const at::Tensor &y, const at::Tensor &places,
                         const IntegerOrigin &exact, const IntegerOrigin &own) {
    const at::Tensor values = flatDouble(exact.values);
    const double rms = std::sqrt((values * values).nan_to_num(0.0, 0.0, 0.0).mean().item<double>());
    const at::Tensor scale = values.abs() + rms;
    const double error =
        ((flatDouble(own.values) - values).abs() / scale).nan_to_num(0.0, 0.0, 0.0).max().item<double>();
    const at::Tensor mine = z.index_select(0, places).to(at::kDouble);
    const at::Tensor wanted = y.index_select(0, places).to(at::kDouble);
    const at::Tensor here = values.index_select(0, places);
    // Numbers that were shifted since have values that were, too; a limit may cut a step short.
    const at::Tensor border = exact.rounding == "nearest" ? (mine + wanted) * 0.5
                              : exact.rounding == "down"  ? at::maximum(mine, wanted)
                              : exact.rounding == "up"    ? at::minimum(mine, wanted)
                              : exact.rounding == "sign"
                                  ? at::zeros_like(mine)
                                  : at::where(mine.abs().gt(wanted.abs()), mine, wanted);
    const at::Tensor distance = (here - border).abs();
    const at::Tensor isNear = at::logical_and(
        (mine - wanted).abs().eq(1.0), distance.lt(scale.index_select(0, places) * (timesOwnError * error)));
    const int64_t others = countOf(isNear.logical_not());
    if (others == 0)
        return {true, ofAll(places.numel(), z,
                            "whole numbers are one step beside the reference's, where the value ") +
                          "before rounding lies on the border (" + scientific(distance.max().item<double>()) +
                          " from it, which is within the reference's own rounding error)"};
    const int64_t first = isNear.to(at::kByte).argmin().item<int64_t>();
    return {false, ofAll(others, z, "whole numbers differ where no rounding does it: the first of them is ") +
                       std::to_string(mine[first].item<int64_t>()) + ", from " +
                       scientific(here[first].item<double>()) + " before rounding"};
}

} // namespace

IntegerVerdict judgeIntegers(const at::Tensor &candidate, const at::Tensor &reference,
                             const at::Tensor &oracle, const IntegerOrigin &exact, const IntegerOrigin &own) {
    if (exact.kind == IntegerOrigin::Kind::Unknown || own.kind != exact.kind)
        return {};
    const at::Tensor z = flatLong(candidate);
    const at::Tensor y = flatLong(oracle);
    const at::Tensor places = at::logical_and(z.ne(y), z.ne(flatLong(reference))).nonzero().reshape({-1});
    if (places.numel() == 0)
        return {true, {}};
    const bool isChoice = exact.kind == IntegerOrigin::Kind::Choice;
    if (isChoice ? exact.keys.sizes() != own.keys.sizes() || exact.rows.numel() != z.numel()
                 : exact.values.sizes() != own.values.sizes() || exact.values.numel() != z.numel())
        return {};
    return isChoice ? judgeChoice(z, y, places, exact, own) : judgeStep(z, y, places, exact, own);
}

} // namespace warpwright
