// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if WARPWRIGHT_CUDA

#include <cuda.h>
#include <string>

namespace warpwright {

/// The CUDA driver's functions that the judge and the shim call, found with dlopen.
///
/// Nothing links libcuda: the same binary must start on a machine without a driver and say so.
/// `load()` fills the table once per process; a missing library or symbol leaves `problem` filled.
struct CudaDriver {
    CUresult (*init)(unsigned) = nullptr;
    CUresult (*deviceCount)(int *) = nullptr;
    CUresult (*deviceByOrdinal)(CUdevice *, int) = nullptr;
    CUresult (*deviceName)(char *, int, CUdevice) = nullptr;
    CUresult (*deviceUuid)(CUuuid *, CUdevice) = nullptr; ///< of a slice (MIG) the slice's
    CUresult (*cardUuid)(CUuuid *, CUdevice) = nullptr;   ///< of a slice its card's; may be missing
    CUresult (*deviceAttribute)(int *, CUdevice_attribute, CUdevice) = nullptr;
    CUresult (*deviceTotalMemory)(size_t *, CUdevice) = nullptr;
    CUresult (*driverVersion)(int *) = nullptr;
    CUresult (*primaryContextRetain)(CUcontext *, CUdevice) = nullptr;
    CUresult (*contextCurrent)(CUcontext *) = nullptr;
    CUresult (*contextSetCurrent)(CUcontext) = nullptr;
    CUresult (*contextSynchronize)() = nullptr;
    CUresult (*memoryInfo)(size_t *, size_t *) = nullptr;
    CUresult (*reserveAddress)(CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long) = nullptr;
    CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
                       unsigned long long) = nullptr;
    CUresult (*exportHandle)(void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                             unsigned long long) = nullptr;
    CUresult (*importHandle)(CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType) = nullptr;
    CUresult (*map)(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) = nullptr;
    CUresult (*unmap)(CUdeviceptr, size_t) = nullptr;
    CUresult (*release)(CUmemGenericAllocationHandle) = nullptr;
    CUresult (*freeAddress)(CUdeviceptr, size_t) = nullptr;
    CUresult (*setAccess)(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t) = nullptr;
    CUresult (*fillBytes)(CUdeviceptr, unsigned char, size_t, CUstream) = nullptr;
    CUresult (*streamSynchronize)(CUstream) = nullptr;
    CUresult (*streamIsCapturing)(CUstream, CUstreamCaptureStatus *) = nullptr;
    CUresult (*moduleLoad)(CUmodule *, const void *) = nullptr; ///< of a text in PTX: compiled by the driver
    CUresult (*moduleFunction)(CUfunction *, CUmodule, const char *) = nullptr;
    CUresult (*moduleUnload)(CUmodule) = nullptr;
    CUresult (*launchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             CUstream, void **, void **) = nullptr;
    CUresult (*errorName)(CUresult, const char **) = nullptr;

    std::string problem; ///< empty when every function was found

    static const CudaDriver &load();

    /// "CUDA_ERROR_OUT_OF_MEMORY", or the number where the driver knows no name.
    std::string nameOf(CUresult result) const;

    /// Maps an imported or created handle at `address` with read and write access for `device`. Returns "" or
    /// what failed.
    std::string mapHandle(CUdeviceptr address, size_t bytes, CUmemGenericAllocationHandle handle,
                          int device) const;
};

} // namespace warpwright

#endif
