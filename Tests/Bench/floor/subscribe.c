// The subscriber: receives parts from one agreed moment to another, or never reads (--stall=1).
#include "floor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

int subscribe(void) {
  int64_t from = number("from", "0"), until = number("until", "0"), first = 0;
  const char *topic = option("topic", "frame/cam/full/");
  int queue = 3, linger = 0, timeout = 3000;
  long limit = 1000000, count = 0;
  int64_t *samples = malloc(limit * sizeof *samples);
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_SUB);
  zmq_setsockopt(socket, ZMQ_RCVHWM, &queue, sizeof queue);
  zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
  zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
  zmq_setsockopt(socket, ZMQ_SUBSCRIBE, topic, strlen(topic));
  encrypt_socket(socket, 0);
  if (zmq_connect(socket, option("endpoint", NULL)) != 0) die("connect");
  if (number("stall", "0")) pause();

  int64_t cpu_before = 0;
  while (1) {
    zmq_msg_t parts[3];
    for (int i = 0; i < 3; i++) {
      zmq_msg_init(&parts[i]);
      if (zmq_msg_recv(&parts[i], socket, 0) < 0) die("receive");
    }
    int64_t received = now(), dequeued;
    memcpy(&dequeued, zmq_msg_data(&parts[1]), sizeof dequeued);
    for (int i = 0; i < 3; i++) zmq_msg_close(&parts[i]);
    if (!first) first = received;
    if (received < from) continue;
    if (!cpu_before) cpu_before = cpu();
    if (received >= until) break;
    if (count < limit) samples[count++] = received - dequeued;
  }
  int64_t spent = cpu() - cpu_before;
  printf("result frames=%ld cpu=%ld late=%d", count, (long)spent, first > from);
  print_percentiles(samples, count);
  printf("\n");
  return 0;
}
