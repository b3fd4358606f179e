package import OperatingSystem

/// What is known about a photo, to be written into its file. Every part may be missing, and only
/// what is known is written.
///
/// Texts may come from the camera and are not trusted: files get them without control characters
/// and with a bounded length.
package struct PhotoFacts: Codable, Hashable, Sendable {
  /// The camera's maker and model.
  package var make: String?
  package var model: String?
  /// The camera's name in the node.
  package var camera: String?
  /// The program that made the file, and its version.
  package var software: String?
  /// What people call the photo, on one line.
  package var description: String?
  /// Words by which people find it.
  package var keywords: [String]?
  package var comment: String?
  /// When the photo was taken, by the wall clock.
  package var moment: Moment?
  package var timing = Timing()

  /// How long each pixel was exposed, in nanoseconds.
  package var exposureTime: Int64?
  /// By how many exposure values it is brighter on purpose, from -100 to 100.
  package var exposureBias: Double?
  /// The sensitivity as an ISO number, from 1 to 65535.
  package var iso: Int?
  /// A share of the camera's range of gains, from 0 to 1.
  package var gain: Double?
  /// In millimetres.
  package var focalLength: Double?
  package var fNumber: Double?
  /// The lens's angle of view, by the camera's calibration.
  package var view: AngleOfView?
  /// The colour temperature that the camera took for white.
  package var kelvin: Double?
  /// A factor: 1 means the whole picture.
  package var zoom: Double?
  /// The distance of the focus: 0 is near and 1 is far.
  package var focus: Double?
  package var flashFired: Bool?
  /// How a viewer has to turn the file's pixels.
  package var orientation: Orientation?
  package var position: GeographicPosition?

  /// 16 bytes that no other photo has.
  package var uniqueID: [UInt8]?
  /// The request that asked for the photo.
  package var requestID: String?
  package var burst: Burst?
  /// The camera's calibration.
  package var calibrationID: String?
  /// How many frames the photo was merged of.
  package var mergedFrameCount: Int?

  package init() {}
}

extension PhotoFacts {
  /// A moment of the wall clock.
  package struct Moment: Codable, Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z.
    package let nanoseconds: Int64
    /// How far the local time is ahead of UTC, in minutes.
    package let utcOffset: Int

    /// - Parameter utcOffset: If it is a day or more, the moment is written in UTC.
    package init(nanoseconds: Int64, utcOffset: Int = 0) {
      self.nanoseconds = nanoseconds
      self.utcOffset = (-1439...1439).contains(utcOffset) ? utcOffset : 0
    }
  }

  /// When the frame was taken by each clock, and what its timestamp is worth.
  package struct Timing: Codable, Hashable, Sendable {
    /// The frame's timestamp on the node's monotonic clock.
    package var monotonicTime: MonotonicTime?
    /// The bytes that identify the node's start, which began this count of frames.
    package var epoch: [UInt8]?
    package var frameNumber: UInt64?
    /// The moment of the frame that its timestamp marks.
    package var timestampMarks: String?
    /// The exposure began at or after this moment, and ended at or before the other one.
    package var earliestStart: MonotonicTime?
    package var latestEnd: MonotonicTime?
    /// The bound of the wall clock's error in nanoseconds.
    package var wallClockError: Int64?
    /// The source of the wall clock's time.
    package var clockSource: String?
    /// The moment by the camera's own clock, on the node's monotonic clock.
    package var deviceTime: MonotonicTime?
    /// The way in which the camera's clock was compared with the node's.
    package var deviceClock: String?

    package init() {}
  }

  /// The place of a photo in a burst.
  package struct Burst: Codable, Hashable, Sendable {
    /// 1 for the first photo.
    package var index: Int
    package var count: Int

    package init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }
}
