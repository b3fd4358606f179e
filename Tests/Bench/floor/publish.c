// The publisher: at every tick it makes one copy into a buffer of a ring and sends three parts, the
// last one without a copy.
#include "floor.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

struct buffer {
  char *memory;
  atomic_int in_use;
};

static void give_back(void *memory, void *hint) {
  (void)memory;
  atomic_store(&((struct buffer *)hint)->in_use, 0);
}

int publish(void) {
  int64_t bytes = number("bytes", NULL), rate = number("rate", NULL), count = number("buffers", "32");
  int64_t header_bytes = number("header", "140");
  const char *topic = option("topic", "frame/cam/full/");
  int queue = 3, linger = 0;
  struct buffer *ring = calloc(count, sizeof *ring);
  for (int i = 0; i < count; i++) memset(ring[i].memory = malloc(bytes), i, bytes);
  char *driver = malloc(bytes), *header = calloc(1, header_bytes);
  memset(driver, 7, bytes);

  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_XPUB);
  zmq_setsockopt(socket, ZMQ_SNDHWM, &queue, sizeof queue);
  zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
  encrypt_socket(socket, 1);
  bind_socket(socket);

  int64_t start = now();
  long next = 0;
  for (int64_t tick = 1;; tick++) {
    int64_t late = (now() - start) * rate / 1000000000;
    // Missed ticks are skipped, never made up for.
    if (late > tick) tick = late;
    sleep_until(start + tick * 1000000000 / rate);
    while (1) { // Take messages about new and ended subscriptions.
      zmq_msg_t change;
      zmq_msg_init(&change);
      int status = zmq_msg_recv(&change, socket, ZMQ_DONTWAIT);
      zmq_msg_close(&change);
      if (status < 0) break;
    }
    int64_t dequeued = now();
    struct buffer *buffer = NULL;
    for (int i = 0; i < count && !buffer; i++) {
      next = (next + 1) % count;
      if (!atomic_load(&ring[next].in_use)) buffer = &ring[next];
    }
    if (!buffer) continue;
    memcpy(buffer->memory, driver, bytes);
    memcpy(header, &dequeued, sizeof dequeued);
    if (zmq_send(socket, topic, strlen(topic), ZMQ_SNDMORE) < 0) die("send");
    if (zmq_send(socket, header, header_bytes, ZMQ_SNDMORE) < 0) die("send");
    zmq_msg_t payload;
    atomic_store(&buffer->in_use, 1);
    zmq_msg_init_data(&payload, buffer->memory, bytes, give_back, buffer);
    if (zmq_msg_send(&payload, socket, 0) < 0) die("send");
  }
}
