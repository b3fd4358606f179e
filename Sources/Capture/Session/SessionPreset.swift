import Imaging

/// A choice of format by what it is for. The names are those of AVFoundation's
/// `AVCaptureSession.Preset`.
package enum SessionPreset: Hashable, Sendable, CaseIterable {
  /// The most pixels, however slow.
  case photo
  /// The most pixels at 24 frames a second or more.
  case high
  /// At most 640x480, or the smallest.
  case medium
  /// At most 352x288, or the smallest.
  case low
  case hd1280x720
  case hd1920x1080
  case hd3840x2160
  /// Whatever the camera has now: the format is chosen by itself.
  case inputPriority

  /// The slowest rate of a movie.
  private static let movieRate = 24.0

  private var limit: ImageSize? {
    switch self {
    case .medium: ImageSize(width: 640, height: 480)
    case .low: ImageSize(width: 352, height: 288)
    default: nil
    }
  }

  private var exactSize: ImageSize? {
    switch self {
    case .hd1280x720: ImageSize(width: 1280, height: 720)
    case .hd1920x1080: ImageSize(width: 1920, height: 1080)
    case .hd3840x2160: ImageSize(width: 3840, height: 2160)
    default: nil
    }
  }

  /// The best of these formats for the preset: the most pixels first, then the highest rate, then
  /// the camera's own JPEG, which costs no encoding. Formats of sensors are chosen only if there
  /// are no others, because their pictures are dark and without white balance, and video only if
  /// there is nothing else, because it is decoded.
  /// - Returns: Nil if none will do.
  package func choice(of offers: [CameraFormat]) -> CameraFormat? {
    let formats = offers.usual
    let fit = formats.filter { format in
      if let exactSize { return format.size == exactSize }
      if let limit { return format.size.width <= limit.width && format.size.height <= limit.height }
      return true
    }
    // A camera has something small to offer, even if it is not so small.
    if fit.isEmpty, limit != nil {
      let smallest = formats.map(\.pixelCount).min()
      return best(of: formats.filter { $0.pixelCount == smallest })
    }
    return best(of: fit)
  }

  private func best(of fit: [CameraFormat]) -> CameraFormat? {
    let fast = fit.filter { ($0.frameRates.first?.framesPerSecond ?? 0) >= Self.movieRate }
    let candidates = self == .photo || fast.isEmpty ? fit : fast
    return candidates.max { left, right in left.rank.lexicographicallyPrecedes(right.rank) }
  }
}

extension [CameraFormat] {
  /// The formats that are chosen unless another one is asked for: those of sensors only if there
  /// are no others, and video only if there is nothing else but distances.
  package var usual: [CameraFormat] {
    let pixels = filter { !$0.pixelFormat.isVideo }
    let usual = pixels.filter { !$0.pixelFormat.isSensorData }
    if !usual.isEmpty { return usual }
    return pixels.count < count && pixels.allSatisfy(\.pixelFormat.isDepth)
      ? filter(\.pixelFormat.isVideo) : pixels
  }
}

extension CameraFormat {
  fileprivate var pixelCount: Int { size.width * size.height }

  /// The greater, the better.
  fileprivate var rank: [Double] {
    [
      Double(pixelCount), frameRates.first?.framesPerSecond ?? 0,
      pixelFormat == .mjpeg ? 1 : 0,
    ]
  }
}

/// What a camera is mainly used for. Every camera takes photos and records movies in both.
package enum CaptureMode: Hashable, Sendable {
  case photo, video

  /// The preset that comes with it.
  var preset: SessionPreset {
    switch self {
    case .photo: .photo
    case .video: .high
    }
  }
}
