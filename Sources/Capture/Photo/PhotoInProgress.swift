import Imaging
import OperatingSystem

/// A request for photos that is being served: how many of its pictures are taken, and whether it
/// has ended. Confined to the frame loop.
final class PhotoInProgress {
  let request: PhotoRequest
  /// The one in force when it was made.
  let orientation: Orientation
  /// Pictures whose frames are taken.
  private(set) var taken = 0
  /// Whether it has failed.
  private(set) var isOver = false

  init(_ request: PhotoRequest, orientation: Orientation) {
    self.request = request
    self.orientation = orientation.merged(with: request.order.orientation)
  }

  /// Whether one frame is enough for all of it.
  var isOfOneFrame: Bool {
    !request.order.isBurst && request.order.plannedPrioritization == .speed
  }
  /// Pictures that are still to be taken.
  var rest: Int { request.order.pictures - taken }

  /// Tells what will be made.
  /// - Parameter source: The frames of the stream; nil while nobody knows them.
  func begin(of source: PhotoSource?) {
    request.onStep(
      .willBegin(
        PhotoPlan(
          request.order, of: source, turned: orientation,
          reachesBack: source != nil && request.timing.reachesBack)))
  }

  /// Why a frame lies too far from the moment asked for; nil if it does not. The pictures after
  /// the first follow it, however far from the moment that is.
  func misfit(of frame: Frame, at moment: MonotonicTime) -> CaptureError? {
    guard taken == 0, let tolerance = request.order.tolerance else { return nil }
    let offset = (frame.metadata.timestamp - moment).wholeNanoseconds
    guard offset.magnitude > tolerance.magnitude else { return nil }
    return .outsideTolerance(tolerance, offset: offset)
  }

  /// The error when its time is over.
  var deadlineExceeded: CaptureError {
    guard taken > 0 else { return .deadlineExceeded }
    return CaptureError(
      .deadlineExceeded,
      "only \(taken) of \(request.order.pictures) frames came before the request's deadline: wait longer"
    )
  }

  func fail(_ error: CaptureError) {
    guard !isOver else { return }
    isOver = true
    request.onStep(.failed(error))
  }

  /// Tells that a picture's frame is about to be taken: it is too late to cancel.
  func beginTaking() {
    taken += 1
    request.onStep(.willCapture(taken))
  }

  /// Tells that a picture is taken of this frame.
  /// - Parameters:
  ///   - picture: The number of the picture.
  ///   - place: Where the frame lies in time.
  func take(_ chosen: ChosenPicture, picture: Int, _ place: PhotoPlace) -> ResolvedPhoto {
    let resolved = ResolvedPhoto(
      picture, of: chosen, place, request.order.immediate, turned: orientation)
    request.onStep(.captured(resolved))
    return resolved
  }

  func finish(_ file: PhotoFile, _ index: Int, of resolved: ResolvedPhoto) {
    guard !isOver else { return }
    request.onStep(.processed(resolved, file, index))
  }

  func keep(_ proxy: PhotoFile, _ photo: DeferredPhoto, of resolved: ResolvedPhoto) {
    guard !isOver else { return }
    request.onStep(.deferred(resolved, proxy, photo))
  }
}

extension ResolvedPhoto {
  /// - Parameters:
  ///   - number: That of the picture.
  ///   - orientation: How the picture is to be turned.
  init(
    _ number: Int, of chosen: ChosenPicture, _ place: PhotoPlace, _ order: PhotoOrder,
    turned orientation: Orientation
  ) {
    let frame = chosen.picture
    let file = order.files[0]
    let geometry = order.geometry(of: file.format, PhotoSource(frame.layout), orientation)
    let isPassthrough = order.passes(frame, as: file, geometry)
    self.init(
      picture: number,
      metadata: frame.metadata.pictured(geometry.turn),
      size: geometry.size,
      orientation: geometry.turn,
      offset: frame.metadata.timestamp.nanoseconds - place.moment.nanoseconds,
      isPassthrough: isPassthrough,
      quality: isPassthrough || !file.format.losesDetail ? nil : file.quality,
      prioritization: place.prioritization,
      mergedCount: chosen.mergedCount,
      start: place.start,
      gap: place.gap,
      shot: place.shot,
      flash: place.flash)
  }
}

/// How a frame was found for a photo.
struct PhotoPlace: Codable {
  /// From which the photo's offset is counted.
  var moment: MonotonicTime
  var prioritization = PhotoPrioritization.speed
  /// The numbers of the frames whose moment the photo may show; nil for any that it is made of.
  var candidates: ClosedRange<UInt64>?
  /// As in ``ResolvedPhoto``.
  var start: Int64 = 0
  var gap: Int64 = 0
  var shot: ResolvedShot?
  var flash: ControlEffect.Basis?
}

extension PhotoOrder {
  /// Whether a file may keep the camera's own JPEG.
  func canPass(_ file: PhotoFileOrder) -> Bool {
    file.format == .jpeg && !file.isReencoded && dimensions == nil
  }

  /// Whether a file keeps the camera's own JPEG, if need be turned without loss.
  func passes(_ frame: Frame, as file: PhotoFileOrder, _ geometry: FileGeometry) -> Bool {
    canPass(file) && frame.layout.pixelFormat.isCompressed && frame.metadata.crop == 1
      && frame.canTurn(geometry.turn)
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
