// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/listing_ahead.h"

#include "toolchain/base/text_file.h"
#include "toolchain/compile/object_cache.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <unistd.h>

namespace warpwright {

namespace {

constexpr int lookEachMs = 10;
constexpr int timeLimitMs = 20 * 1000; ///< beyond that nobody waits for it

} // namespace

ListingAhead::ListingAhead(QString nvdisasm, QString keptFolder, QString scratchFolder,
                           QProcessEnvironment environment, QObject *parent)
    : QObject(parent),
      m_nvdisasm(std::move(nvdisasm)),
      m_keptFolder(std::move(keptFolder)),
      m_scratchFolder(std::move(scratchFolder)),
      m_environment(std::move(environment)) {
    m_look.setInterval(lookEachMs);
    connect(&m_look, &QTimer::timeout, this, &ListingAhead::look);
    m_look.start();
}

void ListingAhead::look() {
    const QDir kept(m_keptFolder);
    // nvcc packs the cubin into the fatbin: where that has begun the cubin is whole.
    if (kept.entryList({QStringLiteral("*.fatbin")}, QDir::Files).isEmpty())
        return;
    m_look.stop();
    const QStringList cubins = kept.entryList({QStringLiteral("*.cubin")}, QDir::Files);
    // Two kernels' files have one listing each: those are put together by whoever reads the object.
    const QString own =
        m_scratchFolder + QLatin1Char('/') + QFileInfo(m_keptFolder).fileName() + QStringLiteral(".cubin");
    if (cubins.size() != 1 || ::link(QFile::encodeName(kept.filePath(cubins.first())).constData(),
                                     QFile::encodeName(own).constData()) != 0)
        return;
    ProcessRequest request;
    request.program = m_nvdisasm;
    request.arguments = {QStringLiteral("-gi"), own};
    request.workingFolder = m_scratchFolder;
    request.environment = m_environment;
    request.timeLimitMs = timeLimitMs;
    m_process = new ChildProcess(this);
    const auto end = [this] {
        m_process->deleteLater();
        m_process = nullptr;
        keep();
        emit ended();
    };
    connect(m_process, &ChildProcess::failed, this, end);
    connect(m_process, &ChildProcess::finished, this, [this, end](const ProcessOutcome &outcome) {
        if (outcome.succeeded() && !outcome.outputTruncated)
            m_listing = outcome.standardOutput;
        end();
    });
    m_process->start(request);
}

void ListingAhead::objectIs(const QString &objectPath) {
    if (m_look.isActive())
        look();
    m_look.stop();
    m_object = objectPath;
    keep();
}

void ListingAhead::keep() {
    if (!m_object.isEmpty() && !m_listing.isEmpty())
        (void)writeFileAtomically(ObjectCache::listingPath(m_object, m_nvdisasm), m_listing).hasValue();
}

} // namespace warpwright
