import CameraProtocol
import Capture
import MediaLibrary
import OperatingSystem

/// Long work on the library for a request: how much of it is done, and whether it goes on. Used on
/// the control loop's thread and the library's.
final class LibraryWork: Sendable {
  /// Clients take many reports a second, and people do not.
  private static let pause = Duration.milliseconds(250)

  private struct State {
    var progress = WireLibraryProgress()
    var reported: MonotonicTime?
    var error: CaptureError?
  }

  private let state = Mutex(State())
  private let report: @Sendable (WireLibraryProgress) -> Void

  /// - Parameter report: Called with the progress at the beginning and at most four times a second.
  init(report: @escaping @Sendable (WireLibraryProgress) -> Void) {
    self.report = report
  }

  /// Ends the work soon. The first error counts.
  func end(with error: CaptureError) {
    state.withLock { $0.error = $0.error ?? error }
  }

  /// - Throws: Why the work has ended.
  func check() throws(CaptureError) {
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// There are so many more files to do.
  func expect(files: Int, byteCount: Int = 0) {
    change {
      $0.total += UInt64(clamping: files)
      $0.totalBytes += UInt64(clamping: byteCount)
    }
  }

  /// One more file is done.
  func finishedFile() {
    change { $0.done += 1 }
  }

  /// So many more bytes are read.
  /// - Returns: Whether the work goes on.
  func read(_ byteCount: Int) -> Bool {
    change { $0.doneBytes += UInt64(clamping: byteCount) }
    return goesOn
  }

  var goesOn: Bool { state.withLock { $0.error == nil } }

  private func change(_ body: (inout WireLibraryProgress) -> Void) {
    let progress = state.withLock { state -> WireLibraryProgress? in
      body(&state.progress)
      let now = MonotonicTime.now
      if let reported = state.reported, now - reported < Self.pause { return nil }
      state.reported = now
      return state.progress
    }
    if let progress { report(progress) }
  }
}
