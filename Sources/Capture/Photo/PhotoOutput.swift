import EventLoop
import Imaging
import OperatingSystem

/// Takes photos with one camera: chooses their frames and has files made of them.
///
/// At most `maximumWaiting` requests wait; further ones fail with `overloaded` at once. At most
/// `maximumProcessing` files are encoded at a time, because each holds the camera's memory. While
/// there are as many, requests wait although their frames are there, and each fails only if the
/// ring loses its frame.
package final class PhotoOutput {
  package static let maximumWaiting = 48
  package static let maximumProcessing = 16

  private struct Waiting {
    var photo: PhotoInProgress
    var target: PhotoTarget
    var timer: LoopTimer
    /// Whether its frame is there, and it waits for its turn to be encoded.
    var hasFrame = false

    var request: PhotoRequest { photo.request }
  }

  /// Called when the number of waiting requests or of pictures being encoded changes.
  package var onLoadChange: ((PhotoLoad) -> Void)?
  package private(set) var load = PhotoLoad() {
    didSet { if load != oldValue { onLoadChange?(load) } }
  }

  /// How photos that are asked for from now on are turned.
  var orientation = Orientation.upright

  /// Whether pictures show whole frames from now on.
  var isWhole = true

  /// Nanoseconds from one frame to the next.
  var interval = PipelineLimits.assumedInterval

  /// Called when requests may be served that wait for their turn to be encoded.
  var onTurn: (() -> Void)?

  private let loop: EventLoop
  private let processor: PhotoProcessor
  private let effects: EffectWatch
  private var waiting: [Waiting] = []
  private var format: StreamFormat?
  private var hasFrames = false
  /// Why there is no stream; nil if the camera is idle, so that photos wait for its next one.
  private var lastEnd: CaptureError? = CaptureError(
    .notRunning, "the camera has not started: start its session")
  /// When the stream began, if the camera was idle before.
  private var wakeUp: MonotonicTime?

  init(loop: EventLoop, encoders: EncoderPool, effects: EffectWatch) {
    self.loop = loop
    self.effects = effects
    processor = PhotoProcessor(encoders: encoders, limit: Self.maximumWaiting)
    processor.onTurn = { [weak self] in
      guard let self else { return }
      load.processing = processor.processing
      onTurn?()
    }
  }

  func begin(_ format: StreamFormat) {
    self.format = format
    hasFrames = false
    wakeUp = lastEnd == nil ? .now : nil
  }

  /// Ends requests that wait for a frame, unless the camera will stream again. Pictures that are
  /// being encoded are still finished.
  func end(_ error: CaptureError?) {
    format = nil
    lastEnd = error
    // The next stream counts its frames anew, so a burst that has begun cannot go on with it.
    for entry in takeAll(where: { error != nil || $0.photo.taken > 0 }) {
      entry.photo.fail(error ?? .streamEnded)
    }
  }

  func request(_ request: PhotoRequest, ring: borrowing FrameRing) {
    let photo = PhotoInProgress(request, orientation: orientation)
    if format == nil {
      if let lastEnd { return photo.fail(lastEnd) }
      if isOfPast(request) { return photo.fail(.beforeStart) }
    }
    guard isPossible(photo) else { return }
    let target = PhotoTarget(
      request.timing, asked: request.asked, newest: ring.newest, after: effects.lastID,
      start: request.start)
    switch target.decide(ring, interval: interval, first: first(for: target)) {
    case .take(let frame):
      if let misfit = photo.misfit(of: frame, at: target.moment) { return photo.fail(misfit) }
      let isLast = hasTurn(for: photo) && !waiting.contains(where: \.hasFrame)
      guard isLast, photo.isOfOneFrame else {
        wait(photo, target: target, hasFrame: !isLast)
        // Its frames may all be there.
        return receive(ring: ring)
      }
      photo.begin(of: source)
      take([frame], frame, for: photo, place(target, for: photo))
    case .tooOld:
      photo.fail(.tooOld(reach: ring.reach))
    case .wait:
      wait(photo, target: target)
    }
  }

  /// Takes how the frames are to be turned so that they are upright.
  func follow(_ orientation: Orientation) {
    format?.layout.orientation = orientation
    hasFrames = true
  }

  /// The frames of the stream; nil while there is none. How a camera's JPEGs are to be turned is
  /// known from the first one on.
  private var source: PhotoSource? {
    guard let format else { return nil }
    var source = PhotoSource(format.layout)
    source.isOrientationKnown = hasFrames || !format.layout.pixelFormat.isCompressed
    source.isWhole = isWhole
    return source
  }

  /// Whether the photo may still be taken. One that certainly fails ends here.
  private func isPossible(_ photo: PhotoInProgress) -> Bool {
    let request = photo.request
    do throws(CaptureError) {
      try request.timing.check(deadline: request.deadline)
      if let source { try request.order.check(source, photo.orientation) }
      return true
    } catch {
      photo.fail(error)
      return false
    }
  }

  /// Ends a request that still waits for a frame; false if none with this ticket does.
  package func cancel(_ ticket: UInt64) -> Bool {
    let cancelled = takeAll { $0.request.ticket == ticket }
    for entry in cancelled {
      entry.photo.fail(CaptureError(.cancelled, "the request was cancelled"))
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
      guard !entry.photo.isOver else {
        remove(at: index)
        continue
      }
      switch entry.target.decide(ring, interval: interval, first: first(for: entry.target)) {
      case .wait:
        index += 1
      case .tooOld where entry.hasFrame:
        remove(at: index)
        entry.photo.fail(overload)
      case .take where !hasTurn(for: entry.photo):
        waiting[index].hasFrame = true
        index += 1
      case .tooOld where wasMissed(entry.request):
        remove(at: index)
        entry.photo.fail(.beforeStart)
      case .tooOld where !hasTurn(for: entry.photo):
        index += 1
      case .take(let frame) where awaitsMore(than: frame, entry, ring):
        index += 1
      // The ring was empty when the request came, so its oldest frame is the nearest there was.
      case .take(let frame), .tooOld(let frame):
        if entry.request.deadline <= now {
          // The loop was too busy for the timer.
          remove(at: index)
          entry.photo.fail(entry.photo.deadlineExceeded)
        } else if let misfit = entry.photo.misfit(of: frame, at: entry.target.moment) {
          remove(at: index)
          entry.photo.fail(misfit)
        } else if entry.photo.rest == 1 {
          remove(at: index)
          var place = place(entry.target, for: entry.photo)
          place.prioritization = prioritization(of: entry.photo)
          place.candidates = neighbours(of: frame, for: entry.photo, atMost: .balanced)
          let frames = ring.frames(neighbours(of: frame, for: entry.photo)).filter {
            entry.photo.misfit(of: $0, at: entry.target.moment) == nil
          }
          take(frames, frame, for: entry.photo, place)
        } else {
          // Its next picture waits behind the photos that wait already.
          var rest = waiting.remove(at: index)
          rest.target = PhotoTarget(
            from: frame.metadata.sequence + entry.request.order.every, moment: entry.target.moment)
          rest.hasFrame = false
          waiting.append(rest)
          take([frame], frame, for: entry.photo, place(entry.target, for: entry.photo))
        }
      }
    }
  }

  /// Whether a frame from before it was asked for must show its moment.
  private func isOfPast(_ request: PhotoRequest) -> Bool {
    request.timing.isPast(at: request.asked) && !request.mayFollow
  }

  /// Whether the first frame that could be its came too late: the moment had passed when it was
  /// asked for, or while the camera started.
  private func wasMissed(_ request: PhotoRequest) -> Bool {
    isOfPast(request)
      || request.timing.isOfMoment && !request.mayFollow && start(for: request) > 0
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

  private func wait(_ photo: PhotoInProgress, target: PhotoTarget, hasFrame: Bool = false) {
    guard waiting.count < Self.maximumWaiting else {
      return photo.fail(.overloaded("\(waiting.count) photos wait"))
    }
    photo.begin(of: source)
    let ticket = photo.request.ticket
    let timer = loop.schedule(at: photo.request.deadline) { [weak self] in self?.expire(ticket) }
    waiting.append(Waiting(photo: photo, target: target, timer: timer, hasFrame: hasFrame))
    load.waiting = waiting.count
  }

  private func expire(_ ticket: UInt64) {
    for entry in takeAll(where: { $0.request.ticket == ticket }) {
      entry.photo.fail(
        entry.hasFrame ? overload : entry.photo.deadlineExceeded)
    }
  }

  private func takeAll(where matches: (Waiting) -> Bool) -> [Waiting] {
    let taken = waiting.filter(matches)
    waiting.removeAll(where: matches)
    for entry in taken { entry.timer.cancel() }
    load.waiting = waiting.count
    return taken
  }

  private func hasTurn(for photo: PhotoInProgress) -> Bool {
    load.processing < Self.maximumProcessing && processor.hasRoom(for: photo.request.order)
  }

  /// Why a photo has no turn.
  private var overload: CaptureError {
    .overloaded(
      load.processing < Self.maximumProcessing
        ? "the memory for files is in use"
        : "\(load.processing) files are being made")
  }

  /// Whether further frames that it needs will come in time.
  private func awaitsMore(
    than frame: Frame, _ entry: Waiting, _ ring: borrowing FrameRing
  ) -> Bool {
    let last = neighbours(of: frame, for: entry.photo).upperBound
    guard let newest = ring.newest?.metadata.sequence, newest < last else { return false }
    return entry.request.deadline > .now + .nanoseconds(2 * interval)
  }

  /// The numbers of the frames that a photo is made of. All were taken with the same controls.
  private func neighbours(
    of frame: Frame, for photo: PhotoInProgress, atMost most: PhotoPrioritization = .quality
  ) -> ClosedRange<UInt64> {
    let sequence = frame.metadata.sequence
    let (before, after) = min(prioritization(of: photo), most).neighbours(
      reachesBack: photo.request.timing.isOfNearest)
    let alike = effects.span(of: sequence)
    let first = max(alike.lowerBound, sequence - min(before, sequence))
    return first...min(alike.upperBound, first + before + after)
  }

  private func prioritization(of photo: PhotoInProgress) -> PhotoPrioritization {
    let order = photo.request.order
    // What is made later need not be less now.
    return order.isDeferred
      ? order.plannedPrioritization
      : order.plannedPrioritization.lowered(whileMaking: load.processing)
  }

  private func place(_ target: PhotoTarget, for photo: PhotoInProgress) -> PhotoPlace {
    PhotoPlace(moment: target.moment, start: start(for: photo.request))
  }

  /// How long the request waited for an idle camera to stream, nanoseconds.
  private func start(for request: PhotoRequest) -> Int64 {
    max(request.start, wakeUp.map { ($0 - request.asked).wholeNanoseconds } ?? 0)
  }

  /// Makes the photo of a frame that was taken for it in another format.
  func develop(_ still: StillFrame, for request: PhotoRequest) {
    let photo = PhotoInProgress(request, orientation: orientation)
    guard hasTurn(for: photo) else {
      return photo.fail(overload)
    }
    let place = PhotoPlace(moment: request.asked, start: still.start, gap: still.gap)
    take([still.frame], still.frame, for: photo, place)
  }

  /// Begins the photos of a plan, which chooses their frames itself.
  /// - Returns: Nil if they have been refused.
  func beginShots(_ request: PhotoRequest) -> PhotoInProgress? {
    let photo = PhotoInProgress(request, orientation: orientation)
    guard isPossible(photo) else { return nil }
    photo.begin(of: source)
    return photo
  }

  /// Takes a picture of a plan.
  /// - Returns: False while too many pictures are being made.
  func take(_ frame: Frame, for photo: PhotoInProgress, _ place: PhotoPlace) -> Bool {
    guard hasTurn(for: photo) else { return false }
    take([frame], frame, for: photo, place)
    return true
  }

  /// - Parameters:
  ///   - frames: Of which one is chosen.
  ///   - frame: That of the moment, among them.
  private func take(
    _ frames: [Frame], _ frame: Frame, for photo: PhotoInProgress, _ place: PhotoPlace
  ) {
    processor.take(frames, frame, for: photo, place)
    load.processing = processor.processing
  }
}
