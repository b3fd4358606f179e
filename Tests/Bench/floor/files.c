// Copies a file from disk to disk in chunks. The sender sends only as many as the receiver's credit
// allows.
#include "floor.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

static void release(void *memory, void *hint) {
  (void)hint;
  free(memory);
}

int serve(void) {
  int64_t chunk = number("chunk", "262144");
  int file = open(option("file", NULL), O_RDONLY);
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_ROUTER);
  bind_socket(socket);
  int64_t offset = 0;
  while (1) { // One credit is one chunk; the first byte says whether it is the transfer's first.
    zmq_msg_t client, credit;
    zmq_msg_init(&client);
    zmq_msg_init(&credit);
    if (zmq_msg_recv(&client, socket, 0) < 0 || zmq_msg_recv(&credit, socket, 0) < 0) die("receive");
    if (*(char *)zmq_msg_data(&credit)) offset = 0;
    zmq_msg_close(&credit);
    char *memory = malloc(chunk);
    ssize_t count = pread(file, memory, chunk, offset);
    if (count < 0) die("read");
    offset += count;
    zmq_msg_t data;
    zmq_msg_init_data(&data, memory, count, release, NULL);
    zmq_msg_send(&client, socket, ZMQ_SNDMORE);
    zmq_msg_send(&data, socket, 0);
  }
}

int fetch(void) {
  int64_t bytes = number("bytes", NULL), chunk = number("chunk", "262144"), window = number("window", "8");
  const char *path = option("to", NULL);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) die("open");
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_DEALER);
  if (zmq_connect(socket, option("endpoint", NULL)) != 0) die("connect");
  int64_t start = now(), asked = 0, done = 0;
  for (; asked < window && asked * chunk < bytes; asked++) zmq_send(socket, asked ? "\0" : "\1", 1, 0);
  while (done < bytes) {
    zmq_msg_t data;
    zmq_msg_init(&data);
    if (zmq_msg_recv(&data, socket, 0) < 0) die("receive");
    if (asked * chunk < bytes) {
      zmq_send(socket, "\0", 1, 0);
      asked++;
    }
    if (pwrite(file, zmq_msg_data(&data), zmq_msg_size(&data), done) < 0) die("write");
    done += zmq_msg_size(&data);
    zmq_msg_close(&data);
  }
  if (fsync(file) != 0) die("fsync");
  printf("result frames=1 cpu=%ld late=0 p50=%ld p99=0\n", (long)cpu(), (long)(now() - start));
  return 0;
}
