import CameraProtocol
import SwiftProtobuf

/// Which movies the live photos of a camera have. While a camera has such settings, its node codes
/// every frame and keeps those of the last moments.
public struct LivePhotoSettings: Hashable, Sendable, Codable {
  /// How much of the movie lies before the photo's frame, at most 5 seconds. It begins with a
  /// picture that needs no other one, so up to a second earlier.
  public var before: Duration
  /// How much lies after it, at most 5 seconds.
  public var after: Duration
  /// Whether it has sound.
  public var hasSound: Bool
  /// The microphone; nil is the camera's, or the node's only one.
  public var microphone: String?

  /// Settings: a silent movie of 1.5 seconds before and after the frame, unless you say otherwise.
  public init(
    before: Duration = .milliseconds(1500), after: Duration = .milliseconds(1500),
    hasSound: Bool = false, microphone: String? = nil
  ) {
    self.before = before
    self.after = after
    self.hasSound = hasSound
    self.microphone = microphone
  }

  /// Switches live photos off.
  public static let off = LivePhotoSettings(before: .zero, after: .zero)

  private enum CodingKeys: String, CodingKey {
    case before = "beforeNanoseconds"
    case after = "afterNanoseconds"
    case hasSound, microphone
  }
}

/// The live photos of a camera.
public struct LivePhotoStatus: Hashable, Sendable, Codable {
  /// What movies they have.
  public var settings: LivePhotoSettings
  /// How far back pictures are kept now; zero while the camera does not run.
  public var reach: Duration
  /// Photos whose movie still gets frames.
  public var inProgress: Int

  private enum CodingKeys: String, CodingKey {
    case settings
    case reach = "reachNanoseconds"
    case inProgress
  }
}

/// The movie of a live photo: an asset of its own, with the photo's request.
/// ``CameraBus/download(_:to:overwrites:onProgress:)`` fetches it.
public struct LiveMovie: Hashable, Sendable, Codable {
  /// The movie; nil if there is none.
  public var asset: Asset?
  /// Why there is none. The photo is whole all the same.
  public var error: Problem?
  /// Where in the movie the photo's frame is; nil where the node's answer was lost and the movie
  /// was found in the library.
  public var photoTime: Duration?

  private enum CodingKeys: String, CodingKey {
    case asset, error
    case photoTime = "photoTimeNanoseconds"
  }
}

extension LivePhotoSettings {
  /// - Throws: `invalidArgument`.
  func wire() throws(CameraBusError) -> WireLivePhotoSettings {
    guard before >= .zero, after >= .zero else {
      throw Arguments.refusal("the durations of a live photo's movie are not below 0", "livePhotos")
    }
    var wire = WireLivePhotoSettings()
    (wire.beforeNs, wire.afterNs) = (before.wireNanoseconds, after.wireNanoseconds)
    wire.sound = hasSound
    wire.microphone = microphone ?? ""
    return wire
  }

  init(_ wire: WireLivePhotoSettings) {
    self.init(
      before: .nanoseconds(wire.beforeNs), after: .nanoseconds(wire.afterNs), hasSound: wire.sound,
      microphone: wire.microphone.isEmpty ? nil : wire.microphone)
  }
}

extension LivePhotoStatus {
  init(_ wire: WireLivePhotoStatus) {
    self.init(
      settings: LivePhotoSettings(wire.settings), reach: .nanoseconds(wire.reachNs),
      inProgress: Int(wire.inProgress))
  }
}

extension LiveMovie {
  init(_ wire: WireLiveMovie) {
    self.init(
      asset: wire.hasAsset ? Asset(wire.asset) : nil,
      error: wire.hasError ? Problem(wire.error) : nil,
      photoTime: wire.hasAsset ? .nanoseconds(wire.photoTimeNs) : nil)
  }
}
