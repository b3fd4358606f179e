import Capture
import Imaging
import OperatingSystem
import Testing
import V4L2Conversion

@testable import CaptureV4L2

extension GuestTests {
  @Suite struct Formats {
    private static let monochrome: Set = ["GREY", "Y10", "Y12", "Y16", "Y16-BE"]

    @Test("Every offered pixel format shows the test pattern in its colours")
    func everyFormat() async throws {
      let device = V4L2Device(camera, converting: .linked)
      try device.open()
      var names: [String] = []
      for format in try device.formats() where !names.contains(format.pixelFormat.name) {
        names.append(format.pixelFormat.name)
      }
      device.close()
      #expect(names.count > 30)
      for name in names {
        let running = try RunningCamera(camera, FormatRequest(name, 320, 180))
        #expect(running.format.devicePixelFormat.name == name)
        let format = running.format.layout.pixelFormat
        // Distances are shown in colours of their own.
        if format.isDepth { continue }
        let bars = try TestPattern.bars(in: try await running.nextFrame())
        let colours =
          format.bayerPattern == nil ? TestPattern.colours : TestPattern.sensorColours
        let expected = Self.monochrome.contains(name) ? TestPattern.greys : colours
        #expect(TestPattern.difference(bars, expected) <= 14, "\(name): \(bars)")
      }
    }

    @Test("The samples of sensors are delivered as the driver has them")
    func sensors() async throws {
      let device = V4L2Device(camera, converting: .linked)
      try device.open()
      let offered = Set(try device.formats().map(\.pixelFormat).filter(\.isSensorData))
      device.close()
      #expect(offered.isSuperset(of: [.bayerBGGR8, .bayerGRBG10, .bayerRGGB12, .y16]))
      for format in offered {
        let running = try RunningCamera(camera, FormatRequest(format.name, 320, 180))
        let layout = running.format.layout
        #expect(layout.pixelFormat == format && running.format.devicePixelFormat == format)
        #expect(layout.bytesPerLine == (format.sampleBits == 8 ? 320 : 640))
        #expect(layout.range == .full)
        let frame = try await running.nextFrame()
        #expect(frame.layout == layout && frame.byteCount == layout.bytesPerLine * 180)
      }
    }

    /// The values of V4L2's enumerations: BT.601 and BT.709, full and limited.
    @Test(
      "The colours are right in every matrix and range of the driver",
      arguments: [1, 2],
      [1, 2]
    )
    func everyMatrixAndRange(encoding: Int64, quantization: Int64) async throws {
      let panel = try ControlPanel(camera)
      defer {
        try? panel.set("y_cbcr_encoding", .integer(0))
        try? panel.set("quantization", .integer(0))
      }
      try panel.set("y_cbcr_encoding", .integer(encoding))
      try panel.set("quantization", .integer(quantization))
      for name in ["YUYV", "NV12", "YU12"] {
        let running = try RunningCamera(camera, FormatRequest(name, 320, 180))
        #expect(running.format.layout.matrix == (encoding == 1 ? .bt601 : .bt709))
        #expect(running.format.layout.range == (quantization == 1 ? .full : .limited))
        let bars = try TestPattern.bars(in: try await running.nextFrame())
        #expect(TestPattern.difference(bars, TestPattern.colours) <= 14, "\(name): \(bars)")
      }
    }

    @Test("Every size delivers whole frames of that size", arguments: ["YUYV", "NV12", "RGBP"])
    func everySize(name: String) async throws {
      let device = V4L2Device(camera, converting: .linked)
      try device.open()
      let sizes = try device.formats().filter { $0.pixelFormat.name == name }.map(\.size)
      device.close()
      #expect(sizes.count >= 6)
      for size in sizes {
        let running = try RunningCamera(camera, FormatRequest(name, size.width, size.height))
        let frame = try await running.nextFrame()
        #expect(frame.layout.size == size)
        #expect(frame.byteCount == running.format.layout.byteCount)
        #expect(frame.byteCount == running.format.maximumByteCount)
      }
    }

    @Test("The requested rate is the rate of the driver's timestamps")
    func rate() async throws {
      let running = try RunningCamera(camera, FormatRequest("YUYV", 640, 360, 10))
      #expect(running.format.frameRate?.framesPerSecond == 10)
      let first = try await running.nextFrame().metadata
      var last = first
      while last.sequence < first.sequence + 10 { last = try await running.nextFrame().metadata }
      let frames = Int64(last.sequence - first.sequence)
      let interval = (last.timestamp.nanoseconds - first.timestamp.nanoseconds) / frames
      #expect(abs(interval - 100_000_000) < 15_000_000)
    }

    @Test("The default is 1280x720, raw, at the fastest rate up to 30")
    func open() throws {
      let running = try RunningCamera(camera)
      #expect(running.format.layout.size == ImageSize(width: 1280, height: 720))
      #expect(running.format.layout.pixelFormat == .yuyv)
      #expect(running.format.frameRate?.framesPerSecond == 12.5)
    }

    @Test(
      "A request that the driver cannot meet is refused",
      arguments: [
        (FormatRequest("MJPG", 640, 360), CaptureError.Part.format),
        (FormatRequest("HSV3", 640, 360), .format),
        (FormatRequest("YUYV", 641, 360), .size), (FormatRequest("YUYV", 1280, 720, 30), .rate),
      ]
    )
    func refused(request: FormatRequest, part: CaptureError.Part) throws {
      let device = V4L2Device(camera, converting: .linked)
      try device.open()
      defer { device.close() }
      let error = #expect(throws: CaptureError.self) { try device.configure(request) }
      #expect(error?.code == .unsupportedFormat)
      #expect(error?.part == part)
    }
  }
}
