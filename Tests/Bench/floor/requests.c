// Sends a request and its reply again and again, from DEALER to ROUTER and back, with the bus's
// sizes.
#include "floor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

int answer(void) {
  int64_t bytes = number("reply", "200"), attachment = number("attachment", "0");
  char *reply = calloc(1, bytes + 1), *data = calloc(1, attachment + 1);
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_ROUTER);
  bind_socket(socket);
  while (1) {
    zmq_msg_t parts[3];
    for (int i = 0; i < 3; i++) {
      zmq_msg_init(&parts[i]);
      if (zmq_msg_recv(&parts[i], socket, 0) < 0) die("receive");
    }
    zmq_msg_send(&parts[0], socket, ZMQ_SNDMORE);
    zmq_msg_send(&parts[1], socket, ZMQ_SNDMORE);
    zmq_msg_close(&parts[2]);
    zmq_send(socket, reply, bytes, attachment ? ZMQ_SNDMORE : 0);
    if (attachment) zmq_send(socket, data, attachment, 0);
  }
}

int ask(void) {
  int64_t bytes = number("request", "40"), rounds = number("rounds", NULL), warm = rounds / 10;
  char *request = calloc(1, bytes + 1);
  int64_t *samples = malloc(rounds * sizeof *samples), cpu_before = 0;
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_DEALER);
  if (zmq_connect(socket, option("endpoint", NULL)) != 0) die("connect");
  for (long round = -warm; round < rounds; round++) {
    if (round == 0) cpu_before = cpu();
    int64_t sent = now();
    zmq_send(socket, "CB1", 3, ZMQ_SNDMORE);
    zmq_send(socket, request, bytes, 0);
    int more;
    do {
      zmq_msg_t part;
      zmq_msg_init(&part);
      if (zmq_msg_recv(&part, socket, 0) < 0) die("receive");
      more = zmq_msg_more(&part);
      zmq_msg_close(&part);
    } while (more);
    if (round >= 0) samples[round] = now() - sent;
  }
  printf("result frames=%ld cpu=%ld late=0", (long)rounds, (long)(cpu() - cpu_before));
  print_percentiles(samples, rounds);
  printf("\n");
  return 0;
}
