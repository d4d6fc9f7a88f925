// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/endpoint.h"

#include "agent/endpoints/endpoint_talk.h"

namespace warpwright {

Endpoint::Endpoint(ModelProfile profile, QString key, const EndpointPatience &patience, QObject *parent)
    : QObject(parent), m_talk(std::make_unique<Talk>(*this, std::move(profile), std::move(key), patience)) {}

Endpoint::~Endpoint() = default;

const ModelProfile &Endpoint::profile() const {
    return m_talk->profile();
}

void Endpoint::ask(const ChatRequest &request) {
    m_talk->ask(request);
}

void Endpoint::cancel() {
    m_talk->cancel();
}

} // namespace warpwright
