// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/libraries/library_calls.h"

#include "tests/referee/tests.h"

#include <QTest>

namespace warpwright {

namespace {

Json newAnswer() {
    return {{"status", "passed"},
            {"verdict", nullptr},
            {"integrity", {{"status", "passed"}, {"findings", Json::array()}}},
            {"doubts", Json::array()}};
}

// The verdict's rule, "doubt" where there is one, else nothing.
QString judged(const Json &calls, const Json &earlier, const Json &brought, bool hasProduct) {
    LibraryCalls record;
    record.add({{"watched", true}, {"calls", calls}, {"earlier", earlier}, {"brought", brought}});
    Json answer = newAnswer();
    StageAnswer stage(answer);
    record.judge(stage, {{"hasProduct", hasProduct}, {"hasConvolution", false}});
    if (!stage.isOpen())
        return QString::fromStdString(answer["integrity"]["findings"][0]["rule"].get<std::string>());
    return answer["doubts"].empty() ? QString() : QStringLiteral("doubt");
}

} // namespace

class LibraryCallsTest : public QObject {
    Q_OBJECT

private slots:
    void knowsFunctions_data() {
        QTest::addColumn<int>("use");
        const auto rows = [](LibraryUse use, std::initializer_list<const char *> names) {
            for (const char *name : names)
                QTest::newRow(name) << static_cast<int>(use);
        };
        rows(LibraryUse::Product, {"cublasSgemm_v2",
                                   "cublasSgemm_v2_64",
                                   "cublasGemmEx",
                                   "cublasGemmStridedBatchedEx",
                                   "cublasSgemmStridedBatched",
                                   "cublasSgemmGroupedBatched",
                                   "cublasHSSgemvBatched",
                                   "cublasHgemm",
                                   "cublasLtMatmul",
                                   "cublasSdot_v2",
                                   "cublasDotEx",
                                   "cublasSsyrk_v2",
                                   "cublasStrmm_v2",
                                   "cublasXtSgemm",
                                   "cblas_sgemm",
                                   "cblas_dgemm64_",
                                   "cblas_sgemm_batch",
                                   "cblas_sbgemm",
                                   "cblas_sgemv",
                                   "cblas_sdsdot",
                                   "sgemm_",
                                   "sgemm_64_",
                                   "dgemv_",
                                   "sdot_",
                                   "mkl_jit_create_sgemm",
                                   "dnnl_sgemm",
                                   "dnnl_gemm_u8s8s32"});
        rows(LibraryUse::Computes, {"cublasSscal_v2",
                                    "cublasSaxpy_v2",
                                    "cublasSnrm2_v2",
                                    "cublasSasum_v2",
                                    "cublasIsamax_v2",
                                    "cublasSgeam",
                                    "cublasSdgmm",
                                    "cublasStrsm_v2",
                                    "cublasSgetrfBatched",
                                    "cublasAxpyEx",
                                    "cudnnSoftmaxForward",
                                    "cudnnBatchNormalizationForwardInference",
                                    "cudnnPoolingForward",
                                    "cudnnActivationForward",
                                    "cudnnReduceTensor",
                                    "cudnnOpTensor",
                                    "cudnnScaleTensor",
                                    "cudnnConvolutionBackwardBias",
                                    "cudnnRNNForward",
                                    "cusparseSpMM",
                                    "cufftExecC2C",
                                    "cusolverDnSgetrf",
                                    "cutensorContract",
                                    "nppiAdd_32f_C1R",
                                    "cblas_sscal",
                                    "cblas_saxpy",
                                    "cblas_isamax",
                                    "cblas_ssum",
                                    "sscal_",
                                    "isamax_",
                                    "sgetrf_",
                                    "LAPACKE_sgesv",
                                    "vsExp",
                                    "vmsTanh"});
        rows(LibraryUse::Helper, {"cublasCreate_v2",
                                  "cublasSetStream_v2",
                                  "cublasSetPointerMode_v2",
                                  "cublasGetVector",
                                  "cublasScopy_v2",
                                  "cublasSswap_v2",
                                  "cublasLtMatmulAlgoGetHeuristic",
                                  "cublasLtMatmulDescCreate",
                                  "cublasLtMatrixTransformDescCreate",
                                  "cudnnCreate",
                                  "cudnnSetTensor4dDescriptor",
                                  "cudnnGetConvolutionForwardWorkspaceSize",
                                  "cudnnFindConvolutionForwardAlgorithm",
                                  "cudnnBackendFinalize",
                                  "cudnnBackendCreateDescriptor:17",
                                  "cusparseCreate",
                                  "cufftPlan1d",
                                  "nvrtcGetPTX",
                                  "dnnl_memory_desc_create_with_tag",
                                  "dnnl_primitive_create",
                                  "cblas_scopy",
                                  "scopy_",
                                  "strange_",
                                  "mkl_set_num_threads",
                                  "_ZN2at6native5emptyEN3c108ArrayRefIlEE",
                                  "_ZN2at6native10empty_likeERKNS_6TensorE"});
        rows(LibraryUse::Convolution, {"cudnnConvolutionForward", "cudnnConvolutionBiasActivationForward",
                                       "cudnnConvolutionBackwardData"});
        rows(LibraryUse::RuntimeCode, {"nvrtcCompileProgram", "cuModuleLoadData", "cuModuleLoadDataEx",
                                       "cuLibraryLoadData", "cudaLibraryLoadFromFile", "cuLinkAddData_v2"});
        rows(LibraryUse::Layout, {"cublasLtMatrixTransform", "cudnnTransformTensor", "cudnnAddTensor"});
        rows(LibraryUse::PlansConvolution,
             {"dnnl_convolution_forward_primitive_desc_create", "dnnl_dilated_convolution_forward_desc_init",
              "dnnl_deconvolution_forward_primitive_desc_create", "cudnnBackendCreateDescriptor:10"});
        rows(LibraryUse::PlansProduct,
             {"dnnl_matmul_primitive_desc_create", "dnnl_inner_product_forward_primitive_desc_create"});
        rows(LibraryUse::PlansOther,
             {"dnnl_softmax_forward_primitive_desc_create", "dnnl_eltwise_forward_desc_init",
              "cudnnBackendCreateDescriptor:22", "cudnnBackendCreateDescriptor:41"});
        rows(LibraryUse::Executes, {"dnnl_primitive_execute", "cudnnBackendExecute"});
        rows(LibraryUse::TorchInside,
             {"_ZN2at3cpu8_softmaxERKNS_6TensorElb", "_ZN2at4cuda2mmERKNS_6TensorES3_",
              "_ZN2at6native11softmax_outERKNS_6TensorEl", "_ZN2at6native4tanhERKNS_6TensorE"});
        rows(LibraryUse::Unknown, {"cblas_ssbmv", "cublasSsbmv_v2", "_ZN4dnnl4impl3fooEv", "unheardOf"});
    }
    void knowsFunctions() {
        QFETCH(int, use);
        QCOMPARE(static_cast<int>(useOf(QTest::currentDataTag())), use);
    }

