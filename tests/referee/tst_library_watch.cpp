// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/referee/tests.h"

#include <QTest>

#include <cstdint>
#include <dlfcn.h>
#include <map>
#include <string>

extern "C" {
int ww_watch_libraries(const char *path);
const char *ww_library_function(uint32_t number, uint64_t *calls);
void ww_knock_out_library(const char *name);
void ww_put_back_libraries();
}

namespace warpwright {

// With a small extension and a small library, loaded as Python loads them.
class LibraryWatchTest : public QObject {
    Q_OBJECT

private:
    void *m_extension = nullptr;

    template <typename Function>
    Function function(const char *name) const {
        return reinterpret_cast<Function>(dlsym(m_extension, name));
    }

    static uint64_t callsOf(const std::string &name) {
        uint64_t sum = 0;
        uint64_t calls = 0;
        for (uint32_t number = 0; const char *known = ww_library_function(number, &calls); ++number)
            sum += known == name ? calls : 0;
        return sum;
    }

private slots:
    void initTestCase() {
        m_extension = dlopen(WARPWRIGHT_FAKE_EXTENSION, RTLD_NOW | RTLD_LOCAL);
        QVERIFY2(m_extension != nullptr, dlerror());
        if (ww_watch_libraries(WARPWRIGHT_FAKE_EXTENSION) != 0)
            QSKIP("calls of libraries are counted on x86-64 and aarch64 only");
    }

    void countsDirectCallsAndPassesAllArguments() {
        const uint64_t before = callsOf("cblas_sscal");
        QCOMPARE(function<double (*)()>("callDirectly")(), 10936.0);
        QCOMPARE(callsOf("cblas_sscal"), before + 1);
    }

    void countsCallsThroughPointersInData() {
        QCOMPARE(function<int (*)(int)>("callByPointer")(0), 5);
        QCOMPARE(callsOf("dnnl_sgemm"), uint64_t{1});
    }

    void countsWhatIsLookedUpByName_data() {
        QTest::addColumn<bool>("isDefault");
        QTest::newRow("in a library") << false;
        QTest::newRow("anywhere") << true;
    }
    void countsWhatIsLookedUpByName() {
        QFETCH(bool, isDefault);
        const uint64_t before = callsOf("cblas_sscal");
        void *library = isDefault ? RTLD_DEFAULT : dlopen(WARPWRIGHT_FAKE_LIBRARY, RTLD_NOW);
        QCOMPARE(function<double (*)(void *)>("callByName")(library), 10936.0);
        QCOMPARE(callsOf("cblas_sscal"), before + 1);
    }

    void leavesOtherLookUpsAsTheyWere() {
        QVERIFY(dlsym(RTLD_DEFAULT, "multiply") == nullptr);
        QCOMPARE(function<void *(*)()>("lookUpOwn")(), dlsym(m_extension, "multiply"));
    }

    void takesALibrarysFunctionOut() {
        const auto multiply = function<int (*)()>("multiply");
        QCOMPARE(multiply(), 7);
        ww_knock_out_library("cublasSgemm_v2");
        QCOMPARE(multiply(), 0);
        ww_put_back_libraries();
        QCOMPARE(multiply(), 7);
        QCOMPARE(callsOf("cublasSgemm_v2"), uint64_t{3});
    }
};

QObject *libraryWatchTest() {
    return new LibraryWatchTest;
}

} // namespace warpwright

#include "tst_library_watch.moc"
