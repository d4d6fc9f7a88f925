// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The texts that sorted rows are put together of, as CUDA: each with «@names@» to be filled.
namespace warpwright {

extern const char *const sortCudaBody;

// What is compared: keys alone, of 32 or 64 bits; a key of 32 bits and below it the place; a key of 64 bits
// and a place.
extern const char *const plainSortEntry;
extern const char *const packedSortEntry;
extern const char *const wideSortEntry;

// Floating-point numbers as keys, and back.
extern const char *const floatSortKeys;
extern const char *const floatSortValues;

} // namespace warpwright
