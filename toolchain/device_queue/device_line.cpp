// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_queue/device_line.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace warpwright {
namespace {

constexpr int readAgainMs = 1000;
constexpr qint64 listBytesAtMost = 1 << 20; // of thousands: more is no list of ours
constexpr double secondsAtMost = 30 * 24 * 3600;
constexpr int guardTries = 8;
constexpr useconds_t guardPauseUs = 500;

const QString listName = QStringLiteral("line.json");
const QString guardName = QStringLiteral("guard");
const QString ticketStart = QStringLiteral("ticket-");

qint64 changeOf(const QString &folder) {
    struct stat facts {};
    if (::stat(QFile::encodeName(folder).constData(), &facts) != 0)
        return -1;
    return static_cast<qint64>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec;
}

int openFile(const QString &path, int flags) {
    return ::open(QFile::encodeName(path).constData(), flags | O_CLOEXEC, 0600);
}

QDateTime timeIn(const Json &entry, const char *key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_number_integer()
               ? QDateTime::fromMSecsSinceEpoch(found->get<qint64>(), Qt::UTC)
               : QDateTime();
}

Json jsonOf(const DeviceLine::Place &place) {
    Json json{{"ticket", toJson(place.ticket)},
              {"process", place.process},
              {"program", toJson(place.program)},
              {"what", toJson(place.use.what)},
              {"workspace", toJson(place.use.workspace)},
              {"owner", toJson(place.use.owner)},
              {"isForWindow", place.use.isForWindow},
              {"passedBy", toJson(place.passedBy)},
              {"joined", place.joined.toMSecsSinceEpoch()}};
    if (place.use.expectedSeconds)
        json["expectedSeconds"] = *place.use.expectedSeconds;
    if (place.isHeld())
        json["heldSince"] = place.heldSince.toMSecsSinceEpoch();
    return json;
}

DeviceLine::Place placeFrom(const Json &json) {
    DeviceLine::Place place;
    place.ticket = stringIn(json, "ticket");
    place.program = stringIn(json, "program");
    place.use.what = stringIn(json, "what");
    place.use.workspace = stringIn(json, "workspace");
    place.use.owner = stringIn(json, "owner");
    place.passedBy = stringIn(json, "passedBy");
    if (const auto found = json.find("process"); found != json.end() && found->is_number_integer())
        place.process = found->get<qint64>();
    if (const auto found = json.find("isForWindow"); found != json.end() && found->is_boolean())
        place.use.isForWindow = found->get<bool>();
    if (const auto found = json.find("expectedSeconds"); found != json.end() && found->is_number())
        place.use.expectedSeconds = std::clamp(found->get<double>(), 0.0, secondsAtMost);
    place.joined = timeIn(json, "joined");
    place.heldSince = timeIn(json, "heldSince");
    return place;
}

bool mayPass(const DeviceUse &use, const DeviceLine::Place &place) {
    return use.isForWindow && !place.isHeld() && !place.use.isForWindow &&
           (place.passedBy.isEmpty() || place.passedBy == use.owner);
}

} // namespace

/// Only whoever has it writes the list, and for far less than a millisecond.
class DeviceLine::Guard {
public:
    explicit Guard(const QString &path) : m_file(openFile(path, O_RDWR | O_CREAT)), m_problem(errno) {
        for (int i = 0; m_file >= 0 && !m_isHeld && i < guardTries; ++i) {
            m_isHeld = ::flock(m_file, LOCK_EX | LOCK_NB) == 0;
            if (!m_isHeld && errno != EWOULDBLOCK && errno != EINTR) {
                m_problem = errno;
                ::close(std::exchange(m_file, -1)); // a file system without locks: there is no line there
                break;
            }
            if (!m_isHeld)
                ::usleep(guardPauseUs);
        }
    }
    ~Guard() {
        if (m_file >= 0)
            ::close(m_file);
    }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

    [[nodiscard]] bool isHeld() const { return m_isHeld; }
    [[nodiscard]] bool isUsable() const { return m_file >= 0; }
    [[nodiscard]] int problem() const { return m_problem; }

private:
    int m_file;
    int m_problem; ///< where it is not usable
    bool m_isHeld = false;
};

DeviceLine::DeviceLine(QString folder) : m_folder(std::move(folder)) {}

DeviceLine::~DeviceLine() {
    leave();
}

QString DeviceLine::path(const QString &name) const {
    return m_folder + QLatin1Char('/') + name;
}

std::vector<DeviceLine::Place> DeviceLine::readPlaces() const {
    std::vector<Place> places;
    const Result<QByteArray> text = readTextFile(path(listName), listBytesAtMost);
    if (!text.hasValue())
        return places;
    const Result<Json> json = parseJson(text.value());
    if (!json.hasValue() || !json.value().is_array())
        return places;
    for (const Json &entry : json.value())
        if (const Place place = placeFrom(entry); place.ticket.startsWith(ticketStart) && isAlive(place))
            places.push_back(place);
    return places;
}

