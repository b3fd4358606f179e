#include "PeerStream.h"

// ZMTP 3 (RFC 23): a greeting of 64 bytes, and then a frame with the peer's properties. A frame is
// a byte of flags, its size in one byte or in eight, and as many bytes.
//
// With CURVE (RFC 26) there are two frames: HELLO, and INITIATE with the properties, encrypted.
// libzmq keeps a list of the properties, which takes 30 times as much memory as their bytes.
enum { signature_end = 9, version = 10, mechanism = 12, greeting_size = 64, largest_frame = 2048 };
enum { has_more = 1, is_long = 2, is_command = 4 };
// Where INITIATE has its number: behind its name and the cookie.
enum { initiate_nonce = 9 + 96, nonce_size = 8 };

// Reads a byte of the handshake, and takes the routing id out of it by a change of the property's
// name. Returns 0 if the connection must end.
//
// With a routing id a peer could take over that of another client, whose replies it would get.
// libzmq would not notice the end of the former connection if its peer went on to send, so its
// descriptor would stay open for ever. And libzmq ends the process if the id is the next that it
// gives to a peer. Peers of a version before 3 have their routing id elsewhere and are refused.
static int read_handshake(struct CConnections_stream *stream, unsigned char *next) {
  static const char property[] = "\x08Identity";
  const uint64_t position = stream->position++;
  const unsigned char byte = *next;
  if (position == 0 && byte != 0xff) return 0;
  if (position == signature_end && !(byte & 1)) return 0;
  if (position == version && byte < 3) return 0;
  if (position == mechanism) stream->is_encrypted = byte == 'C';
  if (position < greeting_size) return 1;
  if (position == greeting_size) stream->frame_start = position;
  if (position == stream->frame_start) {
    stream->size_end = position + (byte & is_long ? 9 : 2);
    stream->size = 0;
    return 1;
  }
  if (position < stream->size_end) {
    stream->size = stream->size << 8 | byte;
  } else if (byte == property[stream->matched]) {
    stream->matched++;
  } else {
    stream->matched = byte == property[0];
  }
  if (stream->matched == sizeof property - 1) {
    *next = '-';
    stream->matched = 0;
  }
  const uint64_t nonce = stream->size_end + initiate_nonce;
  if (stream->frames == 1 && position >= nonce && position < nonce + nonce_size) {
    stream->nonce = stream->nonce << 8 | byte;
  }
  if (position + 1 < stream->size_end) return 1;
  if (stream->size > largest_frame) return 0;
  if (position + 1 < stream->size_end + stream->size) return 1;
  stream->frame_start = position + 1;
  stream->frames++;
  stream->is_over = stream->frames == (stream->is_encrypted ? 2 : 1);
  return 1;
}

// A ping that is longer than any honest one counts, because libzmq keeps it until all of it has
// come.
enum { longest_ping = 64 };

// CURVE hides commands. A frame with as many bytes as a ping or a pong of libzmq counts as one, but
// no more often than an honest peer sends them.
static int is_encrypted_ping(struct CConnections_stream *stream, uint64_t size, int64_t now) {
  enum { encryption = 33, pong = encryption + 5, ping = encryption + 7, interval = 400 };
  if ((size != ping && size != pong) || now - stream->last_ping < interval) return 0;
  stream->last_ping = now;
  return 1;
}

// The shortest encrypted frame: name, number, checksum and flags.
enum { encrypted_header = 8 + nonce_size, shortest_encrypted = encrypted_header + 16 + 1 };

// Reads the header of an encrypted frame: its name and its number, which must rise (RFC 26).
// Returns 0 if it is not as it must be. libzmq refuses such a frame too, but reports it to its
// monitor first, which changes errno (curve_mechanism_base.cpp, 4.3.4). Then it takes the refusal
// for a full queue, and keeps the connection for ever.
static int read_encrypted(struct CConnections_stream *stream, unsigned char byte) {
  static const char name[] = "\x07MESSAGE";
  struct CConnections_frame *frame = &stream->frame;
  if (frame->payload < sizeof name - 1) return byte == (unsigned char)name[frame->payload];
  frame->nonce = frame->nonce << 8 | byte;
  if (frame->payload + 1 < encrypted_header) return 1;
  if (frame->nonce <= stream->nonce) return 0;
  stream->nonce = frame->nonce;
  return 1;
}

// Reads at least one byte of a frame, and returns how many; 0 if the connection must end.
static size_t read_frame(
  struct CConnections_stream *stream, const unsigned char *bytes, size_t count, int64_t now
) {
  struct CConnections_frame *frame = &stream->frame;
  if (!frame->has_begun) {
    frame->has_begun = 1;
    frame->is_command = bytes[0] & is_command;
    frame->has_more = bytes[0] & has_more;
    frame->size_left = bytes[0] & is_long ? 8 : 1;
    return 1;
  }
  if (frame->size_left > 0) {
    frame->left = frame->left << 8 | bytes[0];
    if (--frame->size_left > 0 || !stream->is_encrypted) return 1;
    frame->is_ping = is_encrypted_ping(stream, frame->left, now);
    return frame->left >= shortest_encrypted;
  }
  size_t step = 1;
  if (stream->is_encrypted && frame->payload < encrypted_header) {
    if (!read_encrypted(stream, bytes[0])) return 0;
  } else if (!stream->is_encrypted && frame->is_command && frame->payload < 2) {
    // A command's name comes behind its length: "\x04PING", "\x04PONG".
    if (frame->payload == 0) frame->may_be_ping = bytes[0] == 4;
    else frame->is_ping = frame->may_be_ping && bytes[0] == 'P' && frame->left < longest_ping;
  } else {
    step = frame->left < count ? frame->left : count;
  }
  frame->left -= step;
  frame->payload += step;
  return step;
}

int CConnections_take(
  struct CConnections_stream *stream, unsigned char *bytes, size_t count, int64_t now
) {
  size_t index = 0;
  for (; index < count && !stream->is_over; index++) {
    if (!read_handshake(stream, &bytes[index])) return 0;
  }
  struct CConnections_frame *frame = &stream->frame;
  while (index < count) {
    const size_t step = read_frame(stream, bytes + index, count - index, now);
    if (step == 0) return 0;
    index += step;
    frame->held += step;
    const int has_size = frame->has_begun && frame->size_left == 0;
    const int has_ended = has_size && frame->left == 0;
    const int is_known = stream->is_encrypted ? has_size : !frame->is_command || frame->payload > 1;
    if (has_ended || is_known) {
      if (!frame->is_ping) stream->counted += frame->held;
      frame->held = 0;
    }
    if (!has_ended) continue;
    if (!frame->is_command) stream->parts = frame->has_more ? stream->parts + 1 : 0;
    *frame = (struct CConnections_frame){0};
  }
  return 1;
}
