/* jail_filter.c - the system calls that a sandboxed process is refused. The machine gets a list of
 * what it may do; a compiler, which nobody can foresee, a list of what it may not. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "config.h"
#include "grade/jail.h"

#ifdef WL_HAVE_SECCOMP
#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>

bool jail_filter_here(void) { return true; }

/* Ways to more rights, to other processes, to the kernel's darker corners. */
static const int refused[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(quotactl),
    SCMP_SYS(acct),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(reboot),
    SCMP_SYS(syslog),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(personality),
    SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(mbind),
    SCMP_SYS(set_mempolicy),
    SCMP_SYS(lookup_dcookie),
    SCMP_SYS(clock_settime),
    SCMP_SYS(settimeofday),
    SCMP_SYS(adjtimex),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
};

/* The machine computes, reads requests and writes answers. The last ones belong to bubblewrap's own
 * process, which gets the same filter. */
static const int allowed[] = {
    SCMP_SYS(read),           SCMP_SYS(write),           SCMP_SYS(close),
    SCMP_SYS(fstat),          SCMP_SYS(newfstatat),      SCMP_SYS(lseek),
    SCMP_SYS(mmap),           SCMP_SYS(munmap),          SCMP_SYS(mremap),
    SCMP_SYS(mprotect),       SCMP_SYS(madvise),         SCMP_SYS(brk),
    SCMP_SYS(exit),           SCMP_SYS(exit_group),      SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),    SCMP_SYS(sigaltstack),
    SCMP_SYS(futex),          SCMP_SYS(getrandom),       SCMP_SYS(clock_gettime),
    SCMP_SYS(arch_prctl),     SCMP_SYS(set_tid_address), SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),           SCMP_SYS(prlimit64),       SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),     SCMP_SYS(uname),           SCMP_SYS(getpid),
    SCMP_SYS(gettid),         SCMP_SYS(tgkill),          SCMP_SYS(execve),
    SCMP_SYS(wait4),          SCMP_SYS(waitid),          SCMP_SYS(prctl),
    SCMP_SYS(poll),           SCMP_SYS(ppoll),           SCMP_SYS(restart_syscall),
};

static bool add_refused(scmp_filter_ctx f) {
  for (size_t i = 0; i < COUNT_OF(refused); i++)
    if (seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), refused[i], 0) != 0) return false;
  /* A new namespace by clone; clone3's flags lie in memory, out of a filter's sight: programs fall
   * back to clone when it is not there. */
  scmp_datum_t spaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                        CLONE_NEWUTS | CLONE_NEWCGROUP;
  for (u32 bit = 0; bit < 32; bit++)
    if (spaces >> bit & 1 && seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                              SCMP_A0(SCMP_CMP_MASKED_EQ, (scmp_datum_t)1 << bit,
                                                      (scmp_datum_t)1 << bit)) != 0)
      return false;
  return seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

static scmp_filter_ctx make(enum jail_program p) {
  bool lists_allowed = p == JAIL_VM && !UNDER_ASAN;
  scmp_filter_ctx f = seccomp_init(lists_allowed ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_ALLOW);
  bool ok = f != NULL;
  if (ok && lists_allowed)
    for (size_t i = 0; ok && i < COUNT_OF(allowed); i++)
      ok = seccomp_rule_add(f, SCMP_ACT_ALLOW, allowed[i], 0) == 0;
  else if (ok)
    ok = add_refused(f);
  if (ok) return f;
  if (f) seccomp_release(f);
  return NULL;
}

int jail_filter_file(enum jail_program p, struct diag *why) {
  scmp_filter_ctx f = make(p);
  int fd = f ? memfd_create("filter", MFD_CLOEXEC) : -1;
  bool ok = fd >= 0 && seccomp_export_bpf(f, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0;
  if (f) seccomp_release(f);
  if (ok) return fd;
  if (fd >= 0) close(fd);
  diag_set(why, "cannot make the filter of system calls");
  return -1;
}

bool jail_filter_load(void) {
  scmp_filter_ctx f = make(JAIL_BOX);
  return f && seccomp_load(f) == 0;
}
#else
bool jail_filter_here(void) { return false; }
int jail_filter_file(enum jail_program p, struct diag *why) {
  (void)p;
  diag_set(why, "this program was built without libseccomp");
  diag_next(why, "make setup installs it; then make again. --sandbox uid does without it, with "
                 "less protection");
  return -1;
}
bool jail_filter_load(void) { return true; }
#endif
