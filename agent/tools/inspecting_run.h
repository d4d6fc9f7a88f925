// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/tool_run.h"
#include "toolchain/inspect/inspection_run.h"

namespace warpwright {

/// A call that needs the compiler's view of a text: the text is laid out where no command can reach it, and
/// compiled there, without a device. What is asked of it is answered in the application's thread, unless the
/// call was stopped or is gone.
class InspectingRun : public ToolRun {
public:
    explicit InspectingRun(ToolContext &context)
        : ToolRun(context), m_run(std::make_shared<QPointer<InspectionRun>>()) {}
    ~InspectingRun() override { InspectingRun::stop(); }

    void stop() override;

protected:
    using Then = std::function<void(const Result<Inspection> &)>;
    enum class Listing {
        Sass,       ///< where its tools are; else the inspection has a note
        NeededSass, ///< without its tools there is an error
        Ptx,
    };

    /// After withToolchain(). An error: it could not be laid out, or the machine lacks what it takes.
    void inspectTexts(const CandidateTexts &texts, Listing listing, const Then &then);
    void inspectIteration(int iteration, Listing listing, const Then &then);

    /// Where the text lies that is inspected; empty: nowhere yet.
    [[nodiscard]] const QString &inspectedFolder() const { return m_folder; }
    /// The compilers' words without that folder's name.
    [[nodiscard]] QString relative(QString text) const;

private:
    void inspect(const QString &path, int iteration, Listing listing, Then then);

    QString m_folder;
    std::shared_ptr<QPointer<InspectionRun>> m_run; // read and written in the other thread only
};

} // namespace warpwright
