/// A thermometer of the machine, with the temperatures at which its kernel acts: the trip points of
/// the kernel's document driver-api/thermal/sysfs-api.
package struct ThermalZone: Sendable {
  /// The temperatures of a zone's trip points, in degrees Celsius.
  package struct Trips: Hashable, Sendable {
    /// The kernel slows the machine down.
    package var passive: Double?
    /// The kernel warns.
    package var hot: Double?
    /// The kernel switches the machine off.
    package var critical: Double?

    package init(passive: Double? = nil, hot: Double? = nil, critical: Double? = nil) {
      self.passive = passive
      self.hot = hot
      self.critical = critical
    }

    /// The level at a temperature. Where a zone has no trip point for a level, the critical one
    /// stands for it, with a distance.
    package func level(at celsius: Double) -> PressureLevel {
      func reaches(_ trip: Double?, less margin: Double = 0) -> Bool {
        trip.map { celsius >= $0 - margin } ?? false
      }
      return if reaches(critical, less: 5) {
        .shutdown
      } else if reaches(hot) || reaches(critical, less: 10) {
        .critical
      } else if passive.map({ reaches($0) }) ?? reaches(critical, less: 15) {
        .serious
      } else if passive.map({ reaches($0, less: 5) }) ?? reaches(critical, less: 20) {
        .fair
      } else {
        .nominal
      }
    }
  }

  /// Below the sea of liquid nitrogen or above an oven, a sensor has no sense.
  private static let plausible = -50.0...250.0

  package let name: String
  package let trips: Trips
  private let folder: String

  /// The machine's zones that have trip points.
  /// - Parameter root: Stands in front of /sys.
  package static func all(root: String = "") -> [ThermalZone] {
    let folder = "\(root)/sys/class/thermal"
    let names = ((try? Folder.names(in: folder)) ?? []).filter { $0.hasPrefix("thermal_zone") }
    return names.sorted().compactMap { ThermalZone("\(folder)/\($0)") }
  }

  /// - Returns: Nil for a zone without trip points.
  private init?(_ folder: String) {
    var trips = Trips()
    // The kernel numbers them without a gap.
    for index in 0... {
      guard let kind = SystemFile.word("\(folder)/trip_point_\(index)_type") else { break }
      guard let celsius = Self.celsius("\(folder)/trip_point_\(index)_temp"), celsius > 0 else {
        continue
      }
      switch kind {
      case "passive": trips.passive = min(celsius, trips.passive ?? celsius)
      case "hot": trips.hot = min(celsius, trips.hot ?? celsius)
      case "critical": trips.critical = min(celsius, trips.critical ?? celsius)
      default: break
      }
    }
    guard trips != Trips() else { return nil }
    name = SystemFile.word("\(folder)/type").map(String.init) ?? "the machine"
    self.trips = trips
    self.folder = folder
  }

  /// Nil if the sensor does not answer.
  package func reading() -> PressureReading? {
    Self.celsius("\(folder)/temp").map {
      PressureReading(trips.level(at: $0), "\(name) is at \(($0 * 10).rounded() / 10) °C")
    }
  }

  private static func celsius(_ path: String) -> Double? {
    guard let number = SystemFile.word(path).flatMap({ Double($0) }) else { return nil }
    let celsius = number / 1000
    return plausible.contains(celsius) ? celsius : nil
  }
}
