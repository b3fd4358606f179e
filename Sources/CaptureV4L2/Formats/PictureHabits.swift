import Capture
import Imaging
import OperatingSystem

/// How a camera's pictures differ from its driver's word, as it was seen while the camera streamed.
/// The device keeps it while it is closed, too.
final class PictureHabits: Sendable {
  /// What a buffer holds instead of one picture of the format's size.
  enum Habit: Hashable, Sendable {
    /// A picture of another size.
    case size(ImageSize)
    /// The two fields of an interlaced picture, one after the other.
    case fields
  }

  /// What the driver is told.
  private struct Shape: Hashable {
    var pixelFormat: PixelFormat
    var size: ImageSize
  }

  private let habits = Mutex<[Shape: Habit]>([:])

  func learn(_ habit: Habit, of format: DriverFormat) {
    let shape = Shape(pixelFormat: format.pixelFormat, size: format.size)
    habits.withLock { $0[shape] = habit == .size(format.size) ? nil : habit }
  }

  func habit(of pixelFormat: PixelFormat, _ size: ImageSize) -> Habit? {
    habits.withLock { $0[Shape(pixelFormat: pixelFormat, size: size)] }
  }

  /// The offers with the sizes of their pictures.
  func offers(_ offers: [CameraFormat]) -> [CameraFormat] {
    var (same, other): ([CameraFormat], [CameraFormat]) = ([], [])
    for var offer in offers {
      if case .size(let size) = habit(of: offer.pixelFormat, offer.size) {
        offer.size = size
        other.append(offer)
      } else {
        same.append(offer)
      }
    }
    // One size is offered once, and `driverSize` tells the driver the other's size for it.
    same.removeAll { listed in
      other.contains { $0.pixelFormat == listed.pixelFormat && $0.size == listed.size }
    }
    return same + other
  }

  /// The size that the driver is told so that pictures have this one.
  func driverSize(for size: ImageSize, _ pixelFormat: PixelFormat) -> ImageSize {
    habits.withLock { habits in
      let sources = habits.filter { $0.key.pixelFormat == pixelFormat && $0.value == .size(size) }
      return sources.keys.map(\.size).max { $0.pixelCount < $1.pixelCount } ?? size
    }
  }

  /// The error if the pictures of a wanted size have another.
  func refusal(of request: FormatRequest) -> CaptureError? {
    guard let wanted = request.size else { return nil }
    let found = habits.withLock { habits in
      habits.first {
        $0.key.size == wanted && $0.key.pixelFormat == request.pixelFormat ?? $0.key.pixelFormat
      }
    }
    guard case .size(let size) = found?.value else { return nil }
    return CaptureError(
      .unsupportedFormat,
      "the driver has \(wanted), but the camera sends pictures of \(size) then: request \(size)",
      part: .size)
  }
}

/// Finds a habit in what pictures are. One that differs counts as corrupted.
struct HabitSearch {
  /// So many pictures in a row that differ in the same way are a habit.
  static let needed = 8

  private var last: PictureHabits.Habit?
  private var count = 0

  /// - Parameter habit: How the next picture differs from the format; nil if it does not.
  /// - Returns: Whether that is a habit.
  mutating func next(_ habit: PictureHabits.Habit?) -> Bool {
    count = habit == last ? count + 1 : 1
    last = habit
    return habit != nil && count >= Self.needed
  }
}

extension PictureHabits.Habit {
  /// A sentence for the restart of the camera.
  func announcement(_ format: DriverFormat) -> String {
    switch self {
    case .size(let size):
      "the camera sends pictures of \(size), and its driver says \(format.size): it is started "
        + "again, and the pictures' size counts"
    case .fields:
      "the camera sends an interlaced picture as two fields: it is started again, and they are woven"
    }
  }
}
