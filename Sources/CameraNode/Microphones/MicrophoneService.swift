import CameraProtocol
import Capture
import CaptureALSA
import EventLoop
import OperatingSystem
import SwiftProtobuf

/// The node's microphones. Each is open while a movie needs it.
@ControlLoop final class MicrophoneService {
  private struct Entry {
    let configuration: MicrophoneConfiguration
    let thread: LazyThread
    var microphone: NodeMicrophone?
  }

  private var entries: [Entry]
  /// The thread that asks the machine's drivers.
  private let deviceLoop: EventLoop
  private let router: RequestRouter
  /// Called when the sound of a microphone stops, or comes again.
  var onChange: ((NodeMicrophone) -> Void)?

  init(
    _ microphones: [MicrophoneConfiguration], deviceLoop: EventLoop, router: RequestRouter
  ) {
    entries = microphones.map {
      Entry(configuration: $0, thread: LazyThread(name: "\($0.name)-sound"))
    }
    self.deviceLoop = deviceLoop
    self.router = router
  }

  /// The threads of the microphones, which start when they are needed.
  var threads: [LazyThread] { entries.map(\.thread) }

  /// The microphone that a request names, or the camera's, or the only one that the client may use.
  /// - Parameter field: Where the request names it.
  /// - Throws: `invalidArgument` if there is none; `forbidden` for one that the client may not use.
  func named(
    _ name: String, of camera: Camera, for access: Access, field: String
  ) throws -> NodeMicrophone {
    let own = name.isEmpty ? camera.options.microphone ?? "" : name
    let usable = entries.indices.filter {
      access.isFor(camera: entries[$0].configuration.name)
    }
    if own.isEmpty, usable.count == 1 { return try microphone(usable[0]) }
    guard own.isEmpty || access.isFor(camera: own) else {
      throw WireError.forbidden(camera: own, access)
    }
    if let index = entries.firstIndex(where: { $0.configuration.name == own }) {
      return try microphone(index)
    }
    let names = usable.map { entries[$0].configuration.name }.joined(separator: ", ")
    let problem =
      own.isEmpty ? "the request names no microphone" : "there is no microphone \(own)"
    throw WireError(
      .invalidArgument,
      names.isEmpty
        ? "this node has no microphone that you may use: configure one with camerad --microphone NAME=alsa:DEVICE"
        : "\(problem): this node has \(names)", field: field)
  }

  private func microphone(_ index: Int) throws(LoopShortage) -> NodeMicrophone {
    if let microphone = entries[index].microphone { return microphone }
    let name = entries[index].configuration.name
    let microphone = NodeMicrophone(
      entries[index].configuration, on: try entries[index].thread.loop()
    ) { [router, weak self] in
      router.enter { self?.changed(name) }
    }
    entries[index].microphone = microphone
    return microphone
  }

  private func changed(_ name: String) {
    guard let entry = entries.first(where: { $0.configuration.name == name }),
      let microphone = entry.microphone
    else { return }
    onChange?(microphone)
  }

  /// The microphones that a client may use.
  func statuses(for access: Access) -> [WireMicrophoneStatus] {
    entries.filter { access.isFor(camera: $0.configuration.name) }.map { entry in
      .with {
        $0.name = entry.configuration.name
        $0.device = entry.configuration.source.text
        let status = entry.microphone?.status ?? Microphone.Status()
        $0.rate = UInt32(clamping: status.format?.rate ?? 0)
        $0.channels = UInt32(clamping: status.format?.channels ?? 0)
        $0.movies = UInt32(clamping: status.consumers)
        if let drift = status.drift { $0.driftPpm = drift }
        $0.lostSamples = UInt64(clamping: status.lost)
        if let error = status.error { $0.interruption = WireSoundInterruption(error) }
      }
    }
  }

  func list(_ body: WireMicrophonesRequest, _ call: Call) async throws {
    let found = await deviceLoop.run { ALSADiscovery.microphones() }
    let own = statuses(for: call.access)
    let devices: [WireSoundDevice] = found.compactMap { device in
      let user = own.first { $0.device == "alsa:\(device.device)" }?.name ?? ""
      guard call.access.cameras == nil || !user.isEmpty else { return nil }
      return .with {
        $0.device = device.device
        $0.model = device.model
        $0.microphone = user
      }
    }
    call.finish(
      .microphones(
        .with {
          $0.microphones = own
          $0.devices = devices
        }))
  }
}

extension WireSoundInterruption {
  init(_ error: SoundError) {
    self.init()
    reason =
      switch error.cause {
      case .inUse: .audioDeviceInUse
      case .disconnected: .deviceDisconnected
      case .stalled: .deviceStalled
      case .denied, .failed: .audioDeviceFailed
      }
    self.error = WireError(CaptureError(error))
  }
}

extension CaptureError {
  init(_ error: SoundError) {
    let code: Code =
      switch error.cause {
      case .inUse: .deviceBusy
      case .disconnected: .deviceNotFound
      case .stalled: .deviceStalled
      case .denied: .permissionDenied
      case .failed: .deviceFailed
      }
    self.init(code, error.message)
  }
}
