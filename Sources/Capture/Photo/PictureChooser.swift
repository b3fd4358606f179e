import Imaging
import OperatingSystem

/// Chooses the sharpest of a photo's frames, and merges them. Each encoder's thread has its own.
final class PictureChooser {
  private let reader: PictureReader
  private let sharpness = Sharpness()
  private let merger = FrameMerger()

  init(_ reader: PictureReader) {
    self.reader = reader
  }

  /// - Parameters:
  ///   - moment: The frame of the moment among them.
  ///   - candidates: The numbers of those that may be chosen; nil for all.
  ///   - isMerged: Whether one picture is made of all.
  /// - Returns: `moment` alone if the frames cannot be compared.
  func choose(
    _ frames: [Frame], around moment: Frame, among candidates: ClosedRange<UInt64>?, isMerged: Bool
  ) -> ChosenPicture {
    let pictures = frames.compactMap { frame in uncompressed(frame).map { (frame, $0) } }
    guard let own = pictures.first(where: { $0.0 === moment }) else {
      return ChosenPicture(frame: moment)
    }
    var (best, detail) = (own, measure(own.1) * PhotoPrioritization.distinction)
    for picture in pictures where picture.0 !== moment {
      guard candidates?.contains(picture.0.metadata.sequence) != false else { continue }
      let value = measure(picture.1)
      if value > detail { (best, detail) = (picture, value) }
    }
    guard isMerged, pictures.count > 1 else { return ChosenPicture(frame: best.0) }
    let others = pictures.filter { $0.0 !== best.0 }.map(\.1)
    return (try? merge(best.1, others, of: best.0)) ?? ChosenPicture(frame: best.0)
  }

  private func measure(_ picture: Frame) -> Double {
    picture.withBytes { (try? sharpness.measure($0, layout: picture.layout)) ?? 0 }
  }

  private func merge(
    _ reference: Frame, _ others: [Frame], of frame: Frame
  ) throws(ImagingError) -> ChosenPicture {
    try reference.withBytes { (bytes) throws(ImagingError) in
      try merger.begin(bytes, layout: reference.layout)
    }
    for other in others where other.layout == reference.layout {
      try other.withBytes { (bytes) throws(ImagingError) in _ = try merger.add(bytes) }
    }
    var draft = FrameDraft.single(reference.layout.byteCount, reference.layout)
    let report = try draft.withBytes { (output) throws(ImagingError) in
      try merger.finish(into: &output)
    }
    guard report.mergedCount > 1 else { return ChosenPicture(frame: frame) }
    let merged = draft.seal(
      layout: reference.layout, metadata: frame.metadata, byteCount: reference.layout.byteCount)
    return ChosenPicture(frame: frame, merged: merged, mergedCount: report.mergedCount)
  }

  /// The frame itself, or a JPEG's planes; nil if it is damaged or cannot be compared.
  private func uncompressed(_ frame: Frame) -> Frame? {
    guard frame.layout.pixelFormat.isCompressed else { return frame }
    return try? decode(frame)
  }

  private func decode(_ frame: Frame) throws(ImagingError) -> Frame? {
    let header = try frame.withBytes { (bytes) throws(ImagingError) in try JPEGHeader(bytes) }
    let format: PixelFormat
    switch header.subsampling {
    case .grey: format = .grey
    case .yuv422: format = .yuv422p
    default: format = .yu12
    }
    let picture = try frame.withBytes { (bytes) throws(ImagingError) in
      try reader.planar(
        bytes, layout: frame.layout, as: format == .yu12 ? .yuv420 : nil)
    }
    var layout = try ImageLayout(size: picture.size, pixelFormat: format, range: .full)
    layout.orientation = frame.layout.orientation
    guard layout.byteCount == picture.bytes.count else { return nil }
    var draft = FrameDraft.single(layout.byteCount, layout)
    unsafe draft.copyBytes(of: picture.bytes.span.bytes)
    return draft.seal(layout: layout, metadata: frame.metadata, byteCount: layout.byteCount)
  }
}

/// What a photo is made of.
struct ChosenPicture: Sendable {
  /// The frame whose moment the photo shows.
  var frame: Frame
  /// The picture that was made of several frames, if one was.
  var merged: Frame?
  /// The number of frames that were merged.
  var mergedCount = 1

  var picture: Frame { merged ?? frame }

  /// What becomes a file of this format.
  func picture(for format: PhotoFormat) -> Frame { format.keepsFrame ? frame : picture }
}
