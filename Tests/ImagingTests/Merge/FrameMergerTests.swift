import Imaging
import TestSupport
import Testing

struct FrameMergerTests {
  static let formats: [PixelFormat] =
    PixelFormat.encodable.filter(\.isMergeable) + [.rgb565, .rgb32, .xbgr32]
  private static let size = ImageSize(width: 256, height: 192)

  let merger = FrameMerger()

  /// Frames with noise of their own.
  func frames(
    _ scene: MergeScene, _ truths: [[UInt8]], _ deviation: Double, growth: Double = 0,
    _ random: inout SeededGenerator
  ) -> [[UInt8]] {
    truths.map { scene.noisy($0, deviation, &random, growth: growth) }
  }

  @Test(arguments: formats)
  func `Four frames of a still scene have about half the noise`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, ImageSize(width: 160, height: 120))
    var random = SeededGenerator(for: "merge \(format)")
    let truth = scene.clean()
    for deviation in [3.0, 6, 10] {
      let frames = frames(scene, Array(repeating: truth, count: 4), deviation, &random)
      let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      let (single, error) = (scene.error(frames[0], truth), scene.error(merged, truth))
      // Five bits are too few for much less noise.
      let most = format == .rgb565 ? 0.7 : 0.6
      #expect(error < most * single, "\(deviation): \(single) became \(error)")
      #expect(report.mergedCount == 4)
      #expect(report.leftOutCount == 0)
      #expect(report.shifts == [.none, .none, .none])
      let found = report.noise / scene.scale
      #expect(abs(found - single) < 0.2 * single, "\(found) is measured of \(single)")
    }
  }

  @Test func `More frames have less noise`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge more")
    let truth = scene.clean()
    let frames = frames(scene, Array(repeating: truth, count: 9), 6, &random)
    var last = scene.error(frames[0], truth)
    for count in [2, 3, 4, 6, 8] {
      let (merged, report) = try merger.merge(frames[0], Array(frames[1..<count]), scene.layout)
      let error = scene.error(merged, truth)
      #expect(error < 0.95 * last, "\(count) frames have \(error)")
      #expect(report.mergedCount == count)
      last = error
    }
    // The sums have no room for a ninth one.
    let (_, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    #expect(report.mergedCount == FrameMerger.maximumFrames)
    #expect(report.leftOutCount == 1)
  }

  @Test(arguments: [(8, 3.0), (8, 10), (24, 6), (40, 10)])
  func `A moving marker is as good as in the reference, and leaves no ghost`(
    step: Int, deviation: Double
  ) throws {
    var random = SeededGenerator(for: "merge marker \(step) \(deviation)")
    for format in [PixelFormat.grey, .yuyv, .nv12, .y10, .bayerRGGB8] {
      let scene = try MergeScene(format, Self.size)
      let truths = (0..<4).map { index in
        scene.clean(marker: .init(x: 60 + step * index, y: 40 + step / 2 * index))
      }
      let frames = frames(scene, truths, deviation, &random)
      let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      let background = scene.samples(scene.clean())
      let places = truths.map { zip(scene.samples($0), background).map { $0 != $1 } }
      let isMarker = { (index: Int) in places[0][index] }
      let isGhost = { (index: Int) in !isMarker(index) && places.contains { $0[index] } }
      for (name, area) in [("marker", isMarker), ("ghost", isGhost)] {
        let single = scene.error(frames[0], truths[0], where: area)
        let error = scene.error(merged, truths[0], where: area)
        #expect(error <= 1.01 * single, "\(format), \(name): \(single) became \(error)")
      }
      #expect(scene.error(merged, truths[0]) < 0.65 * scene.error(frames[0], truths[0]))
      #expect(report.mergedCount == 4)
    }
  }

  @Test(arguments: [PixelFormat.grey, .y12])
  func `Where something moves the samples are the reference's own`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, Self.size)
    var random = SeededGenerator(for: "merge own \(format)")
    let truths = (0..<4).map { scene.clean(marker: .init(x: 60 + 40 * $0, y: 60)) }
    let frames = frames(scene, truths, 6, &random)
    let (merged, _) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    let (found, own) = (scene.samples(merged), scene.samples(frames[0]))
    for y in 60..<84 {
      for x in 60..<84 { #expect(found[y * 256 + x] == own[y * 256 + x]) }
    }
  }

  @Test func `A faint moving block does no harm`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge faint")
    let background = scene.clean()
    for contrast in [2, 4, 6, 8, 12, 20] as [UInt8] {
      let truths = (0..<4).map { index in
        var truth = background
        for y in 80..<130 {
          for x in (10 + 60 * index)..<(60 + 60 * index) { truth[y * 256 + x] += contrast }
        }
        return truth
      }
      let frames = frames(scene, truths, 6, &random)
      let (merged, _) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      let isMoving = { (index: Int) in truths.contains { $0[index] != background[index] } }
      let single = scene.error(frames[0], truths[0], where: isMoving)
      let error = scene.error(merged, truths[0], where: isMoving)
      #expect(error <= single, "contrast \(contrast): \(single) became \(error)")
    }
  }

  @Test(arguments: [PixelFormat.grey, .yuyv, .nv12, .rgb24, .y10, .bayerGRBG8])
  func `Frames of a shaking camera are aligned`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, Self.size)
    var random = SeededGenerator(for: "merge shifts \(format)")
    let truth = scene.clean()
    let single = scene.error(scene.noisy(truth, 6, &random), truth)
    for shifts in [[(2, 4), (-8, 6), (14, -12)], [(32, 20), (-30, -22), (0, 32)]] {
      let shifts = shifts.map { FrameShift(x: $0.0, y: $0.1) }
      let truths = [truth] + shifts.map { scene.clean(shift: $0) }
      let frames = frames(scene, truths, 6, &random)
      let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      #expect(report.shifts == shifts)
      let error = scene.error(merged, truth)
      #expect(error < 0.65 * single, "\(single) became \(error)")
    }
  }

  @Test(arguments: [PixelFormat.grey, .yuyv, .nv12, .yu12, .rgb24])
  func `Luma and colours are aligned to odd pixels too`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, Self.size)
    var random = SeededGenerator(for: "merge odd shifts \(format)")
    let shifts = [(3, -1), (-5, 7), (1, 1)].map { FrameShift(x: $0.0, y: $0.1) }
    let truths = [scene.clean()] + shifts.map { scene.clean(shift: $0) }
    let frames = frames(scene, truths, 6, &random)
    let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    #expect(report.shifts == shifts)
    #expect(scene.error(merged, truths[0]) < 0.65 * scene.error(frames[0], truths[0]))
  }

  @Test(arguments: [PixelFormat.bayerRGGB8, .bayerBGGR10])
  func `Colours of a mosaic are never mixed`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, Self.size)
    var random = SeededGenerator(for: "merge mosaic \(format)")
    let truths = [(0, 0), (3, 0), (-1, 5)].map { scene.clean(shift: FrameShift(x: $0.0, y: $0.1)) }
    let frames = frames(scene, truths, 6, &random)
    let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    #expect(report.shifts.allSatisfy { $0.x.isMultiple(of: 2) && $0.y.isMultiple(of: 2) })
    #expect(scene.error(merged, truths[0]) <= scene.error(frames[0], truths[0]))
  }

  @Test(arguments: [PixelFormat.grey, .yuyv, .y12])
  func `A frame of another scene is left out, whichever comes first`(_ format: PixelFormat) throws {
    let scene = try MergeScene(format, Self.size)
    var random = SeededGenerator(for: "merge other \(format)")
    let truth = scene.clean()
    for others in [[scene.clean(seed: 1), truth], [truth, scene.clean(seed: 1)]] {
      let frames = frames(scene, [truth] + others, 6, &random)
      let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      #expect((report.mergedCount, report.leftOutCount) == (2, 1))
      #expect(scene.error(merged, truth) < 0.8 * scene.error(frames[0], truth))
    }
  }

  @Test func `Pure noise is not a frame of a scene`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge pure noise")
    let truth = scene.clean()
    let noise = truth.map { _ in UInt8.random(in: 60...200, using: &random) }
    let frames = frames(scene, [truth, truth], 6, &random)
    let (merged, report) = try merger.merge(frames[0], [noise, frames[1]], scene.layout)
    #expect((report.mergedCount, report.leftOutCount) == (2, 1))
    #expect(scene.error(merged, truth) < 0.8 * scene.error(frames[0], truth))
  }

  @Test func `A blurred frame is left out`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge blurred")
    let truth = scene.clean()
    let frames = frames(scene, [truth, scene.blurred(truth, across: 9), truth], 3, &random)
    let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    #expect((report.mergedCount, report.leftOutCount) == (2, 1))
    #expect(scene.error(merged, truth) < 0.8 * scene.error(frames[0], truth))
  }

  @Test func `A brighter frame is left out, and a little brighter one does no harm`() throws {
    let scene = try MergeScene(.yuyv, Self.size)
    var random = SeededGenerator(for: "merge brighter")
    let truth = scene.clean()
    for (brightness, count) in [(1.0, 3), (3, 3), (20, 2), (40, 2)] {
      let truths = [truth, scene.clean(brightness: brightness), truth]
      let frames = frames(scene, truths, 6, &random)
      let (merged, report) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
      #expect(report.mergedCount == count, "\(brightness)")
      #expect(scene.error(merged, truth) < 0.8 * scene.error(frames[0], truth))
    }
  }

  @Test func `A reference without partners stays as it is`() throws {
    for format in Self.formats {
      let scene = try MergeScene(format, ImageSize(width: 40, height: 30))
      var random = SeededGenerator(for: "merge alone \(format)")
      let frame = scene.noisy(scene.clean(), 6, &random)
      let (merged, report) = try merger.merge(frame, [], scene.layout)
      #expect(merged == frame, "\(format)")
      #expect((report.mergedCount, report.leftOutCount, report.noise) == (1, 0, 0))
    }
  }

  @Test func `Identical frames stay as they are`() throws {
    for format in Self.formats {
      let scene = try MergeScene(format, ImageSize(width: 80, height: 60))
      let frame = scene.clean()
      let (merged, report) = try merger.merge(frame, [frame, frame, frame], scene.layout)
      #expect(merged == frame, "\(format)")
      #expect(report.mergedCount == 4)
    }
  }

  @Test func `Noise that grows with the brightness is averaged everywhere`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge growing")
    // From dark to bright, so that all brightnesses occur.
    let truth = (0..<256 * 192).map { (index: Int) -> UInt8 in UInt8(30 + index % 256 / 2) }
    let frames = frames(scene, Array(repeating: truth, count: 4), 2, growth: 5, &random)
    let (merged, _) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    for columns in [16..<64, 104..<152, 192..<240] {
      let area = { (index: Int) in columns.contains(index % 256) }
      let single = scene.error(frames[0], truth, where: area)
      let error = scene.error(merged, truth, where: area)
      #expect(error < 0.6 * single, "\(columns): \(single) became \(error)")
    }
  }

  @Test func `Saturated areas do not spoil the rest`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge saturated")
    let truth = scene.clean().enumerated().map { $0.offset % 256 > 128 ? 255 : $0.element }
    let frames = frames(scene, Array(repeating: truth, count: 4), 6, &random)
    let (merged, _) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    let isTextured = { (index: Int) in index % 256 < 118 }
    #expect(
      scene.error(merged, truth, where: isTextured)
        < 0.6 * scene.error(frames[0], truth, where: isTextured))
  }

  @Test func `Noise that neighbours share is averaged too`() throws {
    let scene = try MergeScene(.grey, Self.size)
    var random = SeededGenerator(for: "merge shared")
    let truth = scene.clean()
    let grey = [UInt8](repeating: 128, count: truth.count)
    let frames = (0..<4).map { _ in
      let noise = scene.blurred(scene.noisy(grey, 20, &random), across: 5)
      return zip(truth, noise).map { UInt8(clamping: Int($0) + Int($1) - 128) }
    }
    let (merged, _) = try merger.merge(frames[0], Array(frames[1...]), scene.layout)
    #expect(scene.error(merged, truth) < 0.6 * scene.error(frames[0], truth))
  }
}
