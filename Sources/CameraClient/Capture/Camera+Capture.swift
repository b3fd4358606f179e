package import CameraProtocol
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
  ///   - settings: What the photo is to be. A file of more than 256 MiB is `tooLarge` to come with
  ///     it, and only in the node's library.
  ///   - timeout: How long to wait, from the moment that ``CaptureTime`` names if that lies ahead;
  ///     nil is the configuration's. Files that take long to make are waited for.
  /// - Throws: `notRunning` while the camera is stopped, the error of its device while it is
  ///   interrupted; `unsupportedFormat`, `invalidArgument`, `storageFull`, `frameUnavailable`,
  ///   `interrupted`, `busy`; `outcomeUnknown` when the node restarted meanwhile and the library
  ///   has no such photo, or the photo was not to be kept; `tooLarge`; `unreachable`, `timedOut`,
  ///   `closed`, `cancelled`.
  public func capture(
    _ time: CaptureTime = .now,
    _ settings: PhotoSettings = PhotoSettings(),
    timeout: Duration? = nil
  ) async throws(CameraBusError) -> Photo {
    var steps = captureSteps(time, settings, timeout: timeout).makeAsyncIterator()
    while let step = try await steps.next(isolation: #isolation) {
      if case .didFinish(let photo) = step { return photo }
    }
    throw .endedEarly
  }

  /// Takes a photo and reports every step of it, the last with its bytes. The request is sent at
  /// once.
  ///
  /// Arguments and errors are those of ``capture(_:_:timeout:)``.
  public func captureSteps(
    _ time: CaptureTime = .now,
    _ settings: PhotoSettings = PhotoSettings(),
    timeout: Duration? = nil
  ) -> CaptureSequence {
    CaptureSequence(
      CaptureOrder(
        time: time, settings: settings, timeout: timeout ?? bus.configuration.requestTimeout),
      of: self)
  }

  /// Takes pictures of frames that follow each other, under one request, and reports every step of
  /// them, the last ones with their bytes. The request is sent at once.
  ///
  /// A frame that is lost has no picture: ``ResolvedCapture/frameSequence`` shows the gap. If not
  /// all pictures can be taken, the error says how many files are in the library.
  ///
  /// The errors are those of ``capture(_:_:timeout:)``.
  /// - Parameters:
  ///   - count: How many pictures, 1 to 100.
  ///   - every: One of so many frames is taken, 1 to 30.
  ///   - time: Which frame is the first.
  ///   - settings: What each picture is to be. A burst is kept, and of the stream's size.
  ///   - timeout: How long to wait for all frames; nil is the configuration's, and more for long
  ///     bursts.
  public func burst(
    _ count: Int,
    every: Int = 1,
    from time: CaptureTime = .now,
    _ settings: PhotoSettings = PhotoSettings(),
    timeout: Duration? = nil
  ) -> CaptureSequence {
    // At five frames a second and more.
    let length = Duration.milliseconds(200) * max(0, count) * max(1, every)
    return CaptureSequence(
      CaptureOrder(
        time: time, settings: settings, burst: (count, every),
        timeout: timeout ?? bus.configuration.requestTimeout + length),
      of: self)
  }

  /// Takes a picture for each shot, with other settings of the controls, under one request, and
  /// reports every step of them, the last ones with their bytes. The request is sent at once.
  ///
  /// Each frame is proven to have been taken with its shot: ``ResolvedCapture/shot`` says with
  /// what, and how that is known. If it cannot be proven of one, the bracket fails with
  /// `deviceFailed`. At its end, also by an error, the controls are as they were before. None of
  /// its frames is from before the request.
  ///
  /// The errors are those of ``capture(_:_:timeout:)``, and those of setting controls.
  /// - Parameters:
  ///   - shots: What each picture is taken with: 1 to 16.
  ///   - settings: What each picture is to be. A bracket is of the stream's size, and kept if it
  ///     has several pictures.
  ///   - timeout: How long to wait for all frames; nil is the configuration's, and more for each
  ///     shot.
  public func bracket(
    _ shots: [BracketShot],
    _ settings: PhotoSettings = PhotoSettings(),
    timeout: Duration? = nil
  ) -> CaptureSequence {
    // Some thirty frames for each, at ten frames a second and more.
    let length = Duration.seconds(3) * shots.count
    return CaptureSequence(
      CaptureOrder(
        time: .next, settings: settings, bracket: shots,
        timeout: timeout ?? bus.configuration.requestTimeout + length),
      of: self)
  }
}

