import EventLoop
import OperatingSystem

/// Brings a movie to the disk while it is being made, so that a power cut costs its last seconds
/// and no more.
///
/// Once a second the file is synchronised on a thread that waits for the disk, while frames go on
/// being written. A disk that takes longer than that is asked less often.
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
  ///   - loop: the thread that may wait for the disk.
  ///   - synchronize: waits until the file of this path is on the disk.
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

  /// Something was written to the file.
  /// - Throws: What went wrong when it was synchronised last: what was written may be lost.
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
