import Imaging

/// The sizes that a driver offers for a pixel format.
enum SizeOffer: Hashable, Sendable {
  case discrete([ImageSize])
  /// From the smallest to the largest in steps. V4L2's continuous range has steps of 1.
  case stepwise(minimum: ImageSize, maximum: ImageSize, step: ImageSize)

  /// The sizes as a list. A range yields its ends, the common sizes in it, and `wanted` if it
  /// contains it.
  func sizes(including wanted: ImageSize?) -> [ImageSize] {
    switch self {
    case .discrete(let sizes):
      return sizes
    case .stepwise(let minimum, let maximum, _):
      let candidates = Self.common + [minimum, maximum] + (wanted.map { [$0] } ?? [])
      return Set(candidates.filter { $0.isValid && contains($0) }).sorted {
        ($0.pixelCount, $0.width) < ($1.pixelCount, $1.width)
      }
    }
  }

  private func contains(_ size: ImageSize) -> Bool {
    switch self {
    case .discrete(let sizes):
      sizes.contains(size)
    case .stepwise(let minimum, let maximum, let step):
      Self.contains(size.width, from: minimum.width, to: maximum.width, by: step.width)
        && Self.contains(size.height, from: minimum.height, to: maximum.height, by: step.height)
    }
  }

  private static func contains(
    _ length: Int,
    from minimum: Int,
    to maximum: Int,
    by step: Int
  ) -> Bool {
    minimum <= length && length <= maximum && (length - minimum) % max(step, 1) == 0
  }

  private static let common = [
    ImageSize(width: 320, height: 240), ImageSize(width: 640, height: 360),
    ImageSize(width: 640, height: 480), ImageSize(width: 800, height: 600),
    ImageSize(width: 1024, height: 768), ImageSize(width: 1280, height: 720),
    ImageSize(width: 1280, height: 960), ImageSize(width: 1920, height: 1080),
    ImageSize(width: 2560, height: 1440), ImageSize(width: 3840, height: 2160),
  ]
}

extension ImageSize {
  var pixelCount: Int { width * height }
}
