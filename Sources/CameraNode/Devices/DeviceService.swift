import CameraProtocol
import Capture
import EventLoop
import Logging
import OperatingSystem
import SwiftProtobuf

/// Lists the cameras of the machine, and tells monitors which come and go.
// @unchecked: the variables belong to the devices' loop, on which `start` and `close` are called.
final class DeviceService: @unchecked Sendable {
  /// A node of a device is made first and then gets its group and permissions.
  private static let settling = Duration.milliseconds(200)

  let cameras: CameraDirectory
  private let events: EventsService
  private let router: RequestRouter
  let finder: any DeviceFinder
  let loop: EventLoop
  private let log: Logger
  private var endWatch: (@Sendable () -> Void)?
  private var look: LoopTimer?
  private var known: [FoundDevice] = []
  private var onChange: (@ControlLoop ([FoundDevice]) -> Void)?

  /// - Parameter loop: A thread that may wait for drivers.
  init(
    cameras: CameraDirectory, events: EventsService, router: RequestRouter, on loop: EventLoop,
    finder: any DeviceFinder, log: Logger
  ) {
    self.cameras = cameras
    self.events = events
    self.router = router
    self.finder = finder
    self.loop = loop
    self.log = log
  }

  // MARK: Requests

  @ControlLoop func list(_ body: WireDevicesRequest, _ call: Call) async throws {
    let found = await loop.run { [finder] in finder.survey() }
    var devices: [WireMachineDevice] = []
    for device in found {
      guard isListed(device.description, for: call.access) else { continue }
      devices.append(WireMachineDevice(device, of: camera(at: device.description)))
    }
    for camera in cameras.all(for: call.access) where camera.isSimulated {
      var device = FoundDevice(camera.sessionStatus.device)
      device.formats = (try? await camera.session.run { try $0.listedFormats() }) ?? []
      devices.append(WireMachineDevice(device, of: camera))
    }
    call.finish(.devices(.with { $0.devices = devices }))
  }

  /// Whether a client is told of the device. A key for some cameras is told of theirs alone.
  @ControlLoop func isListed(_ device: DeviceDescription, for access: Access) -> Bool {
    access.cameras == nil || camera(at: device).map { access.isFor(camera: $0.name) } == true
  }

  /// The node's camera that uses the device.
  @ControlLoop private func camera(at device: DeviceDescription) -> Camera? {
    cameras.all.first { $0.has(device) }
  }

  // MARK: Coming and going (on the devices' loop)

  /// Starts to watch for devices. A machine without room for a watch tells nothing.
  /// - Parameter onChange: Called with the devices that are there, when they
  ///   have changed.
  /// - Returns: Those that are there now.
  func start(onChange: @escaping @ControlLoop ([FoundDevice]) -> Void) -> [FoundDevice] {
    self.onChange = onChange
    do throws(SystemError) {
      endWatch = try finder.watch(on: loop) { [weak self] in self?.changed() }
    } catch {
      log.warning("devices that come and go are not told: \(error)")
    }
    known = finder.look()
    return known
  }

  func close() {
    endWatch?()
    look?.cancel()
    // It holds those who hold this service.
    onChange = nil
  }

  private func changed() {
    guard look == nil else { return }
    look = loop.schedule(at: .now + Self.settling) { [weak self] in
      self?.look = nil
      self?.compare()
    }
  }

  private func compare() {
    let present = finder.look()
    // A client is not told the aliases.
    func shown(_ device: FoundDevice) -> FoundDevice {
      var device = device
      device.aliases = []
      return device
    }
    let before = Set(known.map(shown))
    let appeared = present.filter { !before.contains(shown($0)) }
    let locations = Set(present.map(\.description.location))
    let disappeared = known.filter { !locations.contains($0.description.location) }
    known = present
    guard !appeared.isEmpty || !disappeared.isEmpty else { return }
    for device in disappeared { log.info("device \(device.description.words) has gone") }
    for device in appeared { log.info("device \(device.description.words) is there") }
    router.enter { [self, onChange] in
      @ControlLoop func wire(_ devices: [FoundDevice]) -> [WireMachineDevice] {
        devices.map { WireMachineDevice($0, of: camera(at: $0.description)) }
      }
      let event = WireDevicesEvent.with {
        $0.appeared = wire(appeared)
        $0.disappeared = wire(disappeared)
      }
      events.publish(.devices(event), .devices, ofCamera: CameraName.node)
      onChange?(present)
    }
  }
}

extension DeviceDescription {
  fileprivate var words: String { "\(location) (\(model))" }
}
