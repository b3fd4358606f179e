import CameraProtocol
import Capture
import Imaging
import SwiftProtobuf

extension WireRefusal {
  init(_ refusal: Refusal) {
    self.init()
    (setting, reason) = (refusal.setting, refusal.reason)
  }
}

extension WireRemembered {
  init(_ memory: SessionMemory, _ services: ServiceChange, undo: MemoryService.Undo?) {
    self.init()
    if let device = memory.device { self.device = WireDevice(device) }
    if let format = memory.format { self.format = Format(format) }
    if let turn = memory.preview { preview = WireOrientation(turn) }
    if let turn = memory.capture { capture = WireOrientation(turn) }
    streams = [WireStreamSettings](memory.streams)
    settings = memory.settings.map(Setting.init)
    if let threshold = services.subjectArea { subjectArea = threshold }
    if let settings = services.livePhotos { livePhotos = settings }
    if let undo {
      self.undo = .with {
        $0.device = undo.device
        $0.settings = undo.settings.map(Setting.init)
      }
    }
  }

  /// Twice as many controls as the longest known list of a driver has.
  private static let mostSettings = 2048
  /// The streams that have settings, and those whose configured settings clients took away.
  private static let mostStreams = 2 * WireLimits.streams

  /// What a request to configure the camera so would say.
  private var request: WireConfigureRequest {
    .with { request in
      request.mode = format.mode
      request.preset = format.preset
      request.pixelFormat = format.pixelFormat
      if format.hasSize { request.size = format.size }
      (request.minimumRate, request.maximumRate) = (format.minimumRate, format.maximumRate)
      if hasPreview { request.preview = .with { $0.rotation = preview.rotation } }
      if hasCapture { request.capture = .with { $0.rotation = capture.rotation } }
      request.streams = streams
      if hasSubjectArea { request.subjectArea = subjectArea }
      if hasLivePhotos { request.livePhotos = livePhotos }
      request.settings = (settings + undo.settings).map { setting in
        .with {
          $0.id = setting.id
          // Buttons are not remembered.
          if setting.value.value != nil { $0.value = setting.value }
        }
      }
    }
  }

  /// What it says to a session.
  /// - Throws: What is wrong with it.
  func memory() throws -> (SessionMemory, MemoryService.Undo?) {
    let request = request
    guard request.settings.count <= Self.mostSettings, streams.count <= Self.mostStreams else {
      throw WireError(.invalidArgument, "it is longer than what a node writes")
    }
    // A camera may have more than a request may set.
    var rest = request
    repeat {
      var part = rest
      part.settings = Array(rest.settings.prefix(WireLimits.settings))
      part.streams = Array(rest.streams.prefix(WireLimits.streams))
      if let flaw = part.flaw { throw flaw }
      rest.settings.removeFirst(part.settings.count)
      rest.streams.removeFirst(part.streams.count)
    } while !rest.settings.isEmpty || !rest.streams.isEmpty
    let change = try SessionConfiguration(request)
    var memory = SessionMemory()
    if hasDevice {
      memory.device = DeviceDescription(
        identity: device.identity, model: device.model, location: device.location,
        driver: device.driver)
    }
    if hasFormat {
      guard format.frameRate == 0 || WireLimits.frameRates.contains(format.frameRate) else {
        throw WireError(.invalidArgument, "a frame rate lies within 0.001 to 1000")
      }
      memory.format = SessionMemory.Format(
        mode: change.mode ?? .photo, preset: change.preset ?? .inputPriority,
        request: FormatRequest(
          pixelFormat: change.pixelFormat, size: change.size,
          framesPerSecond: format.frameRate > 0 ? format.frameRate : nil),
        rates: change.rates)
    }
    if hasPreview { memory.preview = change.preview.turn(isMirrored: preview.mirrored) }
    if hasCapture { memory.capture = change.capture.turn(isMirrored: capture.mirrored) }
    memory.streams = change.streams
    memory.settings = Array(change.settings.prefix(settings.count))
    let undo = Array(change.settings.dropFirst(settings.count))
    return (memory, undo.isEmpty ? nil : .init(settings: undo, device: self.undo.device))
  }
}

extension WireRemembered.Setting {
  init(_ setting: CaptureSession.Setting) {
    self.init()
    id = setting.control.rawValue
    value = WireControlValue(setting.value)
  }
}

extension WireRemembered.Format {
  init(_ format: SessionMemory.Format) {
    self.init()
    mode = WireMode(format.mode)
    preset = WirePreset(format.preset)
    pixelFormat = format.request.pixelFormat?.name ?? ""
    if let size = format.request.size { self.size = WireSize(size) }
    frameRate = format.request.framesPerSecond ?? 0
    minimumRate = format.rates?.lowerBound ?? 0
    maximumRate = format.rates?.upperBound ?? 0
  }
}

extension OrientationChange {
  fileprivate func turn(isMirrored: Bool) -> Orientation {
    Orientation.upright.merged(with: OrientationChange(rotation: rotation, isMirrored: isMirrored))
  }
}