// Not through a safe file, which waits for the disk: whoever holds up the guard holds up everybody, and
// after a power cut nobody waits.
bool DeviceLine::writePlaces(const std::vector<Place> &places) {
    Json list = Json::array();
    for (const Place &place : places)
        list.push_back(jsonOf(place));
    const QByteArray text = dumpJson(list);
    const QString made = path(listName + QStringLiteral(".new"));
    QFile file(made);
    errno = 0;
    bool isDone = file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) == text.size();
    file.close();
    isDone =
        isDone && file.error() == QFileDevice::NoError &&
        std::rename(QFile::encodeName(made).constData(), QFile::encodeName(path(listName)).constData()) == 0;
    if (!isDone)
        m_why = errno != 0 ? qt_error_string(errno) : file.errorString();
    return isDone;
}

bool DeviceLine::isAlive(const Place &place) const {
    if (place.ticket == m_ticket)
        return m_ticketFile >= 0;
    if (place.ticket.contains(QLatin1Char('/')))
        return false;
    const int file = openFile(path(place.ticket), O_RDONLY | O_NONBLOCK); // a pipe waits for nobody
    if (file < 0)
        return errno != ENOENT;
    const bool isLocked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return isLocked;
}

bool DeviceLine::makeTicket() {
    m_ticket = ticketStart + QStringLiteral("%1-%2")
                                 .arg(QCoreApplication::applicationPid())
                                 .arg(QRandomGenerator::global()->generate(), 8, 16, QLatin1Char('0'));
    m_ticketFile = openFile(path(m_ticket), O_RDWR | O_CREAT | O_EXCL);
    if (m_ticketFile >= 0 && ::flock(m_ticketFile, LOCK_EX | LOCK_NB) == 0)
        return true;
    m_why = qt_error_string(errno);
    leave();
    return false;
}

// Tickets of the dead; one who has just made his is not in the list yet, but holds the guard, which is ours.
void DeviceLine::removeLeftovers(const std::vector<Place> &places) const {
    const QStringList tickets = QDir(m_folder).entryList({ticketStart + QLatin1Char('*')}, QDir::Files);
    for (const QString &ticket : tickets) {
        Place place;
        place.ticket = ticket;
        const bool isListed = std::any_of(places.begin(), places.end(),
                                          [&ticket](const Place &some) { return some.ticket == ticket; });
        if (!isListed && !isAlive(place))
            QFile::remove(path(ticket));
    }
}

DeviceLine::Joined DeviceLine::join(const DeviceUse &use) {
    leave();
    if (const Result<void> made = makeFolder(m_folder); !made.hasValue()) {
        m_why = made.message();
        return Joined::Unusable;
    }
    const Guard guard(path(guardName));
    if (!guard.isUsable()) {
        m_why = qt_error_string(guard.problem());
        return Joined::Unusable;
    }
    if (!guard.isHeld())
        return Joined::Later;
    std::vector<Place> places = readPlaces();
    removeLeftovers(places);
    if (!makeTicket())
        return Joined::Unusable;
    Place ours;
    ours.ticket = m_ticket;
    ours.process = QCoreApplication::applicationPid();
    ours.program = QCoreApplication::applicationName();
    ours.use = use;
    ours.joined = QDateTime::currentDateTimeUtc();
    std::size_t at = places.size();
    for (; at > 0 && mayPass(use, places[at - 1]); --at)
        places[at - 1].passedBy = use.owner;
    places.insert(places.begin() + static_cast<std::ptrdiff_t>(at), ours);
    if (!writePlaces(places)) {
        leave();
        return Joined::Unusable;
    }
    read();
    return Joined::Yes;
}

bool DeviceLine::hold() {
    const Guard guard(path(guardName));
    if (!guard.isHeld())
        return !guard.isUsable(); // where nothing can be written nobody reads it either
    std::vector<Place> places = readPlaces();
    const auto ours = std::find_if(places.begin(), places.end(),
                                   [this](const Place &place) { return place.ticket == m_ticket; });
    if (ours == places.end())
        return true;
    ours->heldSince = QDateTime::currentDateTimeUtc();
    std::rotate(places.begin(), ours, ours + 1);
    static_cast<void>(writePlaces(places)); // then they wait for «another program»
    read();
    return true;
}

void DeviceLine::leave() {
    if (m_ticketFile >= 0) {
        QFile::remove(path(m_ticket));
        ::close(std::exchange(m_ticketFile, -1));
    }
    m_ticket.clear();
    m_places.clear();
    m_read.invalidate();
}

void DeviceLine::read() {
    m_changedAt = changeOf(m_folder); // before it is read: what changes meanwhile is seen at the next look
    m_places = readPlaces();
    m_read.start();
}

void DeviceLine::look() {
    const bool isOld = !m_read.isValid() || m_read.elapsed() >= readAgainMs;
    if (isOld || changeOf(m_folder) != m_changedAt)
        return read();
    const auto ours = std::find_if(m_places.begin(), m_places.end(),
                                   [this](const Place &place) { return place.ticket == m_ticket; });
    if (ours != m_places.begin() && ours != m_places.end() && !isAlive(*(ours - 1)))
        read();
}

int DeviceLine::position() const {
    int position = 0;
    for (const Place &place : m_places) {
        position += place.isHeld() ? 0 : 1;
        if (place.ticket == m_ticket)
            return std::max(position, 1);
    }
    return 0;
}

const DeviceLine::Place *DeviceLine::holder() const {
    const auto found =
        std::find_if(m_places.begin(), m_places.end(), [](const Place &place) { return place.isHeld(); });
    return found != m_places.end() ? &*found : nullptr;
}

} // namespace warpwright
