// floor ROLE --name=value…: does the work of the bus in C, with bare calls of libzmq and turbojpeg.
#include "floor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

static int argument_count;
static char **arguments;

int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int64_t cpu(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void sleep_until(int64_t moment) {
  struct timespec time = {moment / 1000000000, moment % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {
  }
}

void die(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, zmq_strerror(zmq_errno()));
  exit(1);
}

const char *option(const char *name, const char *fallback) {
  size_t length = strlen(name);
  for (int i = 2; i < argument_count; i++) {
    const char *text = arguments[i];
    if (strncmp(text, "--", 2) == 0 && strncmp(text + 2, name, length) == 0 && text[2 + length] == '=')
      return text + 3 + length;
  }
  if (!fallback) {
    fprintf(stderr, "floor: --%s=… is missing\n", name);
    exit(64);
  }
  return fallback;
}

int64_t number(const char *name, const char *fallback) { return strtoll(option(name, fallback), NULL, 10); }

unsigned char *read_file(const char *path, int64_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) die(path);
  fseek(file, 0, SEEK_END);
  *count = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*count);
  if (fread(bytes, 1, *count, file) != (size_t)*count) die(path);
  fclose(file);
  return bytes;
}

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return a < b ? -1 : a > b;
}

void print_percentiles(int64_t *samples, long count) {
  qsort(samples, count, sizeof *samples, compare);
  printf(" p50=%ld p99=%ld", count ? (long)samples[count / 2] : 0, count ? (long)samples[count * 99 / 100] : 0);
}

void encrypt_socket(void *socket, int is_server) {
  // Those of RFC 26's example.
  static const char server_key[] = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID";
  static const char server_secret[] = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs";
  if (!number("curve", "0")) return;
  if (is_server) {
    int yes = 1;
    zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &yes, sizeof yes);
    if (zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, server_secret, 41) != 0) die("encrypt");
    return;
  }
  zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server_key, 41);
  zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, server_key, 41);
  if (zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, server_secret, 41) != 0) die("encrypt");
}

void bind_socket(void *socket) {
  if (zmq_bind(socket, option("endpoint", NULL)) != 0) die("bind");
  char endpoint[256];
  size_t length = sizeof endpoint;
  zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &length);
  printf("ready %s\n", endpoint);
}

int version(void) {
  int major, minor, patch;
  zmq_version(&major, &minor, &patch);
  printf("%d.%d.%d\n", major, minor, patch);
  return 0;
}

int main(int count, char **values) {
  argument_count = count;
  arguments = values;
  setvbuf(stdout, NULL, _IOLBF, 0);
  static const struct {
    const char *name;
    int (*run)(void);
  } roles[] = {{"publish", publish}, {"subscribe", subscribe}, {"answer", answer},   {"ask", ask},         {"serve", serve},
               {"fetch", fetch},     {"encode", encode},       {"picture", picture}, {"version", version},
               {"heif", heif}};
  for (unsigned i = 0; i < sizeof roles / sizeof *roles; i++)
    if (count > 1 && strcmp(values[1], roles[i].name) == 0) return roles[i].run();
  fprintf(stderr, "floor: name a role\n");
  return 64;
}
