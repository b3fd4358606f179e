import Capture
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureFiles

/// Opening the camera finds mistakes in its files. The error names the file and says what to do.
struct MistakeTests {
  private func refusal(
    _ options: String = "", of files: (TemporaryFolder) throws -> Void
  ) throws -> CaptureError {
    let folder = try TemporaryFolder()
    try files(folder)
    let device = try folder.device(options)
    return try #require(throws: CaptureError.self) { try device.open() }
  }

  @Test func `An empty folder is refused`() throws {
    let error = try refusal { _ in }
    #expect(error.code == .unsuitableDevice)
    #expect(error.message.contains("holds no .jpg files"))
    #expect(error.message.contains("format=YUYV"))
    #expect(try refusal("16x8,format=GREY") { _ in }.message.contains("put raw frames there"))
  }

  @Test func `A missing folder is refused`() throws {
    let device = FilesDevice(try .parse("/nowhere/pictures"))
    let error = try #require(throws: CaptureError.self) { try device.open() }
    #expect(error.code == .deviceNotFound)
    #expect(error.message.contains("/nowhere/pictures"))
  }

  @Test func `A file that is not a JPEG is refused`() throws {
    let error = try refusal { folder in
      try folder.write(try jpeg(shade: 1), to: "a.jpg")
      try folder.write("GIF89a", to: "b.jpg")
    }
    #expect(error.message.contains("b.jpg is no JPEG"))
    #expect(try refusal { try $0.write("", to: "c.jpg") }.message.contains("c.jpg is no JPEG"))
  }

  @Test func `A JPEG that is cut short is refused`() throws {
    let picture = try jpeg(shade: 1)
    let error = try refusal { try $0.write(picture.dropLast(2), to: "a.jpg") }
    #expect(error.message.contains("a.jpg is cut short"))
  }

  @Test func `Pictures of two sizes are refused`() throws {
    let error = try refusal { folder in
      try folder.write(try jpeg(shade: 1, width: 32), to: "a.jpg")
      try folder.write(try jpeg(shade: 1, width: 48), to: "b.jpg")
    }
    #expect(error.message.contains("a.jpg has 32x16"))
    #expect(error.message.contains("b.jpg has 48x16"))
  }

  @Test func `Raw frames that do not have the given size are refused`() throws {
    let error = try refusal("16x8,format=YUYV") {
      try $0.write(repeatElement(0, count: 300), to: "a.raw")
    }
    #expect(error.message.contains("a.raw has 300 bytes"))
    #expect(error.message.contains("256 each"))
  }

  @Test(.disabled(if: getuid() == 0, "the superuser may read everything"))
  func `A file without read permission is refused`() throws {
    let error = try refusal { folder in
      try folder.write(try jpeg(shade: 1), to: "a.jpg")
      unsafe chmod("\(folder.path)/a.jpg", 0)
    }
    #expect(error.code == .permissionDenied)
    #expect(error.message.contains("chmod a+r"))
  }

  @Test func `A folder of links that all lead nowhere is refused as that`() throws {
    let error = try refusal { folder in
      try folder.link("a.jpg", to: "gone.jpg")
      try folder.link("b.jpg", to: "b.jpg")
    }
    #expect(error.code == .deviceNotFound)
    #expect(error.message.contains("links that lead nowhere, a.jpg first"))
  }

  @Test func `A path that is a link that leads nowhere is named as that`() throws {
    let folder = try TemporaryFolder()
    try folder.link("a.jpg", to: "gone.jpg")
    let device = FilesDevice(try .parse("\(folder.path)/a.jpg"))
    let error = try #require(throws: CaptureError.self) { try device.open() }
    #expect(error.code == .deviceNotFound)
    #expect(error.message == "\(folder.path)/a.jpg is a link that leads nowhere: mend the link")
  }

  @Test func `A path with a comma that is not marked is named with the way to write it`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("a,b", mode: 0o755)
    for options in ["", ",@25"] {
      let error = try #require(throws: CaptureError.self) {
        try FilesSpecification.parse("\(folder.path)/a,b\(options)")
      }
      #expect(error.code == .invalidArgument)
      #expect(error.message.hasSuffix(#"write files:\#(folder.path)/a\,b"#), "\(error.message)")
    }
  }

  @Test(arguments: [
    (FormatRequest(size: ImageSize(width: 64, height: 48)), "32x16, not 64x48"),
    (FormatRequest(pixelFormat: .yuyv), "MJPG, not YUYV"),
    (FormatRequest(framesPerSecond: 20_000), "0.1 to 10000"),
  ])
  func `A request that the files cannot meet is refused`(request: FormatRequest, remedy: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(try jpeg(shade: 1), to: "a.jpg")
    let device = try folder.device()
    try device.open()
    let error = try #require(throws: CaptureError.self) { try device.configure(request) }
    #expect(error.code == .unsupportedFormat)
    #expect(error.message.contains(remedy))
  }

  @Test func `The device describes its files, formats and controls`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try jpeg(shade: 1), to: "a.jpg")
    let device = try folder.device("@25")
    try device.open()
    let format = try #require(try device.formats().first)
    #expect(format.pixelFormat == .mjpeg)
    #expect(format.size == ImageSize(width: 32, height: 16))
    #expect(format.frameRates == [FrameRate(25)])
    #expect(device.controls().isEmpty)
    let error = try #require(throws: CaptureError.self) {
      try device.value(of: ControlID(rawValue: "gain"))
    }
    #expect(error.code == .noSuchControl)
    #expect(try device.configure(FormatRequest(pixelFormat: .jpeg)).frameRate == FrameRate(25))
  }
}
