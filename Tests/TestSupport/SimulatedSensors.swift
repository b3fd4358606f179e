import Foundation

/// A folder with a thermometer and the kernel's counts of waiting programs, which a test changes.
package struct SimulatedSensors: Sendable {
  private let folder: TemporaryFolder

  package var root: String { folder.path }

  /// - Parameter trips: The kinds and the degrees Celsius of the zone's trip points.
  package init(trips: KeyValuePairs<String, Double> = ["passive": 85, "critical": 105]) throws {
    folder = try TemporaryFolder()
    try write("cpu-thermal", to: "type")
    for (index, trip) in trips.enumerated() {
      try write(trip.key, to: "trip_point_\(index)_type")
      try write("\(Int(trip.value * 1000))", to: "trip_point_\(index)_temp")
    }
    try set(celsius: 40)
  }

  /// Its reading makes no sense from now on.
  package func loseThermometer() throws { try write("lost", to: "temp") }

  package func set(celsius: Double) throws { try write("\(Int(celsius * 1000))", to: "temp") }

  /// - Parameters:
  ///   - waited: For how long programs have waited so far.
  ///   - recently: For which part of the last ten seconds, 0 to 1.
  package func set(_ resource: String, waited: Duration, recently: Double = 0) throws {
    let total = Int64(waited / .microseconds(1))
    let line = "avg10=\(recently * 100) avg60=0.00 avg300=0.00 total=\(total)"
    try replace("proc/pressure/\(resource)", by: "some \(line)\nfull \(line)\n")
  }

  private func write(_ word: String, to name: String) throws {
    try replace("sys/class/thermal/thermal_zone0/\(name)", by: "\(word)\n")
  }

  /// Replaces the file at once, so that nobody reads half of it.
  private func replace(_ name: String, by text: String) throws {
    let path = try folder.write(text, to: "\(name).new")
    guard unsafe rename(path, "\(root)/\(name)") == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
