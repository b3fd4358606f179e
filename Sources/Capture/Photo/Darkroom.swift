import Imaging
import OperatingSystem

/// Has the files of one camera's photos made, on the encoders' threads. Confined to the frame loop.
final class Darkroom {
  /// Called when there is room for more.
  var onTurn: (() -> Void)?
  /// Files that wait for an encoder's thread or are being made on one.
  private(set) var processing = 0

  private let encoders: EncoderPool
  // Those that are encoded, and those on their way to clients and to the disk.
  private var pictures: JPEGPool

  /// - Parameter limit: the most JPEGs in memory.
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

  /// Has one of several frames chosen, and perhaps a picture made of all.
  /// - Parameter onEnd: called before there is room for more.
  func choose(
    _ frames: [Frame], around moment: Frame, isMerged: Bool,
    onEnd: @escaping (ChosenPicture) -> Void
  ) {
    processing += 1
    encoders.developPhoto(
      ChooseJob(frames, around: moment, isMerged: isMerged) { [weak self] chosen in
        self?.processing -= 1
        onEnd(chosen)
        self?.onTurn?()
      }, isPlain: false)
  }

  /// Has all files of a picture made. Their results go to the photo.
  func develop(_ chosen: ChosenPicture, _ resolved: ResolvedPhoto, of photo: PhotoInProgress) {
    for (index, file) in photo.request.order.files.enumerated() {
      let frame = file.format.keepsFrame ? chosen.frame : chosen.merged ?? chosen.frame
      develop(frame, as: file, index, resolved, of: photo)
    }
  }

  /// Has a proxy made, and the frames kept. The results go to the photo.
  func keep(
    _ frames: [Frame], _ resolved: ResolvedPhoto, around moment: Frame, _ place: PhotoPlace,
    of photo: PhotoInProgress
  ) {
    let order = photo.request.order.immediate
    let plate = PhotoPlate(
      moment, as: order.files[0], of: order, turned: photo.orientation, resolved,
      photo.request.facts)
    guard let draft = pictures.take(for: plate.geometry.size) else {
      return photo.fail(.overloaded("all memory for pictures is in use"))
    }
    processing += 1
    let kept = KeptFrames(
      order: photo.request.order, orientation: photo.orientation, facts: photo.request.facts,
      picture: resolved.picture, place: place, frames: frames, moment: moment)
    encoders.developPhoto(
      KeepJob(plate, kept, into: draft, memory: encoders.memory) { [weak self] result in
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
    let plate = PhotoPlate(
      frame, as: file, of: order, turned: photo.orientation, resolved, photo.request.facts)
    let draft = file.format == .jpeg ? pictures.take(for: plate.geometry.size) : nil
    guard draft != nil || file.format != .jpeg else {
      return photo.fail(.overloaded("all memory for pictures is in use"))
    }
    processing += 1
    encoders.developPhoto(
      DevelopJob(plate, into: draft, encoders: encoders) { [weak self] in
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
