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

  /// A file that photos can become.
  package struct File: Hashable, Sendable {
    package var format: PhotoFormat
    package var size: ImageSize
    /// Whether it is certain to be the camera's own compressed picture.
    package var isPassthrough: Bool
    /// Whether it is one of the largest size, for which the camera changes its format.
    package var switchesFormat: Bool
  }

  /// In the device's order.
  package var formats: [CameraFormat]
  /// In which it runs; while idle, in which it starts again.
  package var format: StreamFormat?
  /// How frames are turned for photos.
  package var orientation = Orientation.upright
  /// Whether pictures need not be turned for photos, or can be turned without loss.
  package var keepsPictures = true
  /// Whether the node leaves pictures whole, because it makes no zoom now.
  package var isWhole = true
  /// The controls with a meaning.
  package var controls: [ControlDescription]
  /// The format while the camera runs.
  package var ring: Ring?
  /// What its timestamps mark; nil before its first frame.
  package var marks: TimestampMark?
  package var saysFacts: Bool
  /// Whether the camera's own clock is read.
  package var saysDeviceTime: Bool
  /// Whether the node can make AVIF and HEIC.
  package var hasEncoder: Bool
  /// Whether it has a flash that a photo can fire.
  package var hasFlash = false

  /// The presets that it has a format for.
  package var presets: [Preset] {
    SessionPreset.allCases.compactMap { preset in
      guard preset != .inputPriority else { return nil }
      return preset.choice(of: formats).map { Preset(preset: preset, format: $0) }
    }
  }

  /// The files that photos of the stream can become, and those of photos for which another format
  /// is needed, if the stream does not have the largest.
  /// - Parameter switches: Whether the camera changes its format for photos.
  package func files(switches: Bool) -> [File] {
    var files: [File] = []
    if let layout = format?.layout {
      files += self.files(
        layout.pixelFormat, layout.size, isKept: keepsPictures && isWhole, switchesFormat: false)
    }
    if switches, let still {
      files += self.files(
        still.pixelFormat, still.size, isKept: orientation == .upright && isWhole,
        switchesFormat: true)
    }
    return files
  }

  private func files(
    _ pixelFormat: PixelFormat, _ size: ImageSize, isKept: Bool, switchesFormat: Bool
  ) -> [File] {
    PhotoFormat.allCases.filter { format in
      format.canShow(pixelFormat) && (hasEncoder || ![.avif, .heic].contains(format))
    }.map { format in
      File(
        format: format, size: format.keepsFrame ? size : orientation.turned(size),
        isPassthrough: format == .jpeg && pixelFormat.isCompressed && isKept,
        switchesFormat: switchesFormat)
    }
  }

  private var still: CameraFormat? { format.flatMap { Self.still(of: formats, besides: $0) } }

  /// The format for photos of the largest size.
  /// - Returns: Nil if the stream's frames are as large, and pictures can be made of them.
  static func still(
    of formats: [CameraFormat], besides running: StreamFormat
  ) -> CameraFormat? {
    let (size, pixelFormat) = (running.layout.size, running.layout.pixelFormat)
    // The samples of a sensor have no match in other formats.
    let choices = formats.filter {
      pixelFormat.isSensorData ? $0.pixelFormat == pixelFormat : $0.pixelFormat.makesPictures
    }
    guard let choice = SessionPreset.photo.choice(of: choices) else { return nil }
    let isLarger = choice.size.width * choice.size.height > size.width * size.height
    return isLarger || running.pictureRefusal != nil ? choice : nil
  }

  package var hasTorch: Bool { takes("torch.mode") }
  package var hasPointsOfInterest: Bool { takes("point_of_interest") }
  /// Whether it delivers distances.
  package var hasDepth: Bool { formats.contains { $0.pixelFormat.isDepth } }

  private func takes(_ control: String) -> Bool {
    controls.contains { $0.id.rawValue == control }
  }
}
