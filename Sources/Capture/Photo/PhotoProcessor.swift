import Imaging
import OperatingSystem

/// Has the files of one camera's photos made, on the encoders' threads. Confined to the frame loop.
final class PhotoProcessor {
  /// Called when there is room for more.
  var onTurn: (() -> Void)?
  /// Files that wait for an encoder's thread or are being made on one.
  private(set) var processing = 0

  private let encoders: EncoderPool
  // Those that are encoded, and those on their way to clients and to the disk.
  private var pictures: JPEGPool

  /// - Parameter limit: The most JPEGs in memory.
  init(encoders: EncoderPool, limit: Int) {
    self.encoders = encoders
    pictures = JPEGPool(limit: limit, extra: JPEGFactsInsertion.maximumGrowth)
  }

  /// Whether there is memory for the files of a picture.
  func hasRoom(for order: PhotoOrder) -> Bool {
    if order.isDeferred { return pictures.hasRoom && encoders.memory.hasRoom }
    return order.files.allSatisfy {
      $0.format == .jpeg ? pictures.hasRoom : encoders.memory.hasRoom
    }
  }

  /// Takes a photo's next picture. Its files are made now, or its frames are kept, so that they can
  /// be made later. The results go to the photo.
  /// - Parameters:
  ///   - frames: Of which one is chosen.
  ///   - moment: The frame of the moment, among them.
  func take(
    _ frames: [Frame], _ moment: Frame, for photo: PhotoInProgress, _ place: PhotoPlace
  ) {
    let order = photo.request.order
    do throws(CaptureError) {
      // The format of an idle camera was not known before.
      try order.check(PhotoSource(moment.layout), photo.orientation)
    } catch {
      return photo.fail(error)
    }
    photo.beginTaking()
    let picture = photo.taken
    if order.isDeferred { return keep(frames, moment, picture, place, of: photo) }
    guard frames.count > 1 else {
      return develop(ChosenPicture(frame: moment), picture, place, of: photo)
    }
    processing += 1
    encoders.developPhoto(
      ChooseJob(
        frames, around: moment, among: place.candidates,
        isMerged: order.merges(at: place.prioritization)
      ) { [weak self] chosen in
        guard let self else { return }
        processing -= 1
        develop(chosen, picture, place, of: photo)
        onTurn?()
      }, isPlain: false)
  }

  /// Has all files of a picture made.
  private func develop(
    _ chosen: ChosenPicture, _ picture: Int, _ place: PhotoPlace, of photo: PhotoInProgress
  ) {
    let resolved = photo.take(chosen, picture: picture, place)
    for (index, file) in photo.request.order.files.enumerated() {
      develop(chosen.picture(for: file.format), as: file, index, resolved, of: photo)
    }
  }

  /// Has a proxy made of the frame of the moment, and the frames kept.
  private func keep(
    _ frames: [Frame], _ moment: Frame, _ picture: Int, _ place: PhotoPlace,
    of photo: PhotoInProgress
  ) {
    var proxy = place
    proxy.prioritization = .speed
    let resolved = photo.take(ChosenPicture(frame: moment), picture: picture, proxy)
    let order = photo.request.order.immediate
    let source = PhotoFileSource(
      moment, as: order.files[0], of: order, turned: photo.orientation, resolved,
      photo.request.facts)
    guard let draft = pictures.take(for: source.geometry.size) else {
      return photo.fail(.overloaded("all memory for pictures is in use"))
    }
    processing += 1
    let kept = KeptFrames(
      order: photo.request.order, orientation: photo.orientation, facts: photo.request.facts,
      picture: picture, place: place, frames: frames, moment: moment)
    encoders.developPhoto(
      KeepJob(source, kept, into: draft, memory: encoders.memory) { [weak self] result in
        self?.processing -= 1
        self?.onTurn?()
        switch result {
        case .success(let (proxy, kept)): photo.keep(proxy, kept, of: resolved)
        case .failure(let error): photo.fail(error)
        }
      }, isPlain: !order.isBurst)
  }

  private func develop(
    _ frame: Frame, as file: PhotoFileOrder, _ index: Int, _ resolved: ResolvedPhoto,
    of photo: PhotoInProgress
  ) {
    let order = photo.request.order
    let source = PhotoFileSource(
      frame, as: file, of: order, turned: photo.orientation, resolved, photo.request.facts)
    let draft = file.format == .jpeg ? pictures.take(for: source.geometry.size) : nil
    guard draft != nil || file.format != .jpeg else {
      return photo.fail(.overloaded("all memory for pictures is in use"))
    }
    processing += 1
    encoders.developPhoto(
      DevelopJob(
        source, of: ObjectIdentifier(photo), into: draft, encoders: encoders
      ) { [weak self] in
        self?.processing -= 1
        self?.onTurn?()
      } onEnd: { result in
        switch result {
        case .success(let made): photo.finish(made, index, of: resolved)
        case .failure(let error): photo.fail(error)
        }
      }, isPlain: file.format == .jpeg && !order.isBurst && order.files.count == 1)
  }
}