/// How photos are to be taken.
package struct CaptureOrder {
  /// Photos of at most this many bytes come with the reply; larger ones are downloaded.
  static let inlineLimit: UInt32 = 1 << 20
  /// How long a node may need for the next step of files that take long to make.
  private static let patience = Duration.seconds(120)

  var time: CaptureTime
  var settings = PhotoSettings()
  var burst: (count: Int, every: Int)?
  var bracket: [BracketShot]?
  /// The prepared shot that is committed, and its lease; nil for other photos.
  var shot: (id: RequestID, lease: RequestID)?
  /// How far the moment lies ahead; nil where this machine's clock tells.
  var lead: Duration?
  var timeout: Duration

  package init(
    time: CaptureTime, settings: PhotoSettings = PhotoSettings(),
    burst: (count: Int, every: Int)? = nil, bracket: [BracketShot]? = nil,
    shot: (id: RequestID, lease: RequestID)? = nil, lead: Duration? = nil, timeout: Duration
  ) {
    self.time = time
    self.settings = settings
    self.burst = burst
    self.bracket = bracket
    self.shot = shot
    self.lead = lead
    self.timeout = timeout
  }

  /// How long to wait from now.
  var wait: Duration { min(timeout + (lead ?? time.lead), PendingRequests.Rule.longest) }

  /// How long to wait for each step after the frame is chosen; nil to wait no longer than that.
  var stepWait: Duration? { hasSteps || settings.isSlow ? max(timeout, Self.patience) : nil }

  var pictures: Int { burst?.count ?? bracket?.count ?? 1 }

  /// Whether there are several files.
  private var hasSteps: Bool { pictures > 1 || settings.totalFileCount > 1 }

  /// - Parameter camera: A camera's name; empty for a node's only one.
  package func request(_ camera: String) throws(CameraBusError) -> WireRequest.OneOf_Body {
    try Arguments.check(time)
    try Arguments.checkPositive(timeout, "timeout")
    if let shot { return .shotCommit(try commit(shot.id, camera)) }
    var request = try description(camera)
    request.when = time.wire
    return .capture(request)
  }

  /// What is taken, whenever that is.
  func description(_ camera: String) throws(CameraBusError) -> WireCaptureRequest {
    var request = WireCaptureRequest()
    request.camera = camera
    try settings.fill(&request)
    if let burst {
      try Arguments.check(burst.count, in: 1...WireLimits.burstPictures, "count")
      try Arguments.check(burst.every, in: 1...WireLimits.burstStep, "every")
      request.burst = .with {
        $0.pictures = UInt32(burst.count)
        $0.every = UInt32(burst.every)
      }
    }
    if let bracket {
      try Arguments.check(bracket.count, in: 1...UInt32(WireLimits.shots), "shots")
      request.bracket.shots = bracket.map(\.wire)
    }
    request.inlineLimit = hasSteps ? 0 : Self.inlineLimit
    return request
  }

  private func commit(
    _ shot: RequestID, _ camera: String
  ) throws(CameraBusError) -> WireShotCommitRequest {
    var commit = WireShotCommitRequest()
    commit.camera = camera
    commit.shot = shot.data
    switch time {
    case .atMonotonic(let moment): commit.atMonotonicNs = moment.nanoseconds
    case .atWall(let moment): commit.atWallNs = moment.nanoseconds
    case .now, .next, .past, .noOlderThan:
      throw Arguments.refusal("a shot is of a certain moment: name one", "time")
    }
    return commit
  }
}
