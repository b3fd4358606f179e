import CameraProtocol
import OperatingSystem

/// What a service keeps of each camera, for as long as the node has it.
///
/// A service declares its part in its own file, with setters private to that file, so that nobody
/// else changes it.
@ControlLoop protocol CameraPart: AnyObject {
  init()
}

/// The parts that services keep of one camera.
@ControlLoop struct CameraParts {
  private var parts: [ObjectIdentifier: any CameraPart] = [:]

  /// The part of this type, which is made by its first use.
  mutating func part<Part: CameraPart>(_ type: Part.Type) -> Part {
    let key = ObjectIdentifier(type)
    if let part = parts[key] as? Part { return part }
    let part = Part()
    parts[key] = part
    return part
  }
}

/// A service that has something to say in a camera's status.
@ControlLoop protocol CameraReporter: AnyObject {
  func describe(_ camera: Camera, in status: inout WireCameraStatus, _ wallClock: WallClockSample)
}

/// Puts a camera's status together.
@ControlLoop final class CameraReports {
  private var reporters: [any CameraReporter] = []

  func add(_ reporters: [any CameraReporter]) { self.reporters += reporters }

  func describe(_ camera: Camera, in status: inout WireCameraStatus, _ wallClock: WallClockSample) {
    for reporter in reporters { reporter.describe(camera, in: &status, wallClock) }
  }
}

/// The requests under way that may change a camera's format. No recording begins meanwhile.
final class FormatChanges {
  private var count = 0
  /// The clients that wait for a photo in another format.
  private var stills: Set<Holder> = []

  var areUnderWay: Bool { count > 0 }
  var hasStills: Bool { !stills.isEmpty }

  /// Runs `body`, which changes the format if `mayChange` is true.
  func during<R>(_ mayChange: Bool = true, _ body: () async throws -> R) async rethrows -> R {
    guard mayChange else { return try await body() }
    count += 1
    defer { count -= 1 }
    return try await body()
  }

  /// Runs `body`, in which a client waits for a photo in another format.
  /// - Parameter most: How many clients may wait at a time, each with one photo.
  func still<R>(
    of client: Holder, most: Int, _ body: () async throws -> R
  ) async throws -> R {
    guard stills.count < most, stills.insert(client).inserted else {
      throw WireError(
        .busy, "photos of the largest size wait already: ask for one after the other")
    }
    defer { stills.remove(client) }
    return try await body()
  }
}
