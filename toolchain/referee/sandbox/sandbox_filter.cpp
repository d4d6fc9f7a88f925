// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/sandbox/sandbox_filter.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace warpwright {

namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "The sandbox knows x86-64 and AArch64 only."
#endif

// Calls of Linux 6.1 and before end here; what came later is answered as an older kernel would, and every C
// library does without.
constexpr uint32_t lastKnownCall = 450;
constexpr uint32_t mountSetattr = 442, quotactlFd = 443, memfdSecret = 447, processMrelease = 448;

constexpr uint32_t allow = SECCOMP_RET_ALLOW;
constexpr uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
constexpr uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;
constexpr uint32_t end = SECCOMP_RET_KILL_PROCESS;

// Refused in every sandbox: what reaches other processes or the kernel itself, or leaves the sandbox.
constexpr uint32_t refusedAlways[] = {
    // other processes' memory, descriptors and state
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_process_madvise,
    processMrelease,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_perf_event_open,
    // mounts, namespaces, roots
    SYS_mount,
    SYS_umount2,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    mountSetattr,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    // the kernel: programs in it, its modules, its settings, its less travelled interfaces
    SYS_bpf,
    SYS_userfaultfd,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_syslog,
    SYS_quotactl,
    quotactlFd,
    SYS_settimeofday,
    SYS_adjtimex,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_fanotify_init,
    memfdSecret,
#if defined(__x86_64__)
    SYS_ioperm,
    SYS_iopl,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_ustat,
    SYS_sysfs,
#endif
    // memory and queues that outlive a process
    SYS_shmget,
    SYS_semget,
    SYS_msgget,
    SYS_mq_open,
};

// Refused to a candidate that is judged as well. Landlock leaves most of these open for files of the same
// user.
constexpr uint32_t refusedToCandidates[] = {
    SYS_execve,         SYS_execveat,        SYS_connect,
    SYS_sendmsg,        SYS_sendmmsg,        SYS_memfd_create,
    SYS_mknodat,        SYS_pidfd_open,      SYS_pidfd_send_signal,
    SYS_tkill,          SYS_rt_sigqueueinfo, SYS_sched_setscheduler,
    SYS_sched_setparam, SYS_sched_setattr,   SYS_setpriority,
    SYS_ioprio_set,     SYS_fchmod,          SYS_fchmodat,
    SYS_fchown,         SYS_fchownat,        SYS_utimensat,
    SYS_setxattr,       SYS_lsetxattr,       SYS_fsetxattr,
    SYS_removexattr,    SYS_lremovexattr,    SYS_fremovexattr,
    SYS_inotify_init1,
#if defined(__x86_64__)
    SYS_fork,           SYS_vfork,           SYS_chmod,
    SYS_chown,          SYS_lchown,          SYS_utime,
    SYS_utimes,         SYS_futimesat,       SYS_mknod,
    SYS_inotify_init,
#endif
};

constexpr uint32_t signalCalls[] = {SYS_kill, SYS_tgkill, SYS_rt_tgsigqueueinfo};
constexpr uint32_t limitCalls[] = {SYS_prlimit64, SYS_sched_setaffinity};

// The lower and the upper half of an argument, on machines whose lower half comes first.
constexpr uint32_t low(int argument) {
    return static_cast<uint32_t>(offsetof(seccomp_data, args)) + 8u * static_cast<uint32_t>(argument);
}
constexpr uint32_t high(int argument) {
    return low(argument) + 4;
}

