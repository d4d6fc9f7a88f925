// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/inspect/inspection_run.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace warpwright {

/// One inspection at a time in the thread of inquiries: a newer one cancels an older, whose answer is
/// dropped. Ends in exactly one finished() or failed() for the newest.
class Inspector : public QObject {
    Q_OBJECT
public:
    using Answer = std::shared_ptr<const Inspection>;

    explicit Inspector(QObject *parent = nullptr);
    ~Inspector() override;

    void start(const InspectionRequest &request);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

signals:
    void finished(const std::shared_ptr<const warpwright::Inspection> &inspection);
    void failed(const QString &message);

private:
    void stopOlder();

    std::shared_ptr<QPointer<InspectionRun>> m_run; // read and written in the other thread only
    JobNumber m_jobs;
    bool m_isRunning = false;
};

} // namespace warpwright
