// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/inspecting_run.h"

#include "toolchain/environment/inquiry.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {

void InspectingRun::stop() {
    QMetaObject::invokeMethod(inquiryThread(), [run = m_run] {
        if (*run)
            (*run)->cancel();
    });
}

void InspectingRun::inspectTexts(const CandidateTexts &texts, Listing listing, const Then &then) {
    inPool(
        this,
        [workspace = m_context.place.workspace, folder = m_context.work.folder(), texts] {
            WorkFolder apart(workspace, folder + QStringLiteral("-inspected"));
            const Result<void> done = apart.layOut(texts);
            return done.hasValue() ? Result<QString>::ok(apart.folder())
                                   : Result<QString>::error(done.message());
        },
        [this, listing, then](const Result<QString> &folder) {
            if (!folder.hasValue())
                return then(Result<Inspection>::error(folder.message()));
            m_folder = folder.value();
            inspect(m_folder, 0, listing, then);
        });
}

void InspectingRun::inspectIteration(int iteration, Listing listing, const Then &then) {
    inspect(m_context.place.workspace.folder, iteration, listing, then);
}

void InspectingRun::inspect(const QString &path, int iteration, Listing listing, Then then) {
    const EvaluationRequest &asked = m_context.place.request;
    InspectionRequest request;
    request.path = path;
    request.python = asked.python;
    request.settings = asked.settings;
    request.folders = asked.folders;
    request.environment = asked.environment;
    request.toolchain = m_context.toolchain;
    request.needsSass = listing == Listing::NeededSass;
    request.wantsPtx = listing == Listing::Ptx;
    request.iteration = iteration;
    // Through the application: this call may be over by then, and must not be touched from there.
    const auto here = [mine = QPointer<InspectingRun>(this)](std::function<void(InspectingRun &)> act) {
        QMetaObject::invokeMethod(
            qApp,
            [mine, act = std::move(act)] {
                if (mine)
                    act(*mine);
            },
            Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(inquiryThread(), [request, run = m_run, here, then = std::move(then)] {
        auto *made = new InspectionRun(request, inquiryThread());
        *run = made;
        QObject::connect(made, &InspectionRun::progress, made, [here](const StageProgress &now) {
            here([now](InspectingRun &mine) {
                emit mine.progress(QStringLiteral("inspect: %1").arg(now.step), now.index, now.count);
            });
        });
        QObject::connect(
            made, &InspectionRun::finished, made, [made, here, then](const Inspection &inspection) {
                made->deleteLater();
                here([then, inspection](InspectingRun &) { then(Result<Inspection>::ok(inspection)); });
            });
        QObject::connect(made, &InspectionRun::failed, made, [made, here, then](const QString &message) {
            made->deleteLater();
            here([then, message](InspectingRun &mine) {
                then(Result<Inspection>::error(mine.relative(message)));
            });
        });
        made->start();
    });
}

QString InspectingRun::relative(QString text) const {
    if (m_folder.isEmpty())
        return text;
    return text.remove(m_folder + QLatin1Char('/')).replace(m_folder, m_context.work.folder());
}

} // namespace warpwright
