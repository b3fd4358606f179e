package import Capture
package import EventLoop
import Imaging

/// A camera that plays files repeatedly at a steady rate: a folder of JPEGs, or of raw frames.
///
/// It delivers frames as a driver does. `open` reads the pictures into memory, and the frame loop
/// copies each frame once. Frame N shows picture N, and the first picture follows the last. A lost
/// frame skips its picture. The camera has no controls.
// @unchecked: only the session's thread uses the state of an open device, except `player`, which
// only the frame loop uses between `attach` and `detach`. The session orders the two.
package final class FilesDevice: CameraDevice, @unchecked Sendable {
  package let specification: FilesSpecification
  package let identification: DeviceDescription
  private var reel: Reel?
  private var rate: FrameRate?
  private var isStreaming = false
  private var player: ReelPlayer?

  package init(_ specification: FilesSpecification) {
    self.specification = specification
    let location = "files:\(specification.path)"
    identification = DeviceDescription(
      identity: location,
      model: "File camera",
      location: location,
      driver: "files",
      isSimulated: true
    )
  }

  // MARK: The session's thread

  package func open() throws(CaptureError) {
    close()
    reel = try Reel.load(specification)
  }

  package func close() {
    stopStreaming()
    reel = nil
    rate = nil
  }

  package var remarks: [String] {
    guard let reel, let first = reel.brokenLinks.first else { return [] }
    let count = reel.brokenLinks.count
    let links =
      count == 1
      ? "\(first), a link that leads nowhere" : "\(count) links that lead nowhere, \(first) first"
    return ["\(specification.path) is played without \(links)"]
  }

  package func formats() throws(CaptureError) -> [CameraFormat] {
    let layout = try opened().layout
    let rate = try FilesSpecification.rate(specification.request.framesPerSecond)
    return [
      CameraFormat(
        pixelFormat: layout.pixelFormat,
        size: layout.size,
        frameRates: [rate],
        summary: "Files"
      )
    ]
  }

  package func check(_ request: FormatRequest) throws(CaptureError) {
    _ = try format(for: request)
  }

  package func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    let format = try format(for: request)
    rate = format.frameRate
    return format
  }

  private func format(for request: FormatRequest) throws(CaptureError) -> StreamFormat {
    let reel = try opened()
    let layout = reel.layout
    if let size = request.size, size != layout.size {
      throw CaptureError(
        .unsupportedFormat,
        "the pictures of \(specification.path) have \(layout.size), not \(size): take that, or leave it out",
        part: .size
      )
    }
    if let format = request.pixelFormat, format != layout.pixelFormat,
      format.isCompressed != layout.pixelFormat.isCompressed || !format.isCompressed
    {
      throw CaptureError(
        .unsupportedFormat,
        "the pictures of \(specification.path) are \(layout.pixelFormat), not \(format): take that, or leave it out",
        part: .format
      )
    }
    let rate = try FilesSpecification.rate(
      request.framesPerSecond ?? specification.request.framesPerSecond)
    return StreamFormat(
      layout: layout,
      maximumByteCount: reel.maximumByteCount,
      frameRate: rate,
      devicePixelFormat: layout.pixelFormat
    )
  }

  package func startStreaming() throws(CaptureError) {
    _ = try opened()
    isStreaming = true
  }

  package func stopStreaming() {
    isStreaming = false
  }

  package func controls() -> [ControlDescription] { [] }

  package func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    throw .noSuchControl(id, among: [])
  }

  package func value(of id: ControlID) throws(CaptureError) -> ControlValue {
    throw .noSuchControl(id, among: [])
  }

  package func setValue(
    _ value: ControlValue,
    of id: ControlID
  ) throws(CaptureError) -> ControlValue {
    throw .noSuchControl(id, among: [])
  }

  private func opened() throws(CaptureError) -> Reel {
    guard let reel else {
      throw CaptureError(
        .notRunning,
        "the files of \(specification.path) are not open: start the camera's session first"
      )
    }
    return reel
  }

  // MARK: The frame loop

  package func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable) {
    guard isStreaming, let reel, let rate else {
      return receiver.failed(
        CaptureError(.notRunning, "the file camera does not stream: start it first")
      )
    }
    let player = ReelPlayer(reel, rate: rate, to: receiver)
    self.player = player
    player.start(on: loop)
  }

  package func detach() {
    player?.stop()
    player = nil
  }
}
