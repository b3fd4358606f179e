/// Merges several frames of one scene into one picture with less noise. Where something moves the
/// result is the reference alone.
///
/// It reads raw formats with samples of 8 or 16 bits, also mosaics. It keeps its memory between
/// pictures: four bytes for each sample of 8 bits, seven for each of 16, so that YUYV takes 8 bytes
/// a pixel, NV12 6, deep grey 7 and RGB 12. Use one per thread.
package final class FrameMerger {
  /// The most frames of which one picture is made, with the reference.
  package static let maximumFrames = 8
  /// A frame whose noise is larger than another frame's by this factor does not match.
  private static let noiseRatio: Float = 1.6
  /// A frame of which less than this share is like the reference does not match.
  private static let leastStaticShare: Float = 0.35

  /// A frame with less than this share of the reference's detail is blurred.
  private static let leastSharpness = 0.6

  private let aligner = FrameAligner()
  private let sharpness = Sharpness()
  private let merger = PlaneMerger()
  private var references: [ReferencePlane] = []
  private var planeCount = 0
  private var layout: ImageLayout?
  private var report = MergeReport()
  private var lowestDeviation = Float.infinity
  private var referenceSharpness = Sharpness.Measure()

  package init() {}

  /// Starts a picture.
  /// - Parameters:
  ///   - reference: The frame that the result looks like. It is copied.
  ///   - layout: The layout of all frames and of the result.
  /// - Throws: `shortInput`, or `unsupportedFormat` for compressed pictures and for depth.
  package func begin(_ reference: RawSpan, layout: ImageLayout) throws(ImagingError) {
    self.layout = nil
    let planes = try SamplePlane.planes(of: layout)
    try Self.check(reference.byteCount, layout)
    while references.count < planes.count { references.append(ReferencePlane()) }
    planeCount = planes.count
    unsafe reference.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      for (reference, plane) in zip(references, planes) { unsafe reference.begin(start, plane) }
      referenceSharpness = unsafe sharpness.measure(start, planes[0])
    }
    self.layout = layout
    report = MergeReport()
    lowestDeviation = .infinity
  }

  /// Adds a frame, unless it does not match the reference or is one too many.
  /// - Returns: Whether it was added.
  /// - Throws: `shortInput`.
  @discardableResult
  package func add(_ frame: RawSpan) throws(ImagingError) -> Bool {
    guard let layout else { preconditionFailure("a frame is added after a reference") }
    try Self.check(frame.byteCount, layout)
    guard report.mergedCount < Self.maximumFrames else {
      report.leftOutCount += 1
      return false
    }
    let isAdded = unsafe frame.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
      return unsafe add(start)
    }
    if isAdded { report.mergedCount += 1 } else { report.leftOutCount += 1 }
    return isAdded
  }

  private func add(_ frame: UnsafePointer<UInt8>) -> Bool {
    guard unsafe !isBlurred(frame) else { return false }
    let shift = unsafe aligner.shift(frame, references[0])
    var noise = unsafe merger.noise(frame, references[0], shift: shift)
    guard noise.staticShare >= Self.leastStaticShare,
      noise.deviation <= Self.noiseRatio * lowestDeviation
    else { return false }
    lowestDeviation = min(lowestDeviation, noise.deviation)
    report.shifts.append(shift)
    // Each of two frames has its share of the difference's noise.
    report.noise = Double(lowestDeviation / Float(2).squareRoot())
    for reference in references[..<planeCount] {
      let shift = shift.inSamples(of: reference.plane)
      if reference !== references[0] {
        noise = unsafe merger.noise(frame, reference, shift: shift)
      }
      unsafe merger.add(frame, to: reference, shift: shift, noise)
    }
    return true
  }

  /// A picture made of texture alone has no flat part in which a blurred frame differs only by
  /// noise.
  private func isBlurred(_ frame: UnsafePointer<UInt8>) -> Bool {
    // The measure of a picture without detail is chance.
    guard referenceSharpness.value > referenceSharpness.noise else { return false }
    let value = unsafe sharpness.measure(frame, references[0].plane).value
    return value < Self.leastSharpness * referenceSharpness.value
  }

  /// Writes the result. Its bytes beyond the width of rows stay as they are. Another picture may
  /// follow with `begin`.
  /// - Parameter output: Room for as many bytes as the layout says. It may be the memory of one of
  ///   the frames.
  /// - Throws: `shortOutput`.
  package func finish(into output: inout MutableRawSpan) throws(ImagingError) -> MergeReport {
    guard let layout else { preconditionFailure("a merge ends after it has begun") }
    guard output.byteCount >= layout.byteCount else {
      throw ImagingError(
        .shortOutput,
        """
        the merged picture takes \(layout.byteCount) bytes, and there is room for \
        \(output.byteCount)
        """
      )
    }
    unsafe output.withUnsafeMutableBytes { bytes in
      guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      for reference in references[..<planeCount] { unsafe reference.finish(into: start) }
    }
    self.layout = nil
    return report
  }

  private static func check(_ byteCount: Int, _ layout: ImageLayout) throws(ImagingError) {
    guard byteCount >= layout.byteCount else {
      throw ImagingError(
        .shortInput,
        """
        a picture of \(layout.size) in \(layout.pixelFormat) has \(layout.byteCount) bytes, and \
        there are \(byteCount)
        """
      )
    }
  }
}

/// Says of what a merged picture was made.
package struct MergeReport: Hashable, Sendable {
  /// The reference and the frames that were added to it.
  package var mergedCount = 1
  /// The frames that did not match the reference, or were too many.
  package var leftOutCount = 0
  /// The standard deviation of one frame's noise in codes of luma, or of what comes first in the
  /// format; 0 if no frame was added.
  package var noise = 0.0
  /// The shifts of the added frames, in pixels.
  package var shifts: [FrameShift] = []
}
