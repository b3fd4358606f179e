/// The numbers of the contract: what a request may hold and what both sides keep to.
package enum WireLimits {
  /// The most a request waits, nanoseconds: a day.
  package static let wait: UInt64 = 86_400_000_000_000
  /// How far `past_ns` and `no_older_than_ns` reach back, nanoseconds: an hour.
  package static let age: UInt64 = 3_600_000_000_000
  /// Requests of one client that may be under way.
  package static let requestsPerClient = 64

  /// Pixels of one side of an image.
  package static let imageSide: UInt32 = 16_384
  /// Frames a second.
  package static let frameRate = 1000.0
  package static let pixelFormatByteCount = 16
  package static let quality: UInt32 = 100

  /// Bytes of a control's name.
  package static let controlNameByteCount = 64
  /// Controls named in one request to get.
  package static let controlNames = 256
  /// Settings in one request to set.
  package static let settings = 64
  /// Elements of an array, and bytes of a string, as a control's value.
  package static let elements = 4096
  /// Bytes of a compound control's value.
  package static let compoundByteCount = 64 << 10

  /// Assets listed by one reply.
  package static let assets: UInt32 = 1000
  /// Ranges of events asked for by one replay, and bytes of events in its reply.
  package static let replayRanges = 64
  package static let replayByteCount = 512 << 10
  /// Bytes of a picture that comes with a reply.
  package static let inlineByteCount = 1 << 20
  /// Bytes of one chunk of a download.
  package static let chunkByteCount = 256 << 10
  /// Chunks that a download may have credit for, and what it has when the request does not say.
  package static let credit: UInt32 = 64
  package static let defaultCredit: UInt32 = 8
}
