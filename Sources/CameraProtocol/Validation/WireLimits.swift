/// The limits of the protocol, for requests and for both sides.
package enum WireLimits {
  /// The longest time that a request may wait, in nanoseconds: a day.
  package static let wait: UInt64 = 86_400_000_000_000
  /// The largest `past_ns` and `no_older_than_ns`, in nanoseconds: an hour.
  package static let age: UInt64 = 3_600_000_000_000
  /// The most requests that one client may have under way.
  package static let requestsPerClient = 64
  /// The most fields of a request, those of its body and of its settings included.
  package static let requestFields = 4096
  /// The most bytes of one field of a request.
  package static let fieldByteCount = 128 << 10
  /// The most streams in one request to configure them.
  package static let streams = 32

  /// The largest side of an image in pixels.
  package static let imageSide: UInt32 = 16_384
  /// Frames a second. A camera that may deliver less often seems to have stopped.
  package static let frameRates = 0.001...1000.0
  /// Degrees clockwise.
  package static let rotations: [UInt32] = [0, 90, 180, 270]
  package static let pixelFormatByteCount = 16
  package static let quality: UInt32 = 100
  package static let reasonByteCount = 200
  /// The longest name of an input in bytes: the path of a camera that plays files is one.
  package static let inputByteCount = 4096
  package static let holderByteCount = 64
  /// How long a lease lasts without a request, in nanoseconds.
  package static let leaseTerms: ClosedRange<UInt64> = 1_000_000_000...600_000_000_000
  /// The lowest limit of a movie's size in bytes, so that a frame fits.
  package static let movieByteCount: UInt64 = 64 << 10
  /// How long a file of a recording in segments is, in nanoseconds.
  package static let segmentDurations: ClosedRange<UInt64> = 1_000_000_000...86_400_000_000_000
  /// The lowest number of bytes that end a file of a recording in segments.
  package static let segmentByteCount: UInt64 = 1 << 20
  /// The most that a clip has before and after its trigger, in nanoseconds.
  package static let clipBefore: UInt64 = 60_000_000_000
  package static let clipAfter: UInt64 = 3_600_000_000_000
  /// The most cameras whose subject areas trigger clips.
  package static let clipTriggers = 64
  /// The most that the movie of a live photo has before and after its frame, in nanoseconds.
  package static let liveMovie: UInt64 = 5_000_000_000
  /// How often a recording tells how far it is, in nanoseconds.
  package static let progressIntervals: ClosedRange<UInt64> = 100_000_000...3_600_000_000_000
  /// Bits a second of a video.
  package static let bitRates: ClosedRange<UInt64> = 10_000...1_000_000_000
  /// Bits a second of the sound of a movie.
  package static let soundBitRates: ClosedRange<UInt64> = 6_000...512_000
  /// The longest time from one key picture of a video to the next, in nanoseconds.
  package static let keyIntervals: ClosedRange<UInt64> = 100_000_000...60_000_000_000

  /// The longest name of a control in bytes.
  package static let controlNameByteCount = 64
  /// The most controls in one request to get them.
  package static let controlNames = 256
  /// The fastest ramp of a zoom, in doublings a second.
  package static let rampRate = 64.0
  /// The most settings in one request.
  package static let settings = 64
  /// The most elements of an array and bytes of a string in a control's value.
  package static let elements = 4096
  /// The most bytes of a compound control's value.
  package static let compoundByteCount = 64 << 10

  /// The most pictures of a burst, and the most frames from one of them to the next.
  /// A camera's photos of one client that are under way, and those of them that wait or are being
  /// encoded.
  package static let photos = 24
  package static let unmadePhotos = 12
  package static let burstPictures: UInt32 = 100
  package static let burstStep: UInt32 = 30
  /// The most shots of a bracket, the largest step in exposure values, and the longest exposure in
  /// nanoseconds.
  package static let shots = 16
  package static let exposureValues = -16.0...16.0
  package static let exposures: ClosedRange<UInt64> = 1...3_600_000_000_000
  /// The distances of a matte, metres: those of 16 bits in millimetres.
  package static let distances = 0.0...65.535

  /// The most assets in one reply.
  package static let assets: UInt32 = 1000
  /// The most assets in one request to delete or protect them.
  package static let changedAssets = 256
  /// The longest name of an asset, and its longest tag, in characters (Unicode scalars); and the
  /// most tags of an asset.
  package static let assetNameLength = 128
  package static let tagLength = 64
  package static let tags = 32
  /// The most bytes of the name and the tags of one asset, and of those of all files of a request,
  /// so that answers are not too long.
  package static let labelByteCount = 2560
  package static let requestLabelByteCount = 128 << 10
  /// The most files that the reply of a repair or a comparison names.
  package static let upkeepFiles = 100
  /// About how many bytes of assets are in a page of a list at most.
  package static let assetsByteCount = 512 << 10
  /// The length of the cursor of a list of assets, in bytes.
  package static let pageByteCount = 16
  /// The most ranges in a replay request, and the most bytes of events in its reply.
  package static let replayRanges = 64
  package static let replayByteCount = 512 << 10
  /// The largest picture attached to a reply, in bytes.
  package static let inlineByteCount = 1 << 20
  /// The size of one chunk of a download in bytes.
  package static let chunkByteCount = 256 << 10
  /// The highest credit of a download in chunks, and its default.
  package static let credit: UInt32 = 64
  package static let defaultCredit: UInt32 = 8
}
