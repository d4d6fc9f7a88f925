// SPDX-License-Identifier: GPL-3.0-or-later
// compile, verify, profile, sanitize, sweep: through the one queue of measurements.
#include "agent/tools/evaluation_answer.h"
#include "agent/tools/tool_run.h"
#include "toolchain/compile/device_choice.h"

namespace warpwright {
namespace {

class MeasureRun : public ToolRun {
public:
    MeasureRun(ToolContext &context, QString name) : ToolRun(context), m_name(std::move(name)) {}
    ~MeasureRun() override { MeasureRun::stop(); }

    void start() override {
        if (m_name == QLatin1String("sanitize") || m_name == QLatin1String("sweep"))
            withToolchain([this](const Toolchain &toolchain) { startOnGpu(toolchain); });
        else
            withTexts([this](const CandidateTexts &texts) { measure(texts); });
    }

    void stop() override {
        if (const int number = std::exchange(m_number, 0); number != 0) {
            m_context.measurer->disconnect(this);
            m_context.measurer->cancel(number);
        }
    }

private:
    void startOnGpu(const Toolchain &toolchain) {
        const Result<DeviceChoice> device = chooseDevice(m_context.place.request.device, toolchain);
        if (!device.hasValue())
            emit ended(failedAnswer(device.message()));
        else if (device.value().kind == TargetKind::Cpu)
            emit ended(failedAnswer(
                m_name == QLatin1String("sweep")
                    ? QStringLiteral(
                          "Nothing was tried: choices are tried on a GPU, and this run measures on "
                          "the CPU. Set a choice in model_new.py and profile it.")
                    : QStringLiteral("Nothing was run: compute-sanitizer looks at CUDA kernels on a GPU, and "
                                     "this run measures on the CPU. What is missing: an NVIDIA GPU with its "
                                     "driver and a torch with CUDA.")));
        else
            withTexts([this](const CandidateTexts &texts) { measure(texts); });
    }

    void measure(const CandidateTexts &texts) {
        Measurement measurement;
        measurement.texts = texts;
        if (m_name == QLatin1String("compile"))
            measurement.lastStage = LastStage::Compile;
        else if (m_name == QLatin1String("verify"))
            measurement.lastStage = LastStage::Verify;
        else if (m_name == QLatin1String("sanitize"))
            measurement.tier = Tier::Certify;
        else if (m_name == QLatin1String("profile") && m_context.request.texts != texts)
            measurement.before = m_context.request.texts;
        Measurer *measurer = m_context.measurer;
        connect(measurer, &Measurer::progress, this, &MeasureRun::show);
        connect(measurer, &Measurer::measured, this, &MeasureRun::take);
        m_number = measurer->measure(measurement);
        emit progress(QStringLiteral("%1: waits for its turn").arg(m_name), 0, 0);
    }

    void show(int number, const StageProgress &now) {
        if (number == m_number)
            emit progress(QStringLiteral("%1: %2").arg(
                              now.wait ? QStringLiteral("wait for the device") : now.stage, stepText(now)),
                          now.index, now.count);
    }

    void take(int number, const Evaluation &evaluation, const QString &log) {
        if (number != m_number || m_number == 0)
            return;
        m_number = 0;
        m_context.measurer->disconnect(this);
        if (statusOf(evaluation.profile) == StageStatus::Passed)
            m_context.timed = evaluation;
        emit ended(evaluationAnswer(m_name, evaluation, log, m_context.place.workspace.folder));
    }

    QString m_name;
    int m_number = 0; // of what is being measured; 0: nothing
};

} // namespace

MadeRun makeMeasureRun(ToolContext &context, const QString &name) {
    return std::make_unique<MeasureRun>(context, name);
}

} // namespace warpwright
