import ArgumentParser
import CameraClient
import FoundationEssentials
import LocalDevices

/// Lists the cameras of the node's machine.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists all cameras of the node's machine, whether the node has them or not.",
    discussion: """
      HELD BY names the other programs that have a camera open. With --camera, only the device of that camera. Where \
      no node answers and none was named, the cameras of this machine. `camctl events --kind devices` tells which come \
      and go.
      """
  )

  @OptionGroup var options: BusOptions

  func run() async throws {
    do {
      try await options.withBus { bus in try await show(devices(of: bus)) }
    } catch let failure as CommandFailure where failure.isNoNode && options.namesNoNode {
      options.note("no node answers, so these are the cameras of this machine")
      show(LocalDevices.all())
    }
  }

  private func devices(of bus: CameraBus) async throws -> [MachineDevice] {
    let devices = try await bus.devices()
    guard let camera = options.camera else { return devices }
    _ = try await bus.camera(camera).status()
    return devices.filter { $0.camera == camera }
  }

  private func show(_ devices: [MachineDevice]) {
    if options.json { return devices.forEach { JSONLine.print($0) } }
    guard !devices.isEmpty else {
      return StandardOutput.write(line: "there is no camera: plug one in")
    }
    var table = Table(
      "LOCATION", "MODEL", "CAMERA", "MAY BE USED", "POSITION", "HELD BY", "IDENTITY")
    for device in devices {
      table.add(
        device.device.location, device.device.model, device.camera ?? "",
        device.authorization.words.styled(device.error == nil ? .plain : .bad),
        device.positionWords, device.holders.joined(separator: ", "), device.device.identity)
    }
    table.print()
    for device in devices {
      guard let error = device.error else { continue }
      StandardOutput.write(line: "\(device.device.location): \(error.message)", style: .bad)
    }
  }
}

extension BusOptions {
  /// Whether the command is about whatever node is there.
  fileprivate var namesNoNode: Bool {
    node == nil && camera == nil && ProcessInfo.processInfo.environment["CAMERABUS_NODE"] == nil
  }
}

extension CommandFailure {
  fileprivate var isNoNode: Bool { code == CameraBusError.Code.unreachable.rawValue }
}

extension MachineDevice {
  /// "front, turned by 90°".
  fileprivate var positionWords: String {
    [position?.rawValue, rotation.flatMap { $0 == 0 ? nil : "turned by \($0)°" }]
      .compactMap(\.self).joined(separator: ", ")
  }
}

extension MachineDevice.Authorization {
  fileprivate var words: String {
    switch self {
    case .authorized: "yes"
    case .denied, .restricted: "no, \(rawValue)"
    default: rawValue
    }
  }
}
