import EventLoop
import Capture
import CaptureSynthetic
import Imaging
import TestSupport
import Testing

struct DeviceTests {
  @Test func `The list of formats begins with the configured one and has every size and rate once`()
    throws
  {
    let device = try SyntheticDevice(.parse("800x600@24,format=NV12"))
    let formats = try device.formats()
    let first = try #require(formats.first)
    #expect(first.pixelFormat == .nv12 && first.size == ImageSize(width: 800, height: 600))
    #expect(first.frameRates.map(\.framesPerSecond) == [60, 30, 25, 24, 15, 10, 5])
    #expect(Set(formats).count == 18 * 6)
    let names = [
      "MJPG", "YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "BGR3", "RGGB", "RG10", "RG12",
      "pRCC", "RG16", "Y10", "Y12", "Y16", "Z16", "RGBP",
    ]
    #expect(Set(formats.map(\.pixelFormat.name)) == Set(names))
  }

  @Test func `Every listed format can be configured`() throws {
    let device = try SyntheticDevice.configured()
    for format in try device.formats() {
      let stream = try device.configure(
        FormatRequest(
          pixelFormat: format.pixelFormat,
          size: format.size,
          framesPerSecond: format.frameRates.first?.framesPerSecond
        )
      )
      #expect(stream.layout.size == format.size)
      #expect(stream.layout.pixelFormat == format.pixelFormat)
      #expect(stream.frameRate == format.frameRates.first)
      #expect(stream.maximumByteCount >= stream.layout.byteCount)
    }
  }

  @Test(arguments: [
    FormatRequest(pixelFormat: PixelFormat(name: "H264")),
    FormatRequest(size: ImageSize(width: 641, height: 480)),
    FormatRequest(size: ImageSize(width: 640, height: 5000)), FormatRequest(framesPerSecond: 1000),
  ])
  func `A request outside its limits is refused, naming valid values`(request: FormatRequest) throws
  {
    let device = try SyntheticDevice.configured()
    let error = try #require(throws: CaptureError.self) { try device.configure(request) }
    #expect(error.code == .unsupportedFormat && error.part != nil)
  }

  @Test func `A streaming device keeps its format and cannot be started again`() async throws {
    try await Rig.run("160x120@100,format=GREY") { rig in
      let busy = try #require(throws: CaptureError.self) {
        try rig.device.configure(FormatRequest())
      }
      #expect(busy.code == .deviceBusy)
      #expect(throws: CaptureError.self) { try rig.device.startStreaming() }
    }
  }

  @Test func `A device that is not open has controls but no stream`() throws {
    let device = try SyntheticDevice(.parse(""))
    #expect(try device.controls().count == SyntheticControl.allCases.count)
    #expect(throws: CaptureError.self) { try device.configure(FormatRequest()) }
    #expect(throws: CaptureError.self) { try device.startStreaming() }
  }

  @Test func `The error for an unknown control suggests a name`() throws {
    let device = try SyntheticDevice(.parse(""))
    let error = try #require(throws: CaptureError.self) {
      try device.value(of: ControlID(rawValue: "brightnes"))
    }
    #expect(error.code == .noSuchControl && error.message.contains("brightness"))
  }

  @Test func `Attaching without a stream reports an error`() async throws {
    try await Rig.run("160x120@100,format=GREY") { rig in
      await rig.loop.run { rig.device.detach() }
      rig.device.stopStreaming()
      let other = RecordingReceiver()
      await rig.loop.run { rig.device.attach(to: rig.loop, receiver: other) }
      let error = await other.next { if case .failed(let error) = $0 { error } else { nil } }
      #expect(error?.code == .notRunning)
    }
  }

  @Test func `A detached device delivers nothing more`() async throws {
    try await Rig.run("160x120@200,format=GREY") { rig in
      _ = await rig.receiver.picture()
      await rig.loop.run { rig.device.detach() }
      let count = rig.receiver.eventCount
      try rig.set("brightness", 10)
      try rig.set("disconnect", 1)
      try await Rig.letPass(pictures: 5)
      #expect(rig.receiver.eventCount == count)
    }
  }

  @Test func `A device's identity is its specification`() throws {
    let identification = try SyntheticDevice(.parse("640x480@15,phase=2ms")).identification
    #expect(identification.location == "synthetic:640x480@15,format=MJPG,phase=2000000ns")
    #expect(identification.driver == "synthetic")
    #expect(identification.identity == identification.location)
  }
}
