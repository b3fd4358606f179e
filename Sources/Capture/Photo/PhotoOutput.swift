import EventLoop
import Imaging
import OperatingSystem

/// Takes photos with one camera: chooses their frames and makes JPEGs of them.
///
/// At most `maximumWaiting` requests wait; further ones fail with `overloaded` at once. At most
/// `maximumProcessing` pictures are encoded at a time, because each holds the camera's memory.
/// While there are as many, requests wait although their frames are there, and each fails only if
/// the ring loses its frame.
// @unchecked: confined to the frame loop.
package final class PhotoOutput: @unchecked Sendable {
  package static let maximumWaiting = 48
  package static let maximumProcessing = 16

  private struct Waiting {
    var request: PhotoRequest
    var target: PhotoTarget
    var timer: LoopTimer
    /// Whether its frame is there, and it waits for its turn to be encoded.
    var hasFrame = false
  }

  /// Called when the number of waiting requests or of pictures being encoded changes.
  package var onLoadChange: ((PhotoLoad) -> Void)?
  package private(set) var load = PhotoLoad() {
    didSet { if load != oldValue { onLoadChange?(load) } }
  }

  /// How photos that are asked for from now on are turned.
  var orientation = Orientation.upright

  /// Nanoseconds from one frame to the next.
  var interval = PipelineLimits.assumedInterval

  /// Called when requests may be served that wait for their turn to be encoded.
  var onTurn: (() -> Void)?

  private let loop: EventLoop
  private let encoders: EncoderPool
  private let effects: EffectWatch
  private var waiting: [Waiting] = []
  private var format: StreamFormat?
  /// Why there is no stream; nil if the camera is idle, so that photos wait for its next one.
  private var lastEnd: CaptureError? = CaptureError(
    .notRunning, "the camera has not started: start its session")
  /// When the stream began, if the camera was idle before.
  private var wakeUp: MonotonicTime?
  // Those that are encoded, and those on their way to clients and to the disk.
  private var pictures = JPEGPool(limit: maximumWaiting)

  init(loop: EventLoop, encoders: EncoderPool, effects: EffectWatch) {
    self.loop = loop
    self.encoders = encoders
    self.effects = effects
  }

  func begin(_ format: StreamFormat) {
    self.format = format
    wakeUp = lastEnd == nil ? .now : nil
  }

  /// Ends requests that wait for a frame, unless the camera is idle. Pictures that are being
  /// encoded are still finished.
  func end(_ error: CaptureError?) {
    format = nil
    lastEnd = error
    guard let error else { return }
    for entry in takeAll(where: { _ in true }) { entry.request.onStep(.failed(error)) }
  }

  func request(_ request: PhotoRequest, ring: borrowing FrameRing) {
    var request = request
    request.orientation = orientation
    if format == nil {
      if let lastEnd { return request.onStep(.failed(lastEnd)) }
      if request.timing.isPast(at: request.asked) {
        return request.onStep(.failed(.beforeStart))
      }
    }
    do throws(CaptureError) {
      try request.timing.check(deadline: request.deadline)
    } catch {
      return request.onStep(.failed(error))
    }
    let target = PhotoTarget(
      request.timing, asked: request.asked, newest: ring.newest, after: effects.lastID)
    switch target.decide(ring, interval: interval, first: first(for: target)) {
    case .take(let frame):
      guard hasTurn, !waiting.contains(where: \.hasFrame) else {
        return wait(request, target: target, hasFrame: true)
      }
      request.onStep(.willBegin)
      take(frame, for: request, target: target)
    case .tooOld:
      request.onStep(.failed(.tooOld(reach: ring.reach)))
    case .wait:
      wait(request, target: target)
    }
  }

  /// Ends a request that still waits for its frame; false if none with this ticket does.
  package func cancel(_ ticket: UInt64) -> Bool {
    let cancelled = takeAll { $0.request.ticket == ticket }
    for entry in cancelled {
      entry.request.onStep(.failed(CaptureError(.cancelled, "the request was cancelled")))
    }
    return !cancelled.isEmpty
  }

  /// Serves the requests that waited for the ring's newest frame or for their turn.
  func receive(ring: borrowing FrameRing) {
    guard !waiting.isEmpty else { return }
    let now = MonotonicTime.now
    var index = 0
    while index < waiting.count {
      let entry = waiting[index]
      switch entry.target.decide(ring, interval: interval, first: first(for: entry.target)) {
      case .wait:
        index += 1
      case .tooOld where entry.hasFrame:
        remove(at: index)
        entry.request.onStep(.failed(.overloaded("\(load.processing) pictures are being made")))
      case .take where !hasTurn:
        waiting[index].hasFrame = true
        index += 1
      case .tooOld where entry.request.timing.isOfMoment && start(for: entry.request) > 0:
        remove(at: index)
        entry.request.onStep(.failed(.beforeStart))
      case .tooOld where !hasTurn:
        index += 1
      // The ring was empty when the request came, so its oldest frame is the nearest there was.
      case .take(let frame), .tooOld(let frame):
        remove(at: index)
        if entry.request.deadline <= now {
          // The loop was too busy for the timer.
          entry.request.onStep(.failed(.deadlineExceeded))
        } else {
          take(frame, for: entry.request, target: entry.target)
        }
      }
    }
  }

  /// The first frame that it may show; nil while nobody knows it.
  private func first(for target: PhotoTarget) -> UInt64? {
    guard let change = target.change else { return 0 }
    return effects.firstOfNow(after: change)
  }

  private func remove(at index: Int) {
    waiting.remove(at: index).timer.cancel()
    load.waiting = waiting.count
  }

  private func wait(_ request: PhotoRequest, target: PhotoTarget, hasFrame: Bool = false) {
    guard waiting.count < Self.maximumWaiting else {
      return request.onStep(.failed(.overloaded("\(waiting.count) photos wait")))
    }
    request.onStep(.willBegin)
    let ticket = request.ticket
    let timer = loop.schedule(at: request.deadline) { [weak self] in self?.expire(ticket) }
    waiting.append(Waiting(request: request, target: target, timer: timer, hasFrame: hasFrame))
    load.waiting = waiting.count
  }

  private func expire(_ ticket: UInt64) {
    for entry in takeAll(where: { $0.request.ticket == ticket }) {
      entry.request.onStep(.failed(.deadlineExceeded))
    }
  }

  private func takeAll(where matches: (Waiting) -> Bool) -> [Waiting] {
    let taken = waiting.filter(matches)
    waiting.removeAll(where: matches)
    for entry in taken { entry.timer.cancel() }
    load.waiting = waiting.count
    return taken
  }

  private var hasTurn: Bool { load.processing < Self.maximumProcessing }

  /// How long the request waited for an idle camera to stream, nanoseconds.
  private func start(for request: PhotoRequest) -> Int64 {
    wakeUp.map { max(0, ($0 - request.asked).wholeNanoseconds) } ?? 0
  }

  /// Makes the photo of a frame that was taken for it in another format.
  func develop(_ still: StillFrame, for request: PhotoRequest) {
    var request = request
    request.orientation = orientation
    guard hasTurn else {
      return request.onStep(.failed(.overloaded("\(load.processing) pictures are being made")))
    }
    let target = PhotoTarget(.next, asked: request.asked, newest: nil)
    take(still.frame, for: request, target: target, gap: still.gap, start: still.start)
  }

  private func take(
    _ frame: Frame, for request: PhotoRequest, target: PhotoTarget, gap: Int64 = 0,
    start: Int64? = nil
  ) {
    let orientation = request.orientation
    let isPassthrough =
      frame.layout.pixelFormat.isCompressed && frame.metadata.crop == 1
      && frame.canTurn(orientation)
    let resolved = ResolvedPhoto(
      metadata: frame.metadata.pictured(orientation),
      size: orientation.turned(frame.layout.size),
      orientation: orientation,
      offset: frame.metadata.timestamp.nanoseconds - target.moment.nanoseconds,
      isPassthrough: isPassthrough,
      quality: isPassthrough ? nil : request.quality,
      start: start ?? self.start(for: request),
      gap: gap
    )
    request.onStep(.willCapture)
    request.onStep(.captured(resolved))
    if isPassthrough, orientation == .upright {
      return request.onStep(.processed(resolved, readable(frame)))
    }
    guard let draft = pictures.take(for: resolved.size) else {
      return request.onStep(.failed(.overloaded("all memory for pictures is in use")))
    }
    load.processing += 1
    let job = EncodeJob(
      frame, into: draft, size: nil, orientation: orientation, quality: request.quality
    ) { [weak self] result in
      self?.load.processing -= 1
      switch result {
      case .success(let picture): request.onStep(.processed(resolved, picture))
      case .failure(let error): request.onStep(.failed(error))
      }
      self?.onTurn?()
    }
    encoders.encodePhoto(job)
  }

  /// The camera's own picture with the Huffman tables that motion JPEG may leave out, so that every
  /// program can read it.
  private func readable(_ frame: Frame) -> Frame {
    let isWhole = frame.withBytes { !JPEGHuffmanTables.areMissing(in: $0) }
    let needed = frame.byteCount + JPEGHuffmanTables.byteCount
    guard !isWhole, var draft = pictures.take(for: frame.layout.size), needed <= draft.capacity,
      let byteCount = frame.withBytes({ image in
        draft.withBytes { JPEGHuffmanTables.insert(into: image, writing: &$0) }
      })
    else { return frame }
    return draft.seal(layout: frame.layout, metadata: frame.metadata, byteCount: byteCount)
  }
}

extension Frame {
  /// Whether this JPEG can be turned without being encoded again.
  func canTurn(_ orientation: Orientation) -> Bool {
    if orientation == .upright { return true }
    return withBytes { image in
      guard let header = try? JPEGHeader(image) else { return false }
      return JPEGTurner.canTurn(header, orientation)
    }
  }
}

extension CaptureError {
  static var deadlineExceeded: CaptureError {
    CaptureError(
      .deadlineExceeded,
      "no frame came before the request's deadline: wait longer, or check status"
    )
  }

  fileprivate static func overloaded(_ what: String) -> CaptureError {
    CaptureError(.overloaded, "\(what) already: try again when the camera is ready")
  }

  fileprivate static var beforeStart: CaptureError {
    CaptureError(
      .frameUnavailable,
      "the camera did not stream at that moment and had no frames: ask for a later moment",
      field: "when"
    )
  }

  fileprivate static func tooOld(reach: Int64) -> CaptureError {
    let seconds = (Double(reach) / 1e7).rounded() / 100
    return CaptureError(
      .frameUnavailable,
      "the ring of recent frames reaches back \(seconds) s: ask for a later moment",
      field: "when"
    )
  }
}
