import Capture
import Recording

/// What makes the pictures of a stream that is not raw.
enum StreamSource {
  case pictures(EncodedStream)
  case video(VideoStream)

  /// Can be read on any thread.
  var counters: EncodedStream.Counters {
    switch self {
    case .pictures(let stream): stream.counters
    case .video(let stream): stream.counters
    }
  }

  /// Why there are no pictures at present; nil if there are. Can be read on any thread.
  var silence: CaptureError? {
    switch self {
    case .pictures(let stream): stream.silence
    case .video(let stream): stream.silence
    }
  }

  /// What codes a video; nil if nothing does now. Can be read on any thread.
  var encoder: String? {
    if case .video(let stream) = self { stream.encoder } else { nil }
  }

  /// How many pictures for outlets are under way.
  var pending: Int {
    switch self {
    case .pictures(let stream): stream.pendingForAll
    case .video(let stream): stream.waitingFrames
    }
  }

  func add(_ outlet: StreamOutlet) {
    switch self {
    case .pictures(let stream): stream.add(outlet, isThinned: true)
    case .video(let stream): stream.add(outlet, isThinned: true)
    }
  }

  func remove(_ outlet: StreamOutlet) {
    switch self {
    case .pictures(let stream): stream.remove(outlet)
    case .video(let stream): stream.remove(outlet)
    }
  }

  /// Whether it is this object.
  func isSame(as other: StreamSource?) -> Bool {
    switch (self, other) {
    case (.pictures(let own), .pictures(let other)?): own === other
    case (.video(let own), .video(let other)?): own === other
    default: false
    }
  }
}
