// Tells the thread sanitizer what a continuation orders. Loaded before a program's libraries.
//
// A task that awaits a continuation continues after the call that resumed it. Swift's runtime tells
// the sanitizer so, except where the continuation was resumed before it was awaited
// (`swift_continuation_awaitImpl`, "we can resume immediately"): what was written before the resume
// then looks like a race. Programs without the sanitizer, and children of other languages, are left
// as they are.

#include <dlfcn.h>
#include <stddef.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
extern __attribute__((swiftcall)) void *swift_task_getCurrent(void) __attribute__((weak));

typedef __attribute__((swiftasynccall)) void Await(void *context);
typedef __attribute__((swiftcall)) void Resume(void *task);
typedef __attribute__((swiftcall)) void ResumeWithError(void *task, void *error);

__attribute__((swiftasynccall)) void swift_continuation_await(void *context) {
  static Await *real;
  if (!real) real = (Await *)dlsym(RTLD_NEXT, "swift_continuation_await");
  if (__tsan_acquire) __tsan_acquire(swift_task_getCurrent());
  __attribute__((musttail)) return real(context);
}

__attribute__((swiftcall)) void swift_continuation_resume(void *task) {
  static Resume *real;
  if (!real) real = (Resume *)dlsym(RTLD_NEXT, "swift_continuation_resume");
  if (__tsan_release) __tsan_release(task);
  real(task);
}

__attribute__((swiftcall)) void swift_continuation_throwingResume(void *task) {
  static Resume *real;
  if (!real) real = (Resume *)dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
  if (__tsan_release) __tsan_release(task);
  real(task);
}

__attribute__((swiftcall)) void swift_continuation_throwingResumeWithError(void *task, void *error) {
  static ResumeWithError *real;
  if (!real) {
    real = (ResumeWithError *)dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
  }
  if (__tsan_release) __tsan_release(task);
  real(task, error);
}