class Program {
public:
    void load(uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
    void answer(uint32_t what) { add(BPF_RET | BPF_K, what); }
    void answerIf(uint32_t value, uint32_t what) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        answer(what);
    }
    void answerUnless(uint32_t value, uint32_t what) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        answer(what);
    }
    void answerAbove(uint32_t value, uint32_t what) {
        add(BPF_JMP | BPF_JGT | BPF_K, value, 0, 1);
        answer(what);
    }
    void answerIfAny(uint32_t bits, uint32_t what) {
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
        answer(what);
    }

    /// The rules that `make` adds hold for this call only, and must end in an answer.
    template <typename Make>
    void forCall(uint32_t call, Make make) {
        load(offsetof(seccomp_data, nr));
        const size_t jump = m_lines.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 0);
        make();
        m_lines[jump].jf = static_cast<uint8_t>(m_lines.size() - jump - 1);
    }

    std::vector<sock_filter> take() { return std::move(m_lines); }

private:
    void add(int code, uint32_t value, uint8_t yes = 0, uint8_t no = 0) {
        m_lines.push_back({static_cast<uint16_t>(code), yes, no, value});
    }

    std::vector<sock_filter> m_lines;
};

constexpr uint32_t newNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                   CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |
                                   0x80u; // the last: CLONE_NEWTIME

void addClone(Program &program, SandboxProfile profile) {
    // clone3 hands its flags over in memory, where a filter cannot look: the C library falls back to clone.
    program.forCall(SYS_clone3, [&] { program.answer(unknown); });
    program.forCall(SYS_clone, [&] {
        program.load(low(0));
        program.answerIfAny(newNamespaces, refuse);
        if (profile == SandboxProfile::Run) {
            program.answerIfAny(CLONE_THREAD, allow);
            program.answer(refuse);
        } else {
            program.answer(allow);
        }
    });
}

void addSockets(Program &program, SandboxProfile profile) {
    // cuInit fails without socket, bind and listen of AF_UNIX; nothing here needs another family.
    program.forCall(SYS_socket, [&] {
        program.load(low(0));
        program.answerIf(AF_UNIX, allow);
        program.answer(refuse);
    });
    if (profile != SandboxProfile::Run)
        return;
    program.forCall(SYS_sendto, [&] { // only where the socket is connected to already
        program.load(low(4));
        program.answerUnless(0, refuse);
        program.load(high(4));
        program.answerUnless(0, refuse);
        program.answer(allow);
    });
    program.forCall(SYS_prctl, [&] {
        program.load(low(0));
        program.answerIf(PR_SET_PDEATHSIG, refuse); // it dies with its parent
        program.answer(allow);
    });
}

/// Without a process namespace: of all processes only itself.
void addSelf(Program &program, uint32_t self) {
    for (const uint32_t call : signalCalls) {
        program.forCall(call, [&] {
            program.load(low(0));
            program.answerIf(self, allow);
            program.answer(refuse);
        });
    }
    for (const uint32_t call : limitCalls) {
        program.forCall(call, [&] {
            program.load(low(0));
            program.answerIf(0, allow);
            program.answerIf(self, allow);
            program.answer(refuse);
        });
    }
}

} // namespace

std::vector<sock_filter> filterProgram(SandboxProfile profile, uint32_t self) {
    Program program;
    program.load(offsetof(seccomp_data, arch));
    program.answerUnless(architecture, end);
    program.load(offsetof(seccomp_data, nr));
    program.answerAbove(lastKnownCall, unknown); // x32's numbers, too
    addClone(program, profile);
    addSockets(program, profile);
    if (self != 0)
        addSelf(program, self);
    program.load(offsetof(seccomp_data, nr));
    for (const uint32_t call : refusedAlways)
        program.answerIf(call, refuse);
    if (profile == SandboxProfile::Run) {
        for (const uint32_t call : refusedToCandidates)
            program.answerIf(call, refuse);
    }
    program.answer(allow);
    return program.take();
}

std::string closeSystemCalls(SandboxProfile profile, uint32_t self) {
    std::vector<sock_filter> lines = filterProgram(profile, self);
    const sock_fprog program{static_cast<unsigned short>(lines.size()), lines.data()};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0)
        return systemProblem("seccomp filter");
    return {};
}

} // namespace warpwright
