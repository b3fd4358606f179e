import EventLoop
import OperatingSystem

/// Synchronises a movie to the disk while it is recorded, so that a power cut costs only its last
/// seconds.
///
/// The file is synchronised once a second, not on the thread that writes the frames. If the disk
/// needs longer than a second, the file is synchronised less often.
final class MovieSync: Sendable {
  static let interval = Duration.seconds(1)

  private let loop: EventLoop
  private let path: String
  private let synchronize: @Sendable (String) throws(RecordingError) -> Void
  private let state = Mutex(State())

  private struct State {
    var next: MonotonicTime?
    var isUnderWay = false
    var failure: RecordingError?
  }

  /// - Parameters:
  ///   - loop: The thread that waits for the disk.
  ///   - synchronize: Waits until the file at this path is on the disk.
  init(
    loop: EventLoop,
    path: String,
    synchronize: @escaping @Sendable (String) throws(RecordingError) -> Void =
      Disk.synchronizeWithName
  ) {
    self.loop = loop
    self.path = path
    self.synchronize = synchronize
  }

  /// Synchronises the file if it is time to. Call it after each write.
  /// - Throws: The error of the last synchronisation. Frames written before it may be lost.
  func wrote(at now: MonotonicTime) throws(RecordingError) {
    let isDue = try state.withLock { (state) throws(RecordingError) in
      if let failure = state.failure { throw failure }
      let next = state.next ?? now + Self.interval
      state.next = next
      guard !state.isUnderWay, now >= next else { return false }
      state.next = now + Self.interval
      state.isUnderWay = true
      return true
    }
    guard isDue else { return }
    _ = loop.performUnlessStopped { [self] in
      do throws(RecordingError) {
        try synchronize(path)
        state.withLock { $0.isUnderWay = false }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
  }
}
