import OperatingSystem

/// How many frames a node was too late for, of all its cameras since its start: what the node
/// itself suffers if its machine has too much to do. Can be used on any thread.
package final class FrameLateness: Sendable {
  package struct Counts: Hashable, Sendable {
    /// Pictures that `preview`, `full` and movies needed an encoder for. Sizes that subscribers
    /// choose have what time is left, so they are not among them.
    package var pictures: UInt64 = 0
    /// The ones of them that were dropped because no encoder was free in time.
    package var latePictures: UInt64 = 0
    /// Frames that the node took from its cameras or skipped.
    package var frames: UInt64 = 0
    /// The ones of them that it skipped for newer ones.
    package var skippedFrames: UInt64 = 0

    package init() {}
  }

  private struct State {
    var counts = Counts()
    var onLate: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  package var counts: Counts { state.withLock(\.counts) }

  /// Calls `body` once, when the node is too late for a frame the next time.
  package func onNext(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onLate = body }
  }

  /// A frame goes to the encoders.
  package func needsPicture() { state.withLock { $0.counts.pictures += 1 } }

  /// A newer frame takes the place of one that waits for an encoder.
  package func pictureIsLate() {
    late {
      $0.pictures += 1
      $0.latePictures += 1
    }
  }

  func took(_ frames: Int) { state.withLock { $0.counts.frames += UInt64(frames) } }

  func skipped(_ frames: Int) {
    late {
      $0.frames += UInt64(frames)
      $0.skippedFrames += UInt64(frames)
    }
  }

  private func late(_ count: (inout Counts) -> Void) {
    let body = state.withLock { state in
      count(&state.counts)
      defer { state.onLate = nil }
      return state.onLate
    }
    body?()
  }
}
