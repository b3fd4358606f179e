package import Imaging

/// What a camera can do now.
package struct CameraCapabilities: Hashable, Sendable {
  package struct Preset: Hashable, Sendable {
    package var preset: SessionPreset
    /// What the camera would run in.
    package var format: CameraFormat
  }

  package struct Ring: Hashable, Sendable {
    package var frames: Int
    /// In nanoseconds.
    package var duration: Int64
  }

  /// In the device's order.
  package var formats: [CameraFormat]
  /// In which it runs; while idle, in which it starts again.
  package var format: StreamFormat?
  /// How photos are turned.
  package var orientation = Orientation.upright
  /// Of photos, as they are turned.
  package var pictureSize: ImageSize? { format.map { orientation.turned($0.layout.size) } }
  /// Whether pictures need not be turned for photos, or can be turned without loss.
  package var keepsPictures = true
  /// Whether the node leaves pictures whole, because it makes no zoom now.
  package var isWhole = true
  /// Those with a meaning.
  package var controls: [ControlDescription]
  /// While it runs.
  package var ring: Ring?
  /// What its timestamps mark; nil before its first frame.
  package var marks: TimestampMark?
  package var saysFacts: Bool
  /// Whether the camera's own clock is read.
  package var saysDeviceTime: Bool

  /// The presets that it has a format for.
  package var presets: [Preset] {
    SessionPreset.allCases.compactMap { preset in
      guard preset != .inputPriority else { return nil }
      return preset.choice(of: formats).map { Preset(preset: preset, format: $0) }
    }
  }

  /// The size of photos for which another format is needed, as they are turned; nil if the stream
  /// has the largest.
  package var largestStill: ImageSize? {
    still.map { orientation.turned($0.size) }
  }

  /// Whether photos of the stream are the camera's own compressed pictures.
  package var keepsStream: Bool {
    format?.layout.pixelFormat.isCompressed == true && keepsPictures && isWhole
  }

  /// Whether photos of the largest size are certain to be the camera's own compressed pictures.
  package var keepsStill: Bool {
    still?.pixelFormat.isCompressed == true && orientation == .upright && isWhole
  }

  private var still: CameraFormat? { format.flatMap { Self.still(of: formats, besides: $0) } }

  /// The format for photos of the largest size.
  /// - Returns: nil if the stream's frames are as large, and pictures can be made of them.
  static func still(
    of formats: [CameraFormat], besides running: StreamFormat
  ) -> CameraFormat? {
    let size = running.layout.size
    guard let choice = SessionPreset.photo.choice(of: formats.filter(\.pixelFormat.makesPictures))
    else { return nil }
    let isLarger = choice.size.width * choice.size.height > size.width * size.height
    return isLarger || running.pictureRefusal != nil ? choice : nil
  }

  package var hasTorch: Bool { takes("torch.mode") }
  package var hasFlash: Bool { takes("flash.mode") }
  package var hasPointsOfInterest: Bool { takes("point_of_interest") }
  /// Whether it delivers distances.
  package var hasDepth: Bool { formats.contains { $0.pixelFormat.isDepth } }

  private func takes(_ control: String) -> Bool {
    controls.contains { $0.id.rawValue == control }
  }
}
