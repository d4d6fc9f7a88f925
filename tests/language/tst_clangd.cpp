// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/language/clangd_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace warpwright;

namespace {

const QByteArray kernelText = QByteArrayLiteral("#include <cuda_runtime.h>\n#include \"shared.cuh\"\n") +
                              R"(
__global__ void __launch_bounds__(256) scale(const float *__restrict__ x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? __ldcs(x + i) : 0.0f;
    v += __shfl_xor_sync(0xffffffffu, v, 16);
    if (i < n)
        __stcs(y + i, twice(v));
}

extern "C" void launchScale(const float *x, float *y, int n, cudaStream_t stream) {
    cudaMemcpyAsync(y, x, size_t(n) * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    scale<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
}
)";
const QByteArray sharedText = R"(#pragma once
__device__ inline float twice(float value) {
    return value + value;
}
)";
const QByteArray callerText = R"(#include <cuda_runtime.h>
extern "C" void launchScale(const float *x, float *y, int n, cudaStream_t stream);
void callIt(const float *x, float *y) {
    launchScale(x, y, 4, nullptr);
}
)";

} // namespace

/// The real one over a small workspace.
class TestClangd : public QObject {
    Q_OBJECT

    std::unique_ptr<Scratch> m_scratch;
    std::unique_ptr<ClangdWorld> m_world;
    QString m_kernel;
    QString m_text;

private slots:
    void initTestCase() {
        NEED_TOOL(missingClangd().isEmpty(), missingClangd());
        m_scratch = std::make_unique<Scratch>();
        m_scratch->writeModel(QStringLiteral("w"));
        m_scratch->write(QStringLiteral("w/model_new.py"), "class ModelNew: pass\n");
        m_scratch->write(QStringLiteral("w/kernels/scale.cu"), kernelText);
        m_scratch->write(QStringLiteral("w/kernels/shared.cuh"), sharedText);
        m_scratch->write(QStringLiteral("w/caller.cpp"), callerText);
        // Only a style of its own lays a text out, and one that lies above tells nothing here.
        m_scratch->write(QStringLiteral("w/.clang-format"), "BasedOnStyle: LLVM\nIndentWidth: 4\n");
        m_world = std::make_unique<ClangdWorld>(m_scratch->path(QStringLiteral("w")));
        QVERIFY2(m_world->problem().isEmpty(), qPrintable(m_world->problem()));
        m_kernel = m_world->open(QStringLiteral("kernels/scale.cu"));
        QVERIFY(!m_kernel.isEmpty());
        m_text = QString::fromUtf8(kernelText);
        QVERIFY2(m_world->said(m_kernel).empty(), qPrintable(m_world->saidAsText(m_kernel)));
    }
    void cleanupTestCase() { m_world.reset(); }

    void init() {
        QVERIFY(m_world);
        m_world->server().changeDocument(m_kernel, m_text);
    }

    void itSaysItsVersion() {
        QVERIFY2(m_world->server().version().startsWith(QLatin1String("clangd ")),
                 qPrintable(m_world->server().version()));
        QVERIFY(m_world->server().completionTriggers().contains(QLatin1String(".")));
    }

    void nothingIsWrittenAmongTheUsersFiles() {
        QStringList names = QDir(m_scratch->path(QStringLiteral("w")))
                                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        names.removeAll(QStringLiteral(".warpwright")); // the state
        names.sort();
        QCOMPARE(names, (QStringList{".clang-format", "caller.cpp", "kernels", "model.py", "model_new.py"}));
    }

    void diagnosticsComeAndGo() {
        QString wrong = m_text;
        wrong.replace(QLatin1String("twice(v)"), QLatin1String("twicce(v)"));
        QVERIFY(m_world->change(m_kernel, wrong));
        QTRY_COMPARE_WITH_TIMEOUT(m_world->said(m_kernel).size(), std::size_t(1), 20000);
        QCOMPARE(m_world->said(m_kernel)[0].range.from.line, 9);
        QCOMPARE(m_world->said(m_kernel)[0].severity, LanguageDiagnostic::Severity::Error);
        QVERIFY(m_world->change(m_kernel, m_text));
        QTRY_VERIFY_WITH_TIMEOUT(m_world->said(m_kernel).empty(), 20000);
    }

