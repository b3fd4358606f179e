import CameraProtocol
import OperatingSystem
import SwiftProtobuf

extension Camera {
  /// Takes a photo and waits for its bytes.
  ///
  /// A broken connection never leads to a second photo. Where the node restarted before it
  /// answered, the photo is looked up in its library; ``Photo/resolved`` is nil then. A cancelled
  /// task cancels the photo too, if it is not too late.
  /// - Parameters:
  ///   - time: Which frame to take.
  ///   - size: As the stream, or the largest that the camera has.
  ///   - quality: JPEG quality 1 to 100 where the node encodes; nil leaves it to the node.
  ///   - isKept: Whether the node's library keeps it. A photo that is not kept has at most 1 MiB.
  ///     Any photo has at most 256 MiB.
  ///   - timeout: How long to wait, from the moment that ``CaptureTime`` names if that lies ahead;
  ///     nil is the configuration's.
  /// - Throws: `notRunning` while the camera is stopped, the error of its device while it is
  ///   interrupted; `unsupportedFormat`, `invalidArgument`, `storageFull`, `frameUnavailable`,
  ///   `interrupted`, `busy`; `outcomeUnknown` when the node restarted meanwhile and the library
  ///   has no such photo, or the photo was not to be kept; `unreachable`, `timedOut`, `closed`,
  ///   `cancelled`.
  public func capture(
    _ time: CaptureTime = .now,
    size: PhotoSize = .stream,
    quality: Int? = nil,
    isKept: Bool = true,
    timeout: Duration? = nil
  ) async throws(CameraBusError) -> Photo {
    var steps = captureSteps(time, size: size, quality: quality, isKept: isKept, timeout: timeout)
      .makeAsyncIterator()
    while let step = try await steps.next(isolation: #isolation) {
      if case .didFinish(let photo) = step { return photo }
    }
    throw .endedEarly
  }

  /// Takes a photo and reports every step of it, the last with its bytes. The request is sent at
  /// once.
  ///
  /// Arguments and errors are those of ``capture(_:size:quality:isKept:timeout:)``.
  public func captureSteps(
    _ time: CaptureTime = .now,
    size: PhotoSize = .stream,
    quality: Int? = nil,
    isKept: Bool = true,
    timeout: Duration? = nil
  ) -> CaptureSequence {
    CaptureSequence(
      CaptureOrder(
        time: time,
        size: size,
        quality: quality,
        isKept: isKept,
        timeout: timeout ?? bus.configuration.requestTimeout
      ),
      of: self
    )
  }
}

/// How a photo is to be taken.
struct CaptureOrder {
  /// Photos of at most this many bytes come with the reply; larger ones are downloaded.
  static let inlineLimit: UInt32 = 1 << 20

  var time: CaptureTime
  var size = PhotoSize.stream
  var quality: Int?
  var isKept: Bool
  var timeout: Duration

  /// How long to wait from now.
  var wait: Duration { timeout + time.lead }

  func request(_ camera: Camera) throws(CameraBusError) -> WireRequest.OneOf_Body {
    let quality = try Arguments.quality(quality)
    try Arguments.check(time)
    try Arguments.checkPositive(timeout, "timeout")
    return .capture(
      .with {
        $0.camera = camera.name
        $0.when = time.wire
        $0.quality = quality
        if size == .maximum { $0.size = .maximum }
        $0.inlineLimit = Self.inlineLimit
        $0.transient = !isKept
      }
    )
  }
}
