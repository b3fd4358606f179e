package import Imaging

/// Makes the files of a photo that was taken before, on the thread that is for slow work.
// @unchecked: the queue of that thread hands it from one piece of work to the next.
package final class DeferredDevelopment: @unchecked Sendable {
  /// The picture that the files show.
  package let resolved: ResolvedPhoto
  package let files: [PhotoFormat]
  /// What was known of the photo beforehand.
  package let facts: PhotoFacts
  private let kept: KeptFrames
  private let chosen: ChosenPicture
  private let encoder: FrameEncoder
  private let memory: PhotoMemory
  /// That of the frames.
  private let share: PhotoMemory.Share

  /// Chooses the picture, or merges it.
  /// - Throws: `encodingFailed` if the photo cannot be read, or there is no encoder for it.
  init(_ photo: DeferredPhoto, _ memory: PhotoMemory) throws(CaptureError) {
    share = memory.take(photo.bytes.count)
    kept = try photo.read()
    self.memory = memory
    encoder = try FrameEncoder()
    let order = kept.order
    chosen =
      kept.frames.count > 1
      ? encoder.chooser.choose(
        kept.frames, around: kept.moment, among: kept.place.candidates,
        isMerged: order.merges(at: kept.place.prioritization))
      : ChosenPicture(frame: kept.moment)
    resolved = ResolvedPhoto(
      kept.picture, of: chosen, kept.place, order, turned: kept.orientation)
    files = order.files.map(\.format)
    facts = kept.facts
  }

  /// - Parameter index: The file's place in the order.
  func develop(_ index: Int) throws(CaptureError) -> ProcessedPhotoFile {
    let order = kept.order
    let file = order.files[index]
    let source = PhotoFileSource(
      chosen.picture(for: file.format), as: file, of: order, turned: kept.orientation, resolved,
      kept.facts)
    var pictures = JPEGPool(limit: 1, extra: JPEGFactsInsertion.maximumGrowth)
    let draft = file.format == .jpeg ? pictures.take(for: source.geometry.size) : nil
    return try encoder.developer.develop(source, into: draft, memory)
  }
}

extension EncoderPool {
  /// Begins to make the files of a photo that was taken before.
  /// - Throws: `encodingFailed` if it cannot be read; `interrupted` when the node stops.
  package func develop(_ photo: DeferredPhoto) async throws(CaptureError) -> DeferredDevelopment {
    let memory = memory
    return try await pack { () throws(CaptureError) in try DeferredDevelopment(photo, memory) }
  }

  /// Makes a file of such a photo. Others' work comes in between.
  /// - Parameter index: The file's place in the order.
  package func file(
    _ index: Int, of development: DeferredDevelopment
  ) async throws(CaptureError) -> PhotoFile {
    switch try await pack({ () throws(CaptureError) in try development.develop(index) }) {
    case .file(let file): return file
    case .slow(let work):
      let result = await withCheckedContinuation { continuation in
        finish(work) { continuation.resume(returning: $0) }
      }
      return try result.get()
    }
  }
}