    void aNameIsCompleted() {
        QString typing = m_text;
        typing.replace(QLatin1String("    if (i < n)\n"), QLatin1String("    __shfl\n    if (i < n)\n"));
        m_world->server().changeDocument(m_kernel, typing);
        const TextPlace at = ClangdWorld::placeOf(typing, QStringLiteral("__shfl\n"), 6);
        std::vector<qint64> times;
        std::optional<Completion> told;
        for (int turn = 0; turn < 6; ++turn) {
            QElapsedTimer clock;
            clock.start();
            told = m_world->asked<Completion>(
                [&](auto then) { m_world->server().complete(m_kernel, at, {}, then); });
            times.push_back(clock.elapsed());
            QVERIFY(told);
        }
        std::sort(times.begin() + 1, times.end());
        qInfo("completion: first %lld ms, warm %lld ms (median of five)", times[0], times[3]);
        QVERIFY2(times[3] < 3000, qPrintable(QString::number(times[3])));
        const auto item = std::find_if(told->items.begin(), told->items.end(), [](const CompletionItem &one) {
            return one.label == QLatin1String("__shfl_xor_sync");
        });
        QVERIFY(item != told->items.end());
        QVERIFY2(item->documentation.contains(QLatin1String("lane")), qPrintable(item->documentation));
        QVERIFY2(item->signature.startsWith(u'('), qPrintable(item->signature));
        QCOMPARE(item->insertText, QStringLiteral("__shfl_xor_sync()"));
        QCOMPARE(item->cursorInside, 16);
        QVERIFY((item->replaced == TextRange{{at.line, at.column - 6}, at}));
    }

    void aMemberIsCompleted() {
        QString typing = m_text;
        typing.replace(QLatin1String("    if (i < n)\n"), QLatin1String("    blockIdx.\n    if (i < n)\n"));
        m_world->server().changeDocument(m_kernel, typing);
        const TextPlace at = ClangdWorld::placeOf(typing, QStringLiteral("blockIdx.\n"), 9);
        const auto told = m_world->asked<Completion>(
            [&](auto then) { m_world->server().complete(m_kernel, at, QStringLiteral("."), then); });
        QVERIFY(told);
        QVERIFY(std::any_of(told->items.begin(), told->items.end(),
                            [](const CompletionItem &one) { return one.label == QLatin1String("x"); }));
    }

