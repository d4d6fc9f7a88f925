// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/libraries/library_rules.h"

#include <cstdlib>
#include <cxxabi.h>
#include <regex>
#include <vector>

namespace warpwright {

namespace {

struct Rule {
    std::regex names; ///< whole names
    LibraryUse use;
};

// Operators of BLAS. Banded ones are left out: with one diagonal they multiply element by element.
const std::string products =
    "(gemm|gemm3m|gemmt|gemv|symm|symv|hemm|hemv|syrk|syr2k|syrkx|herk|her2k|herkx|trmm|trmv|spmv|hpmv|tpmv|"
    "ger|geru|gerc|syr|syr2|her|her2|spr|spr2|hpr|hpr2|dot|dotu|dotc)";
const std::string others =
    "(scal|axpy|axpby|nrm2|asum|sum|amax|amin|max|min|rot|rotg|rotm|rotmg|trsm|trsv|tbsv|tpsv|geadd)";
const std::string factors = "(gesv|getr[fis]|potr[fis]|posv|geqrf|gesvd|gesdd|geev|gels|trtrs|trtri|syev|"
                            "syevd|heev|heevd|orgqr|ormqr)";

// The first row that fits decides.
std::vector<Rule> makeTable() {
    using Use = LibraryUse;
    const std::vector<std::pair<std::string, Use>> rows = {
        // cuBLAS. S, D, C, Z, H or two of them, or a mixture (HSS), then the operator.
        {"cublasLtMatmul", Use::Product},
        {"cublasLtMatrixTransform", Use::Layout},
        {"cublasLt.*", Use::Helper},
        {"cublas(Xt)?(Create|Destroy|Get|Set|Logger|Xerbla|Migrate|Init|Shutdown|Alloc|Free|Device).*",
         Use::Helper},
        {"cublas(Xt)?[SDCZHTU]{0,3}(int8)?" + products +
             "(3m)?(Bias|Ex|Batched|Strided|Grouped)*(_v2)?(_64)?(_ptsz)?",
         Use::Product},
        {"cublas(Xt)?[SDCZ]?(copy|swap)(Ex)?(_v2)?(_64)?(_ptsz)?", Use::Helper},
        {"cublas(Xt)?[SDCZ]?[gsht]bmv(_v2)?(_64)?(_ptsz)?", Use::Unknown},
        {"cublas.*", Use::Computes},

        // cuDNN: functions of their own, and graphs that are put together of nodes.
        {"cudnnConvolution(Forward|BiasActivationForward|BackwardData|BackwardFilter)", Use::Convolution},
        {"cudnnBackendCreateDescriptor:(10|11|12)", Use::PlansConvolution},
        {"cudnnBackendCreateDescriptor:(13|27|31)", Use::PlansLayout}, // pointwise, concatenate, reshape
        {"cudnnBackendCreateDescriptor:([0-9]|1[5-8]|21|24|32|34|38)", Use::Helper},
        {"cudnnBackendCreateDescriptor:.*", Use::PlansOther},
        {"cudnnBackend(Execute|PopulateCudaGraph|UpdateCudaGraph)", Use::Executes},
        {"cudnn(AddTensor|Transform.*|ReorderFilterAndBias|Im2Col)", Use::Layout},
        {"cudnn(Create|Destroy|Set|Get|Query|Find|Derive|Restore|Init|Make|Build|Backend|DropoutGet).*",
         Use::Helper},
        {"cudnn.*VersionCheck", Use::Helper},
        {"cudnn.*", Use::Computes},

        // NVIDIA's other libraries: none of them is allowed to work.
        {"(cusparse|cufft(Xt)?|cusolver(Dn|Sp|Mg|Rf)?|cutensor(Mg)?|npp)"
         "(Create|Destroy|Set|Get|Make|Plan|Estimate|Init|Logger).*",
         Use::Helper},
        {"(cusparse|cufft|cusolver|cutensor|npp).*", Use::Computes},

        // Code that is made, or comes, while the candidate runs.
        {"nvrtcCompileProgram|nvJitLinkComplete|nvPTXCompilerCompile", Use::RuntimeCode},
        {"cu(Module|Library)Load.*|cudaLibraryLoad.*|cuLink(AddData|AddFile|Complete).*", Use::RuntimeCode},
        {"(nvrtc|nvJitLink|nvPTXCompiler|cuLink).*", Use::Helper},

        // BLAS and LAPACK, from C and from Fortran; MKL.
        {"cblas_(s|d|c|z|h|sb|sds|ds)?" + products + "(_sub|_batch|_batch_strided|_pack|_compute)*(_?64_?)?",
         Use::Product},
        {"cblas_[sdcz](copy|swap)(_?64_?)?", Use::Helper},
        {"cblas_[sdcz][oi]matcopy(_?64_?)?", Use::Layout},
        {"cblas_[sdcz][gsht]bmv(_?64_?)?", Use::Unknown},
        {"cblas_.*", Use::Computes},
        {"[sdcz]{1,3}" + products + "(_64)?_", Use::Product},
        {"(i?[sdcz]{1,2}" + others + "|[sdcz]" + factors + ")(_64)?_", Use::Computes},
        {"[sdcz][oi]matcopy(_64)?_", Use::Layout},
        {"[sdcz][gsht]bmv(_64)?_", Use::Unknown},
        {"[a-z0-9]+_|[a-z0-9]+_64_", Use::Helper}, // of no BLAS: it was watched for its looks
        {"(LAPACKE_|Dfti|mkl_(sparse|vml|vm|df|dft|lapack|trans)_|vm?[sdcz]).*", Use::Computes},
        {"mkl_.*gemm.*", Use::Product},
        {"mkl_(set|get|free|malloc|calloc|realloc|domain|verbose|disable|enable|thread|mem|peak|serv|cbwr|"
         "finalize).*",
         Use::Helper},

        // oneDNN: primitives are made by kind, and all are executed by one function.
        {"dnnl_memory.*|dnnl_post_ops.*", Use::Helper},
        {"dnnl_(dilated_)?(de)?convolution.*_(primitive_desc_create|desc_init)(_v2)?", Use::PlansConvolution},
        {"dnnl_(matmul|inner_product).*(primitive_desc_create|desc_init)(_v2)?", Use::PlansProduct},
        {"dnnl_(reorder|concat)_primitive_desc_create(_v2)?", Use::PlansLayout},
        {"dnnl_primitive_desc_create(_v2)?", Use::Helper},
        {"dnnl_.*_(primitive_desc_create|desc_init)(_v2)?", Use::PlansOther},
        {"dnnl_primitive_execute|dnnl_sycl_interop_primitive_execute", Use::Executes},
        {"dnnl_([sdu]|[su]8)?(_?gemm).*|dnnl_gemm_.*|dnnl_brgemm_execute.*", Use::Product},
        {"dnnl_graph_compiled_partition_execute", Use::Unknown},
        {"dnnl_.*", Use::Helper},

        // torch's own kernels. Memory, views and copies are what its dispatcher allows as well.
        {"_ZN2at(6native|3cpu|4cuda)[0-9]+(empty|zeros?|ones|full|fill|copy|clone|resize|view|reshape|expand|"
         "slice|select|narrow|as_strided|transpose|permute|t|squeeze|unsqueeze|detach|alias|set|to|arange|is|"
         "item|_local_scalar_dense|contiguous)_?(E.*|_(like|strided|as|out|cpu|cuda|tensor|dense).*)?",
         Use::Helper},
        {"_ZN2at(6native|3cpu|4cuda).*", Use::TorchInside},
    };
    std::vector<Rule> table;
    for (const auto &[names, use] : rows)
        table.push_back({std::regex(names, std::regex::ECMAScript | std::regex::icase), use});
    return table;
}

} // namespace

LibraryUse useOf(const std::string &function) {
    static const std::vector<Rule> table = makeTable();
    if (function.size() > 1000) // std::regex recurses
        return LibraryUse::Unknown;
    for (const Rule &rule : table)
        if (std::regex_match(function, rule.names))
            return rule.use;
    return LibraryUse::Unknown;
}

std::string readableFunction(const std::string &function) {
    int status = 0;
    char *text = abi::__cxa_demangle(function.c_str(), nullptr, nullptr, &status);
    if (text == nullptr)
        return function;
    std::string readable(text);
    std::free(text);
    return readable.substr(0, readable.find('('));
}

} // namespace warpwright