    void judges_data() {
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QByteArray>("earlier");
        QTest::addColumn<bool>("hasProduct");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char *name, const char *calls, const char *earlier, bool hasProduct,
                            const char *rule) {
            QTest::newRow(name) << QByteArray(calls) << QByteArray(earlier) << hasProduct
                                << QString::fromLatin1(rule);
        };
        row("nothing", "{}", "{}", true, "");
        row("a product", R"({"cublasSgemm_v2": 3, "cublasSetStream_v2": 3})", "{}", true, "");
        row("a product nobody asked for", R"({"cublasSgemm_v2": 3})", "{}", false, "doubt");
        row("a scaling", R"({"cublasSscal_v2": 1, "cublasSgemm_v2": 3})", "{}", true, "library-use");
        row("a scaling before any forward", "{}", R"({"cublasSscal_v2": 1})", true, "");
        row("a layout beside a product", R"({"cublasLtMatmul": 1, "cublasLtMatrixTransform": 1})", "{}", true,
            "");
        row("a layout alone", R"({"cublasLtMatrixTransform": 1})", "{}", true, "library-use");
        row("a convolution made before", R"({"dnnl_primitive_execute": 2})",
            R"({"dnnl_convolution_forward_primitive_desc_create": 1})", true, "");
        row("a softmax made before", R"({"dnnl_primitive_execute": 2})",
            R"({"dnnl_softmax_forward_primitive_desc_create": 1})", true, "library-use");
        row("a softmax that was made and never run", "{}",
            R"({"dnnl_softmax_forward_primitive_desc_create": 1})", true, "");
        row("a convolution with its activation", R"({"cudnnBackendExecute": 2})",
            R"({"cudnnBackendCreateDescriptor:10": 1, "cudnnBackendCreateDescriptor:13": 1})", true, "");
        row("a graph of points", R"({"cudnnBackendExecute": 2})", R"({"cudnnBackendCreateDescriptor:13": 1})",
            true, "library-use");
        row("code compiled before", "{}", R"({"nvrtcCompileProgram": 1})", true, "runtime-code");
        row("torch past its dispatcher", R"({"_ZN2at3cpu8_softmaxERKNS_6TensorElb": 1})", "{}", true,
            "torch-operators");
        row("unknown", R"({"cblas_ssbmv": 1})", "{}", true, "doubt");
        row("no counts", R"({"cublasSscal_v2": "many", "cublasSaxpy_v2": -3})", "[]", true, "");
    }
    void judges() {
        QFETCH(QByteArray, calls);
        QFETCH(QByteArray, earlier);
        QFETCH(bool, hasProduct);
        QFETCH(QString, rule);
        QCOMPARE(judged(Json::parse(calls.toStdString()), Json::parse(earlier.toStdString()), Json::array(),
                        hasProduct),
                 rule);
    }

    void namesBroughtCode() {
        QCOMPARE(judged(Json::object(), Json::object(), {"/tmp/kernels.so"}, true),
                 QStringLiteral("runtime-code"));
        QCOMPARE(judged(Json::object(), Json::object(), {7, Json()}, true), QString());
    }

    void listsWhatMayHaveMadeTheResults() {
        LibraryCalls record;
        record.add({{"watched", true},
                    {"calls", {{"cublasLtMatmul", 2u}, {"cublasLtMatmulAlgoGetHeuristic", 1u}}},
                    {"earlier", Json::object()}});
        QCOMPARE(record.allowedWork(), std::vector<std::string>{"cublasLtMatmul"});
        QCOMPARE(record.asJson()["status"].get<std::string>(), std::string("passed"));
    }

    void saysThatNobodyLooked_data() {
        QTest::addColumn<QByteArray>("record");
        for (const char *text : {"null", "3", "{}", R"({"watched": false})", R"({"watched": 1})",
                                 R"({"watched": false, "calls": 3, "brought": {}})"})
            QTest::newRow(text) << QByteArray(text);
    }
    void saysThatNobodyLooked() {
        QFETCH(QByteArray, record);
        LibraryCalls calls;
        calls.add(Json::parse(record.toStdString()));
        QCOMPARE(calls.asJson()["status"].get<std::string>(), std::string("not-run"));
        QVERIFY(calls.allowedWork().empty());
    }
};

QObject *libraryCallsTest() {
    return new LibraryCallsTest;
}

} // namespace warpwright

#include "tst_library_calls.moc"
