// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/typing_cost.h"

#include "widgets/editor/code_editor.h"
#include "widgets/editor/function_names.h"

#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>
#include <ctime>
#include <vector>

namespace warpwright {
namespace {

double threadMilliseconds() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace

TypingCost measureTyping(CodeEditor &editor, int keys) {
    static const QString typed =
        QStringLiteral("float value = load(input[row]) * 2.0f;\nif (row < n) {\nsum += value; }\n");
    editor.goTo(editor.lineCount() / 2, 1);
    std::vector<double> costs;
    for (int i = 0; i < keys; ++i) {
        const QChar sign = typed[i % typed.size()];
        const bool isEnter = sign == u'\n';
        QKeyEvent press(QEvent::KeyPress, isEnter ? Qt::Key_Return : Qt::Key_A, Qt::NoModifier,
                        isEnter ? QStringLiteral("\r") : QString(sign));
        const double before = threadMilliseconds();
        QCoreApplication::sendEvent(&editor, &press);
        editor.decorator<FunctionNames>().refresh();
        editor.viewport()->repaint();
        costs.push_back(threadMilliseconds() - before);
    }
    while (editor.isUndoAvailable())
        editor.undo();
    if (costs.empty())
        return {};
    std::sort(costs.begin(), costs.end());
    return {costs[costs.size() / 2], costs.back(), keys};
}

QString longKernelFile(int lines) {
    QString text = QStringLiteral("#include <cuda_runtime.h>\n\n");
    const QString kernel = QStringLiteral(
        "// Adds two rows, four elements at a time.\n"
        "template <int THREADS>\n"
        "__global__ void __launch_bounds__(THREADS) addRows%1(const float4 *__restrict__ x, float4 *y, int "
        "n) {\n"
        "    __shared__ float partials[THREADS / 32];\n"
        "    const size_t row = size_t(blockIdx.x) * n;\n"
        "#pragma unroll\n"
        "    for (int i = threadIdx.x; i < n; i += THREADS) {\n"
        "        const float4 a = __ldcs(&x[row + i]);\n"
        "        y[row + i] = make_float4(a.x + 1.0f, a.y * 2, fmaxf(a.z, 0.0f), rsqrtf(a.w));\n"
        "    }\n"
        "    if (threadIdx.x % 32 == 0)\n"
        "        partials[threadIdx.x / 32] = 0x1p-3f;\n"
        "    __syncthreads();\n"
        "}\n\n");
    for (int i = 0; text.count(u'\n') < lines; ++i)
        text += kernel.arg(i);
    return text;
}

} // namespace warpwright