    void aHoverSaysSomethingUseful_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("said");
        QTest::newRow("load") << "__ldcs"
                              << "streaming";
        QTest::newRow("shuffle") << "__shfl_xor_sync"
                                 << "lane";
        QTest::newRow("copy") << "cudaMemcpyAsync"
                              << "pageable";
        QTest::newRow("bounds") << "__launch_bounds__"
                                << "registers";
        QTest::newRow("index") << "threadIdx"
                               << "warp";
        QTest::newRow("restrict") << "__restrict__"
                                  << "Promises";
        QTest::newRow("our own") << "twice(v"
                                 << "float value";
    }
    void aHoverSaysSomethingUseful() {
        QFETCH(QString, word);
        QFETCH(QString, said);
        QString problem;
        const auto told = m_world->asked<std::optional<HoverText>>(
            [&](auto then) {
                m_world->server().hover(m_kernel, ClangdWorld::placeOf(m_text, word, 1), then);
            },
            &problem);
        QVERIFY2(told && *told, qPrintable(problem));
        QVERIFY2((*told)->markdown.contains(said), qPrintable((*told)->markdown));
    }

    void aCallShowsItsParameters() {
        const TextPlace at = ClangdWorld::placeOf(m_text, QStringLiteral("v, 16)"), 3);
        const auto told = m_world->asked<SignatureHelp>(
            [&](auto then) { m_world->server().signatureHelp(m_kernel, at, then); });
        QVERIFY(told && !told->signatures.empty());
        QVERIFY(told->signatures[0].label.contains(QLatin1String("__shfl_xor_sync")));
        QCOMPARE(told->activeParameter, 2);
        QVERIFY(told->signatures[0].parameters.size() >= 3);
        QVERIFY(!told->signatures[0].documentation.isEmpty());
    }

    void aDefinitionIsFoundInAnotherFile() {
        const auto told = m_world->asked<std::vector<SourcePlace>>([&](auto then) {
            m_world->server().definition(m_kernel, ClangdWorld::placeOf(m_text, QStringLiteral("twice(v"), 1),
                                         then);
        });
        QVERIFY(told && told->size() == 1);
        QVERIFY(told->front().file.endsWith(QLatin1String("/kernels/shared.cuh")));
        QCOMPARE(told->front().range.from.line, 2);
    }

    void aHeaderHasTheCommandOfItsSource() {
        const QString header = m_world->open(QStringLiteral("kernels/shared.cuh"));
        QVERIFY(!header.isEmpty());
        QVERIFY2(m_world->said(header).empty(), qPrintable(m_world->saidAsText(header)));
        m_world->server().closeDocument(header);
    }

    void aNameIsChangedInTwoFiles() {
        const QString caller = m_world->open(QStringLiteral("caller.cpp"));
        QVERIFY(!caller.isEmpty());
        QVERIFY2(m_world->said(caller).empty(), qPrintable(m_world->saidAsText(caller)));
        const TextPlace at = ClangdWorld::placeOf(m_text, QStringLiteral("launchScale"), 3);
        const auto name = m_world->asked<std::optional<TextRange>>(
            [&](auto then) { m_world->server().prepareRename(m_kernel, at, then); });
        QVERIFY(name && *name);
        QCOMPARE((*name)->to.column - (*name)->from.column, 11);
        const auto places = m_world->asked<std::vector<SourcePlace>>(
            [&](auto then) { m_world->server().references(m_kernel, at, then); });
        QVERIFY(places);
        QCOMPARE(places->size(), std::size_t(3));
        const auto files = m_world->asked<std::vector<FileReplacements>>(
            [&](auto then) { m_world->server().rename(m_kernel, at, QStringLiteral("launchIt"), then); });
        QVERIFY(files);
        QCOMPARE(files->size(), std::size_t(2));
        QCOMPARE((*files)[0].file, caller);
        QCOMPARE((*files)[0].replacements.size(), std::size_t(2));
        QCOMPARE((*files)[1].replacements.size(), std::size_t(1));
        QCOMPARE((*files)[1].replacements[0].text, QStringLiteral("launchIt"));
        m_world->server().closeDocument(caller);
    }

    void aTextIsFormatted() {
        QString ugly = m_text;
        ugly.replace(QLatin1String("float v = i"), QLatin1String("float   v=i"));
        m_world->server().changeDocument(m_kernel, ugly);
        const int line = ClangdWorld::placeOf(ugly, QStringLiteral("float   v")).line;
        const auto some = m_world->asked<std::vector<TextReplacement>>([&](auto then) {
            m_world->server().format(m_kernel, TextRange{{line, 1}, {line, 20}}, then);
        });
        QVERIFY(some && !some->empty());
        QVERIFY(std::all_of(some->begin(), some->end(),
                            [line](const TextReplacement &one) { return one.range.from.line == line; }));
        const auto all = m_world->asked<std::vector<TextReplacement>>(
            [&](auto then) { m_world->server().format(m_kernel, std::nullopt, then); });
        QVERIFY(all && all->size() >= some->size());
    }

    void aTextIsLeftAsItIsWhereTheStyleSaysSo() {
        const QString style = m_scratch->path(QStringLiteral("w/.clang-format"));
        const QByteArray before = textOf(style);
        m_scratch->write(QStringLiteral("w/.clang-format"), "DisableFormat: true\n");
        QString ugly = m_text;
        ugly.replace(QLatin1String("float v = i"), QLatin1String("float   v=i"));
        m_world->server().changeDocument(m_kernel, ugly);
        const auto told = m_world->asked<std::vector<TextReplacement>>(
            [&](auto then) { m_world->server().format(m_kernel, std::nullopt, then); });
        m_scratch->write(QStringLiteral("w/.clang-format"), before);
        QVERIFY(told && told->empty());
    }

    void symbolsAreListed() {
        const auto told = m_world->asked<std::vector<DocumentSymbol>>(
            [&](auto then) { m_world->server().symbols(m_kernel, then); });
        QVERIFY(told);
        const auto scale = std::find_if(told->begin(), told->end(), [](const DocumentSymbol &one) {
            return one.name == QLatin1String("scale");
        });
        QVERIFY(scale != told->end());
        QVERIFY(scale->kind == SymbolKind::Function);
        QCOMPARE(scale->nameRange.from.line, 4);
        QVERIFY(scale->range.to.line > 8);
    }

    void aKillInTheMiddleLosesNothing() {
        QString typing = m_text;
        typing.replace(QLatin1String("twice(v)"), QLatin1String("twicce(v)"));
        ::kill(static_cast<pid_t>(m_world->server().processId()), SIGKILL);
        m_world->server().changeDocument(m_kernel, typing);
        QTRY_VERIFY(m_world->server().state() != LanguageServer::State::Ready);
        QTRY_COMPARE_WITH_TIMEOUT(m_world->server().state(), LanguageServer::State::Ready, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(m_world->said(m_kernel).size(), std::size_t(1), 30000);
        // Its preambles went with it; the one that runs has its own.
        const QDir temporary(m_world->workspace().state + QStringLiteral("/language/tmp"));
        QTRY_COMPARE(temporary.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
        QVERIFY(!QDir(temporary.filePath(temporary.entryList(QDir::Dirs | QDir::NoDotAndDotDot).front()))
                     .isEmpty());
        m_world->server().stop();
        QTRY_VERIFY(temporary.entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
    }
};

QObject *makeTestClangd() {
    return new TestClangd;
}
#include "tst_clangd.moc"
