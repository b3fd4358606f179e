import CameraProtocol
import Capture
import OperatingSystem

/// The movie of a live photo, which is being made beside the photo's files.
@ControlLoop final class LiveMovie {
  /// When the photo's frame was taken.
  let moment: MonotonicTime
  /// The same moment of the wall clock, nanoseconds since 1970.
  let wallClock: Int64
  /// Whether the photo has failed, so that nobody wants its movie.
  private(set) var isAbandoned = false
  private let outcomes: AsyncStream<WireLiveMovie>
  private let outcome: AsyncStream<WireLiveMovie>.Continuation

  init(of photo: ResolvedPhoto) {
    let frame = photo.metadata
    moment = frame.timestamp
    wallClock = frame.timestamp.nanoseconds + frame.wallClock.offset
    (outcomes, outcome) = AsyncStream.makeStream()
  }

  func finish(_ result: WireLiveMovie) {
    outcome.yield(result)
    outcome.finish()
  }

  func abandon() { isAbandoned = true }

  /// Waits until it is in the library, or there is none.
  var result: WireLiveMovie {
    get async {
      for await outcome in outcomes { return outcome }
      return WireLiveMovie()
    }
  }
}
