// Shared functions of the floor's programs, which use bare libzmq.
#pragma once
#include <stdint.h>

/// CLOCK_MONOTONIC, nanoseconds.
int64_t now(void);
/// CPU time of this process, nanoseconds.
int64_t cpu(void);
/// Sleeps until a moment on the clock of `now`.
void sleep_until(int64_t moment);
/// The value of `--NAME=…`. Ends the program if it is missing and there is no fallback.
const char *option(const char *name, const char *fallback);
int64_t number(const char *name, const char *fallback);
/// Ends the program with a message that names what failed and the error.
void die(const char *what);
/// The bytes of a file.
unsigned char *read_file(const char *path, int64_t *count);
/// Encrypts as a server or as its client if there is `--curve=1`, with keys that everybody knows.
void encrypt_socket(void *socket, int is_server);
/// Binds a socket to `--endpoint`, and prints where it is bound.
void bind_socket(void *socket);
/// Prints p50 and p99 of the samples, which it sorts.
void print_percentiles(int64_t *samples, long count);

int publish(void);
int subscribe(void);
int answer(void);
int ask(void);
int serve(void);
int fetch(void);
int encode(void);
int heif(void);
int picture(void);
int version(void);
