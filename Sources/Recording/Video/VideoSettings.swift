import Imaging

/// How an encoder makes a video.
package struct VideoSettings: Hashable, Sendable {
  package static let standardQuality = 80
  package static let standardKeyInterval = Duration.seconds(1)

  /// 1...100: the size of pictures follows from it, unless there is a bit rate.
  package var quality: Int
  /// Bits a second on the average of about a second; nil for a steady quality.
  package var bitRate: Int?
  /// The longest time from one picture that needs no other one to the next.
  package var keyInterval: Duration

  package init(
    quality: Int = standardQuality, bitRate: Int? = nil, keyInterval: Duration = standardKeyInterval
  ) {
    self.quality = quality
    self.bitRate = bitRate
    self.keyInterval = keyInterval
  }

  /// x264's rate factor, where less is better: 80 is 23, which is its own choice, and 100 can
  /// hardly be told from the source.
  var rateFactor: Double { 45 - 22 * Double(quality) / 80 }
}

/// What an encoder has to know of the pictures.
struct VideoShape: Hashable {
  var size: ImageSize
  var coding: VideoCoding
  /// The nominal rate; nil if it is not known.
  var framesPerSecond: Double?
}
