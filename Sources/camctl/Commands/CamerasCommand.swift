import ArgumentParser
import CameraClient

/// Lists the node's cameras and their devices.
struct CamerasCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "cameras",
    abstract: "Lists the node's cameras and their devices."
  )

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let cameras: [CameraStatus]
    if let name = options.camera {
      cameras = [try await bus.camera(name).status()]
    } else {
      cameras = try await bus.cameras()
    }
    if options.json { return cameras.forEach { JSONLine.print($0) } }
    var table = Table("CAMERA", "STATE", "MODEL", "LOCATION", "DRIVER", "IDENTITY")
    for camera in cameras {
      table.add(
        camera.name,
        camera.state.words.styled(camera.state.style),
        camera.device?.model ?? "",
        camera.device?.location ?? "",
        camera.device?.driver ?? "",
        camera.device?.identity ?? ""
      )
    }
    table.print()
    CameraTable.printStandIns(cameras)
  }
}
