import CaptureSynthetic
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Photos whose files are made later.
struct DeferredPhotoTests {
  private static func order(
    _ formats: [PhotoFormat], _ prioritization: PhotoPrioritization = .speed
  ) -> PhotoOrder {
    var order = PhotoOrder(formats.map { PhotoFileOrder($0) })
    (order.isDeferred, order.prioritization) = (true, prioritization)
    return order
  }

  /// Takes such a photo.
  private static func take(
    _ order: PhotoOrder, by camera: TestCamera
  ) async throws -> (resolved: ResolvedPhoto, proxy: PhotoFile, photo: DeferredPhoto) {
    let steps = await camera.photo(order: order)
    guard case .deferred(let resolved, let proxy, let photo)? = steps.last else {
      throw CaptureError(.deviceFailed, "\(steps.map(\.name))")
    }
    return (resolved, proxy, photo)
  }

  /// Takes one at once and the same one later, of one frame of a camera that stands still.
  @Test(arguments: [PhotoFormat.jpeg, .png, .tiff, .dng, .raw])
  func `A file that is made later is the one that would have been made at once`(
    format: PhotoFormat
  ) async throws {
    try await TestCamera.with("320x240@60,format=RGGB") { camera in
      var order = Self.order([format])
      order.orientation = OrientationChange(rotation: .quarter)
      let (resolved, _, photo) = try await Self.take(order, by: camera)
      // As another start of the node reads it.
      let development = try await camera.encoders.develop(DeferredPhoto(photo.bytes))
      #expect(development.resolved.metadata.sequence == resolved.metadata.sequence)
      #expect(development.resolved.offset == resolved.offset)
      let file = try await camera.encoders.file(0, of: development)

      order.isDeferred = false
      let kept = try photo.read()
      let steps = await camera.photo(
        .at(resolved.metadata.timestamp), order: order)
      guard case .processed(let other, let plain, 0)? = steps.last else {
        throw CaptureError(.deviceFailed, "\(steps.map(\.name))")
      }
      #expect(other.metadata.sequence == kept.moment.metadata.sequence)
      #expect(file.format == plain.format && file.size == plain.size)
      #expect(file.layout == plain.layout)
      #expect(file.bytes == plain.bytes)
    }
  }

  @Test func `The frames for its quality are kept, and merged later`() async throws {
    try await TestCamera.with { camera in
      let (resolved, proxy, photo) = try await Self.take(
        Self.order([.tiff], .quality), by: camera)
      #expect(resolved.prioritization == .speed && resolved.mergedCount == 1)
      #expect(proxy.format == .jpeg)
      #expect(try photo.read().frames.count > 1)
      let development = try await camera.encoders.develop(photo)
      #expect(development.resolved.prioritization == .quality)
      #expect(development.resolved.mergedCount > 1)
    }
  }

  @Test func `Bytes that are cut off or changed are refused, wherever that is`() async throws {
    try await TestCamera.with("160x120@60,format=YUYV") { camera in
      let photo = try await Self.take(Self.order([.png]), by: camera).photo
      #expect(try photo.read().frames.count == 1)
      for count in stride(from: 0, to: photo.bytes.count, by: 211) {
        #expect(throws: CaptureError.self) {
          try DeferredPhoto(Array(photo.bytes.prefix(count))).read()
        }
      }
      // Whatever the note says then, it is refused or it can be read.
      var random = SeededGenerator(seed: 21)
      for _ in 0..<2000 {
        var bytes = photo.bytes
        bytes[Int.random(in: 0..<(bytes.count - 2 * 160 * 120), using: &random)] =
          UInt8.random(in: 0...255, using: &random)
        _ = try? DeferredPhoto(bytes).read()
      }
    }
  }

  @Test func `A proxy can be made of each format of which files can`() async throws {
    try await TestCamera.with("320x240@60,format=Z16") { camera in
      let (_, proxy, _) = try await Self.take(Self.order([.png]), by: camera)
      #expect(proxy.format == .jpeg)
    }
  }
}
