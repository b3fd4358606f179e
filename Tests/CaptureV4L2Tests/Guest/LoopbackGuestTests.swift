import Capture
import Imaging
import TestSupport
import Testing
import V4L2Conversion

@testable import CaptureV4L2

extension GuestTests {
  @Suite struct Loopback {
    private static let size = ImageSize(width: 640, height: 480)

    @Test("A JPEG keeps the camera's bytes without their padding")
    func passthrough() async throws {
      let feeder = try LoopbackFeeder(loopback, .mjpeg, Self.size)
      let running = try RunningCamera(loopback, FormatRequest("MJPG", 640, 480))
      #expect(running.format.layout == .compressed(.mjpeg, size: Self.size))
      for shade in [0, 90, 180] {
        let picture = try Self.picture(shade: UInt8(shade))
        try feeder.write(picture + Array(repeating: 0, count: shade))
        #expect(try await running.nextFrame().bytes == picture)
      }
    }

    @Test("A JPEG without its end counts as truncated, and other bytes as corrupted")
    func damaged() async throws {
      let feeder = try LoopbackFeeder(loopback, .mjpeg, Self.size)
      let running = try RunningCamera(loopback, FormatRequest("MJPG", 640, 480))
      let picture = try Self.picture(shade: 30)
      try feeder.write(Array(picture.prefix(picture.count / 2)))
      #expect(try await running.nextLoss(.truncated) == 1)
      try feeder.write(Array(repeating: 7, count: 1000))
      #expect(try await running.nextLoss(.corrupted) == 1)
      try feeder.write(picture)
      #expect(try await running.nextFrame().bytes == picture)
    }

    @Test("Pictures of another size than the driver says are the format after eight of them")
    func otherSize() async throws {
      let feeder = try LoopbackFeeder(loopback, .mjpeg, Self.size)
      let running = try RunningCamera(loopback, FormatRequest("MJPG", 640, 480))
      let small = ImageSize(width: 320, height: 240)
      let picture = try Self.picture(shade: 30, small)
      var failure: CaptureError?
      // The feeder's first bytes are corrupted, too, and a picture right behind them is skipped.
      while failure == nil {
        try feeder.write(picture)
        failure = try await running.next { (happening) -> CaptureError?? in
          switch happening {
          case .failed(let error): .some(error)
          case .lost(_, .corrupted): .some(nil)
          default: nil
          }
        }
      }
      #expect(failure?.message.contains("pictures of 320x240") == true)
      running.stop()
      #expect(try running.device.formats().map(\.size) == [small])
      #expect(try running.device.configure(FormatRequest()).layout.size == small)
      #expect(try running.device.configure(FormatRequest("MJPG", 320, 240)).layout.size == small)
      let error = #expect(throws: CaptureError.self) {
        try running.device.configure(FormatRequest("MJPG", 640, 480))
      }
      #expect(error?.part == .size)
    }

    @Test("A raw picture that is too short counts as corrupted")
    func short() async throws {
      let feeder = try LoopbackFeeder(loopback, .yuyv, Self.size)
      let running = try RunningCamera(loopback, FormatRequest("YUYV", 640, 480))
      let picture = [UInt8](repeating: 100, count: running.format.layout.byteCount)
      try feeder.write(picture)
      // The feeder's first bytes may come first.
      try await running.next { (happening) -> Void? in
        if case .frame(let frame) = happening, frame.bytes == picture { () } else { nil }
      }
      try feeder.write(Array(picture.dropLast()))
      #expect(try await running.nextLoss(.corrupted) == 1)
    }

    @Test("A loopback device offers only the feeder's format")
    func offer() throws {
      let feeder = try LoopbackFeeder(loopback, .mjpeg, Self.size)
      defer { withExtendedLifetime(feeder) {} }
      let device = V4L2Device(loopback, converting: .linked)
      try device.open()
      defer { device.close() }
      let formats = try device.formats()
      #expect(formats.map(\.pixelFormat) == [.mjpeg])
      #expect(formats.map(\.size) == [Self.size])
    }

    /// A JPEG of noise, which is not too short.
    private static func picture(
      shade: UInt8, _ size: ImageSize = Loopback.size
    ) throws -> [UInt8] {
      let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
      let pixels = (0..<layout.byteCount).map {
        UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) & 63 &+ shade
      }
      return try JPEGEncoder().encode(pixels, layout)
    }
  }
}
