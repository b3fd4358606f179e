// The part of libasound that Swift does not import: a handler of errors takes variadic arguments.
#ifndef CALSA_H
#define CALSA_H

#include <alsa/asoundlib.h>

static void calsa_ignore(const char *file, int line, const char *function, int error,
                         const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Silences libasound, which would print to stderr. Its calls return the errors that matter.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore); }

#endif
