// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/device/cuda_driver.h"

#if WARPWRIGHT_CUDA

#include <dlfcn.h>

namespace warpwright {

namespace {

template <typename Function>
void find(void *library, const char *name, Function &slot, std::string &problem) {
    slot = reinterpret_cast<Function>(dlsym(library, name));
    if (slot == nullptr && problem.empty())
        problem = std::string("the CUDA driver has no function ") + name;
}

CudaDriver loadDriver() {
    CudaDriver driver;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        driver.problem = std::string("no CUDA driver: ") + dlerror();
        return driver;
    }
    std::string &problem = driver.problem;
    find(library, "cuInit", driver.init, problem);
    find(library, "cuDeviceGetCount", driver.deviceCount, problem);
    find(library, "cuDeviceGet", driver.deviceByOrdinal, problem);
    find(library, "cuDeviceGetName", driver.deviceName, problem);
    find(library, "cuDeviceGetUuid_v2", driver.deviceUuid, problem);
    std::string mayBeMissing;
    find(library, "cuDeviceGetUuid", driver.cardUuid, mayBeMissing);
    find(library, "cuDeviceGetAttribute", driver.deviceAttribute, problem);
    find(library, "cuDeviceTotalMem_v2", driver.deviceTotalMemory, problem);
    find(library, "cuDriverGetVersion", driver.driverVersion, problem);
    find(library, "cuDevicePrimaryCtxRetain", driver.primaryContextRetain, problem);
    find(library, "cuCtxGetCurrent", driver.contextCurrent, problem);
    find(library, "cuCtxSetCurrent", driver.contextSetCurrent, problem);
    find(library, "cuCtxSynchronize", driver.contextSynchronize, problem);
    find(library, "cuMemGetInfo_v2", driver.memoryInfo, problem);
    find(library, "cuMemAddressReserve", driver.reserveAddress, problem);
    find(library, "cuMemCreate", driver.create, problem);
    find(library, "cuMemExportToShareableHandle", driver.exportHandle, problem);
    find(library, "cuMemImportFromShareableHandle", driver.importHandle, problem);
    find(library, "cuMemMap", driver.map, problem);
    find(library, "cuMemUnmap", driver.unmap, problem);
    find(library, "cuMemRelease", driver.release, problem);
    find(library, "cuMemAddressFree", driver.freeAddress, problem);
    find(library, "cuMemSetAccess", driver.setAccess, problem);
    find(library, "cuMemsetD8Async", driver.fillBytes, problem);
    find(library, "cuStreamSynchronize", driver.streamSynchronize, problem);
    find(library, "cuStreamIsCapturing", driver.streamIsCapturing, problem);
    find(library, "cuModuleLoadData", driver.moduleLoad, problem);
    find(library, "cuModuleGetFunction", driver.moduleFunction, problem);
    find(library, "cuModuleUnload", driver.moduleUnload, problem);
    find(library, "cuLaunchKernel", driver.launchKernel, problem);
    find(library, "cuGetErrorName", driver.errorName, problem);
    return driver;
}

} // namespace

const CudaDriver &CudaDriver::load() {
    static const CudaDriver driver = loadDriver();
    return driver;
}

std::string CudaDriver::nameOf(CUresult result) const {
    const char *name = nullptr;
    if (errorName != nullptr && errorName(result, &name) == CUDA_SUCCESS && name != nullptr)
        return name;
    return "CUDA error " + std::to_string(static_cast<int>(result));
}

std::string CudaDriver::mapHandle(CUdeviceptr address, size_t bytes, CUmemGenericAllocationHandle handle,
                                  int device) const {
    if (const CUresult result = map(address, bytes, 0, handle, 0); result != CUDA_SUCCESS)
        return "cuMemMap: " + nameOf(result);
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (const CUresult result = setAccess(address, bytes, &access, 1); result != CUDA_SUCCESS) {
        unmap(address, bytes);
        return "cuMemSetAccess: " + nameOf(result);
    }
    return {};
}

} // namespace warpwright

#endif
