#ifndef CCONNECTIONS_PEER_STREAM_H
#define CCONNECTIONS_PEER_STREAM_H

#include <stddef.h>
#include <stdint.h>

/// What is known of the bytes that a peer has sent: ZMTP 3 (RFC 23, RFC 26). Begins with zeros.
struct CConnections_stream {
  /// The bytes of messages and commands behind the handshake, without pings and pongs, which libzmq
  /// answers by itself: a peer may send them for years. Only grows.
  uint64_t counted;
  /// Whether the handshake is over, and whether the peer encrypts.
  int is_over;
  int is_encrypted;
  /// The state of the handshake: how many bytes have come, where the present frame begins, where
  /// its size ends, that size, how many frames have come, and how much of a routing id's name.
  uint64_t position;
  uint64_t frame_start;
  uint64_t size_end;
  uint64_t size;
  unsigned frames;
  unsigned matched;
  /// The number of the last encrypted frame.
  uint64_t nonce;
  /// How many parts the message has that has not ended yet.
  unsigned parts;
  /// When a frame last counted as an encrypted ping, in milliseconds.
  int64_t last_ping;
  /// The frame behind the handshake that has not ended yet.
  struct CConnections_frame {
    int has_begun;
    int is_command;
    int has_more;
    /// Bytes of its size and of its payload that are to come.
    unsigned size_left;
    uint64_t left;
    /// Bytes of its payload that have come.
    uint64_t payload;
    /// Bytes that count unless the frame turns out to be a ping.
    uint64_t held;
    int may_be_ping;
    int is_ping;
    /// The number of an encrypted frame.
    uint64_t nonce;
  } frame;
};

/// Reads the next bytes of a peer, and renames the routing id among its properties. No input or
/// output, and no state but the stream's.
/// - now: Milliseconds of a clock that never goes back.
/// Returns 0 if the connection must end: its stream may not be used any more.
int CConnections_take(
  struct CConnections_stream *stream, unsigned char *bytes, size_t count, int64_t now);

#endif
