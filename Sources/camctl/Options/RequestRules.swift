import ArgumentParser
import CameraClient
import CameraProtocol

/// What a node would refuse of a request, told by the node's own rules before one is asked.
enum RequestRules {
  /// The options that say what a request's field says, or an argument of the client.
  private static let options: [String: String] = [
    RequestField.Capture.quality: "--quality", "quality": "--quality",
    RequestField.Capture.Outputs.format: "--format",
    RequestField.Capture.size: "--size",
    RequestField.Capture.flash: "--flash",
    RequestField.Capture.transient: "--transient",
    RequestField.Capture.deferred: "--deferred",
    RequestField.Capture.Burst.pictures: "--burst", "count": "--burst",
    RequestField.Capture.Burst.every: "--every", "every": "--every",
    RequestField.Capture.Bracket.path: "--bracket", "shots": "--bracket",
    RequestField.Capture.Bracket.Shots.path: "--bracket",
    RequestField.Capture.Bracket.Shots.ev: "--bracket",
    RequestField.Capture.Bracket.Shots.exposureNs: "--bracket",
    RequestField.Capture.dimensions: "--dimensions", "dimensions": "--dimensions",
    RequestField.Capture.toleranceNs: "--tolerance",
    RequestField.Capture.name: "--name", RequestField.Capture.tags: "--tag",
    RequestField.Capture.pastNs: "--when", RequestField.Capture.noOlderThanNs: "--when",
    RequestField.Capture.atWallNs: "--when",
    RequestField.Capture.Depth.path: "--depth", "matte": "--matte",
    RequestField.Configure.forget: "--forget",
    RequestField.Configure.input: "--input",
    RequestField.Configure.pixelFormat: "--format", "size": "--format",
    RequestField.Configure.minimumRate: "--rate", RequestField.Configure.maximumRate: "--rate",
    "frameRates": "--rate",
    RequestField.Configure.subjectArea: "--subject-area",
    RequestField.Configure.LivePhotos.beforeNs: "--live-photos",
    RequestField.Configure.LivePhotos.afterNs: "--live-photos",
    RequestField.Configure.LivePhotos.microphone: "--live-sound",
    RequestField.Capture.live: "--live",
    RequestField.RecordStart.quality: "--quality",
    RequestField.RecordStart.codec: "--codec",
    RequestField.RecordStart.container: "--container",
    RequestField.RecordStart.bitRate: "--bit-rate", "bitRate": "--bit-rate",
    RequestField.RecordStart.keyIntervalNs: "--key-interval", "keyInterval": "--key-interval",
    RequestField.RecordStart.Segments.durationNs: "--segment",
    RequestField.RecordStart.Segments.bytes: "--segment-size",
    RequestField.RecordStart.Clips.beforeNs: "--before",
    RequestField.RecordStart.Clips.afterNs: "--after",
    RequestField.RecordStart.Clips.subjectAreas: "--trigger-by",
    RequestField.RecordStart.progressIntervalNs: "--progress",
    RequestField.RecordStart.name: "--name", RequestField.RecordStart.tags: "--tag",
    RequestField.Tag.name: "--name", RequestField.Tag.add: "--add",
    RequestField.Tag.remove: "--remove",
    RequestField.LibraryVerify.tags: "--tag", RequestField.LibraryVerify.sinceWallNs: "--since",
  ]

  /// - Throws: `ValidationError` for the first field that no node accepts.
  static func check(_ request: () throws(CameraBusError) -> WireRequest.OneOf_Body) throws {
    do throws(CameraBusError) {
      if let flaw = try request().flaw { throw CameraBusError(flaw) }
    } catch {
      let field = error.field ?? ""
      let option =
        options[field] ?? (field.hasPrefix(RequestField.Configure.Streams.path) ? "--stream" : nil)
      throw ValidationError((option.map { "\($0): " } ?? "") + error.message)
    }
  }
}
