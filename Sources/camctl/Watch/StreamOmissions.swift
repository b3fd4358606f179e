import CameraClient
import OperatingSystem
import Words

/// How many of a camera's frames a node did not publish on a stream, by reason, by its counters
/// before and after a time. Its property names are the JSON form.
struct StreamOmissions: Encodable {
  /// Left out because of the pressure on the machine.
  var pressure: UInt64
  /// Left out to keep to the stream's own rate.
  var streamRate: UInt64
  /// Left out of all streams, to keep to the camera's rate.
  var cameraRate: UInt64
  /// Dropped because every encoder was busy.
  var late: UInt64
  var encodingFailed: UInt64

  private var streamLimit: Double?
  private var cameraLimit: Double?

  private enum CodingKeys: CodingKey {
    case pressure, streamRate, cameraRate, late, encodingFailed
  }

  /// - Parameter before: Nil after a restart of the node, whose counters begin again.
  init(of stream: String, from before: CameraStatus?, to after: CameraStatus) {
    let streams = [before, after].map { $0?.streams.first { $0.name == stream } }
    func difference(_ counter: KeyPath<StreamStatus, UInt64>) -> UInt64 {
      let counts = streams.map { $0?[keyPath: counter] ?? 0 }
      return counts[1].subtractingSaturated(counts[0])
    }
    pressure = difference(\.thinnedByPressure)
    streamRate = difference(\.thinnedByRate)
    late = difference(\.droppedLate)
    encodingFailed = difference(\.encodingFailed)
    cameraRate = after.frames.thinned.subtractingSaturated(before?.frames.thinned ?? 0)
    streamLimit =
      after.configuration.streams.first { $0.stream.description == stream }?.maximumRate
    cameraLimit = after.configuration.maximumRate
  }

  /// A sentence for each reason that there was.
  func words(under pressure: SystemPressure?) -> [String] {
    let cause = pressure?.cause.map { " (\($0))" } ?? ""
    let reasons: [(count: UInt64, words: String)] = [
      (self.pressure, "left out because of the pressure on the node's machine\(cause)"),
      (streamRate, "left out to keep to the stream's rate\(Self.words(streamLimit))"),
      (cameraRate, "left out to keep to the camera's rate\(Self.words(cameraLimit))"),
      (late, "dropped because every encoder was busy"),
      (encodingFailed, "not published because no picture could be made of them"),
    ]
    return reasons.filter { $0.count > 0 }.map { "\($0.count.counted("frame")) \($0.words)" }
  }

  private static func words(_ limit: Double?) -> String {
    limit.map { " of \($0.words(to: 2))/s" } ?? ""
  }
}
