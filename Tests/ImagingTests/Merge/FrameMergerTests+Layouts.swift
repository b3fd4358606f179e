import Imaging
import TestSupport
import Testing

/// Pictures of all sizes and layouts, and those that cannot be merged.
extension FrameMergerTests {
  @Test(
    arguments: ImageSize.each(
      (1, 1), (2, 2), (1, 40), (40, 1), (3, 5), (5, 9), (9, 9), (16, 16), (17, 31), (33, 2)))
  func `Pictures of any size are merged`(_ size: ImageSize) throws {
    var random = SeededGenerator(for: "merge \(size)")
    for format in Self.formats {
      let scene = try MergeScene(format, size)
      let truth = scene.clean()
      let frames = frames(scene, Array(repeating: truth, count: 4), 4, &random)
      let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      #expect(report.mergedCount + report.leftOutCount == 4)
      // Each sample is a mean of the frames' samples.
      let all = frames.map(scene.samples)
      for (index, sample) in scene.samples(merged).enumerated() {
        let range = all.map { $0[index] }
        #expect(sample >= range.min() ?? 0 && sample <= range.max() ?? 0, "\(format) \(index)")
      }
    }
  }

  @Test(arguments: [PixelFormat.yuyv, .nv12, .yu12, .grey, .rgb24, .y10])
  func `Bytes beyond the width of rows are neither read nor written`(
    _ format: PixelFormat
  ) throws {
    let size = ImageSize(width: 62, height: 46)
    let scene = try MergeScene(format, size)
    let padded = try MergeScene(format, size, bytesPerLine: scene.layout.bytesPerLine + 10)
    var random = SeededGenerator(for: "merge padded \(format)")
    let frame = scene.noisy(scene.clean(), 4, &random)
    let rows = padded.spread(frame, of: scene, padding: 0)
    let others = [1, 2].map { padded.spread(frame, of: scene, padding: $0) }
    let (merged, report) = try merger.merge(rows, others, padded.layout)
    #expect(report.mergedCount == 3)
    #expect(merged == padded.spread(frame, of: scene, padding: 77))
  }

  @Test func `One merger makes pictures of different layouts`() throws {
    var random = SeededGenerator(for: "merge reused")
    for format in [PixelFormat.yuyv, .y16, .nv12, .grey, .yuyv] {
      for size in ImageSize.each((64, 48), (160, 120), (20, 20)) {
        let scene = try MergeScene(format, size)
        let frames = frames(scene, Array(repeating: scene.clean(), count: 3), 5, &random)
        let reused = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
        let fresh = try FrameMerger().merge(frames[0], Array(frames[1...]), scene.layout)
        #expect(reused.bytes == fresh.bytes)
        #expect(reused.report == fresh.report)
      }
    }
  }

  @Test func `A frame with too few bytes is refused`() throws {
    for format in Self.formats {
      let layout = try ImageLayout(size: ImageSize(width: 30, height: 20), pixelFormat: format)
      let whole = [UInt8](repeating: 90, count: layout.byteCount)
      let short = Array(whole.dropLast())
      let codes = [
        #expect(throws: ImagingError.self) { try merger.merge(short, [whole], layout) }?.code,
        #expect(throws: ImagingError.self) { try merger.merge(whole, [short], layout) }?.code,
        #expect(throws: ImagingError.self) { try merger.merge(whole, [[]], layout) }?.code,
      ]
      #expect(codes.allSatisfy { $0 == .shortInput })
      let error = #expect(throws: ImagingError.self) {
        try merger.merge(whole, [whole], layout, capacity: whole.count - 1)
      }
      #expect(error?.code == .shortOutput)
    }
  }

  @Test func `Compressed pictures and depth are refused`() throws {
    let size = ImageSize(width: 30, height: 20)
    let layouts = [
      ImageLayout.compressed(.mjpeg, size: size), try ImageLayout(size: size, pixelFormat: .z16),
    ]
    for layout in layouts {
      let bytes = [UInt8](repeating: 0, count: 5000)
      let error = #expect(throws: ImagingError.self) { try merger.merge(bytes, [], layout) }
      #expect(error?.code == .unsupportedFormat)
    }
  }
}
