// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/editor_lexers.h"

namespace warpwright {
namespace {

constexpr int kStyles = 128; // those from 64 on are C++'s code that the preprocessor leaves out

const char *const kCppWords =
    "alignas alignof and and_eq asm auto bitand bitor break case catch class co_await co_return co_yield "
    "compl "
    "concept const const_cast consteval constexpr constinit continue decltype default delete do dynamic_cast "
    "else enum explicit export extern false final for friend goto if inline mutable namespace new noexcept "
    "not "
    "not_eq nullptr operator or or_eq override private protected public register reinterpret_cast requires "
    "return sizeof static static_assert static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename union using virtual volatile while xor xor_eq";

const char *const kCudaWords =
    "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __forceinline__ "
    "__noinline__ __launch_bounds__ __cluster_dims__ __grid_constant__ __align__ __maxnreg__ __inline__ "
    "__block_size__ __nv_pure__ "
    "threadIdx blockIdx blockDim gridDim warpSize clusterIdx clusterDim clusterRelativeBlockIdx "
    "__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp __threadfence "
    "__threadfence_block __threadfence_system __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync "
    "__all_sync __any_sync __ballot_sync __activemask __match_any_sync __match_all_sync __reduce_add_sync "
    "__reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync "
    "__ldg __ldcg __ldca __ldcs __ldlu __ldcv __stwb __stcg __stcs __stwt __nanosleep __trap __brkpt "
    "__assume __builtin_assume __builtin_assume_aligned __builtin_unreachable __prof_trigger "
    "__fdividef __expf __exp10f __logf __log2f __log10f __powf __sinf __cosf __sincosf __tanf __saturatef "
    "__frcp_rn __frsqrt_rn __fsqrt_rn __fadd_rn __fmul_rn __fmaf_rn __fdiv_rn __dadd_rn __dmul_rn __fma_rn "
    "__float2half __float2half_rn __half2float __float2half2_rn __half22float2 __floats2half2_rn "
    "__float2bfloat16 __float2bfloat16_rn __bfloat162float __float22bfloat162_rn __bfloat1622float2 "
    "__hadd __hadd2 __hsub __hsub2 __hmul __hmul2 __hfma __hfma2 __hmax __hmax2 __hmin __hmin2 __hneg __habs "
    "__float_as_int __int_as_float __float_as_uint __uint_as_float __double_as_longlong "
    "__longlong_as_double __float2int_rn __float2int_rd __int2float_rn __popc __popcll __clz __clzll __ffs "
    "__ffsll __brev __brevll __byte_perm __mul24 __umul24 __mulhi __umulhi __sad __usad __dp4a __dp2a "
    "__funnelshift_l __funnelshift_r __vadd2 __vadd4 __cvta_generic_to_shared __isShared __isGlobal "
    "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior "
    "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr "
    "atomicXor __CUDA_ARCH__ __CUDACC__ WARPWRIGHT_CPU";

const char *const kTypes =
    "bool char char8_t char16_t char32_t wchar_t short int long float double void signed unsigned size_t "
    "ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
    "uint uchar ushort ulong clock_t "
    "char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 ushort2 ushort3 "
    "ushort4 int1 int2 int3 int4 uint1 uint2 uint3 uint4 long1 long2 long3 long4 ulong1 ulong2 ulong3 ulong4 "
    "longlong1 longlong2 longlong3 longlong4 ulonglong1 ulonglong2 ulonglong3 ulonglong4 float1 float2 "
    "float3 "
    "float4 double1 double2 double3 double4 dim3 "
    "half half2 __half __half2 __half_raw nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 "
    "__nv_fp8_e4m3 __nv_fp8_e5m2 __nv_fp8x2_e4m3 __nv_fp8x4_e4m3 "
    "cudaStream_t cudaError_t cudaEvent_t cudaDeviceProp cudaFuncAttributes cudaGraph_t cudaGraphExec_t "
    "cudaMemPool_t cudaTextureObject_t cudaSurfaceObject_t cublasHandle_t cudnnHandle_t CUtensorMap CUstream";

const char *const kPythonWords =
    "False None True and as assert async await break case class continue def del elif else except finally "
    "for "
    "from global if import in is lambda match nonlocal not or pass raise return self try while with yield";

const char *const kPythonTypes =
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex delattr dict dir divmod "
    "enumerate eval exec filter float format frozenset getattr globals hasattr hash hex id input int "
    "isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print "
    "property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars "
    "zip BaseException Exception ImportError IndexError KeyError NotImplementedError RuntimeError "
    "StopIteration TypeError ValueError "
    "torch nn F Tensor Module Parameter Sequential ModuleList ModuleDict Linear Conv1d Conv2d Conv3d "
    "ConvTranspose2d BatchNorm1d BatchNorm2d LayerNorm GroupNorm RMSNorm Embedding Dropout ReLU GELU SiLU "
    "Sigmoid Tanh Softmax Identity MaxPool2d AvgPool2d AdaptiveAvgPool2d LSTM GRU MultiheadAttention "
    "float16 float32 float64 bfloat16 int8 int32 int64";

} // namespace

CudaLexer::CudaLexer(QObject *parent) : QsciLexerCPP(parent) {
    setFoldComments(true);
    setFoldCompact(false);
    setFoldPreprocessor(true);
    setStylePreprocessor(false);
}

const char *CudaLexer::keywords(int set) const {
    switch (set) {
    case 1:
        return kCppWords;
    case 2:
        return kCudaWords;
    case 4:
        return kTypes;
    default:
        return nullptr;
    }
}

PythonLexer::PythonLexer(QObject *parent) : QsciLexerPython(parent) {
    setFoldCompact(false);
    setFoldQuotes(true);
}

const char *PythonLexer::keywords(int set) const {
    switch (set) {
    case 1:
        return kPythonWords;
    case 2:
        return kPythonTypes;
    default:
        return nullptr;
    }
}

const char *cudaStyleToken(int style) {
    switch (style % 64) {
    case QsciLexerCPP::Comment:
    case QsciLexerCPP::CommentLine:
    case QsciLexerCPP::CommentDoc:
    case QsciLexerCPP::CommentLineDoc:
    case QsciLexerCPP::CommentDocKeyword:
    case QsciLexerCPP::CommentDocKeywordError:
    case QsciLexerCPP::PreProcessorComment:
    case QsciLexerCPP::PreProcessorCommentLineDoc:
    case QsciLexerCPP::TaskMarker:
        return "syntax.comment";
    case QsciLexerCPP::Keyword:
        return "syntax.keyword";
    case QsciLexerCPP::GlobalClass:
        return "syntax.type";
    case QsciLexerCPP::KeywordSet2:
        return "syntax.cuda";
    case QsciLexerCPP::DoubleQuotedString:
    case QsciLexerCPP::SingleQuotedString:
    case QsciLexerCPP::UnclosedString:
    case QsciLexerCPP::VerbatimString:
    case QsciLexerCPP::RawString:
    case QsciLexerCPP::TripleQuotedVerbatimString:
    case QsciLexerCPP::HashQuotedString:
    case QsciLexerCPP::EscapeSequence:
        return "syntax.string";
    case QsciLexerCPP::Number:
    case QsciLexerCPP::UserLiteral:
        return "syntax.number";
    case QsciLexerCPP::PreProcessor:
        return "syntax.preproc";
    case QsciLexerCPP::Operator:
        return "syntax.operator";
    default:
        return "syntax.text";
    }
}

const char *pythonStyleToken(int style) {
    switch (style) {
    case QsciLexerPython::Comment:
    case QsciLexerPython::CommentBlock:
        return "syntax.comment";
    case QsciLexerPython::Keyword:
        return "syntax.keyword";
    case QsciLexerPython::ClassName:
        return "syntax.type";
    case QsciLexerPython::HighlightedIdentifier:
        return "syntax.builtin";
    case QsciLexerPython::FunctionMethodName:
        return "syntax.function";
    case QsciLexerPython::Decorator:
        return "syntax.decorator";
    case QsciLexerPython::Number:
        return "syntax.number";
    case QsciLexerPython::Operator:
        return "syntax.operator";
    case QsciLexerPython::DoubleQuotedString:
    case QsciLexerPython::SingleQuotedString:
    case QsciLexerPython::TripleSingleQuotedString:
    case QsciLexerPython::TripleDoubleQuotedString:
    case QsciLexerPython::UnclosedString:
    case QsciLexerPython::DoubleQuotedFString:
    case QsciLexerPython::SingleQuotedFString:
    case QsciLexerPython::TripleSingleQuotedFString:
    case QsciLexerPython::TripleDoubleQuotedFString:
        return "syntax.string";
    default:
        return "syntax.text";
    }
}

void dressLexer(QsciLexer &lexer, const Look &look) {
    const bool isPython = qobject_cast<PythonLexer *>(&lexer) != nullptr;
    const QColor paper = look.color("bg.pane");
    const QFont font = look.font(TextRole::Code);
    lexer.setDefaultPaper(paper);
    lexer.setDefaultColor(look.color("syntax.text"));
    lexer.setDefaultFont(font);
    for (int style = 0; style < kStyles; ++style) {
        if (lexer.description(style).isEmpty())
            continue;
        lexer.setColor(look.color(isPython ? pythonStyleToken(style) : cudaStyleToken(style)), style);
        lexer.setPaper(paper, style);
        lexer.setFont(font, style);
        lexer.setEolFill(false, style);
    }
}

} // namespace warpwright
