import EventLoop
import OperatingSystem

/// A thread of the pool that makes JPEGs, with what it needs for them.
// @unchecked: the encoder and the timer belong to the loop's thread.
final class EncoderWorker: @unchecked Sendable {
  let loop: EventLoop
  private(set) var encoder: FrameEncoder
  private let patience: Duration
  private var renewal: LoopTimer?

  /// - Parameter patience: How long the encoder is kept after the last photo.
  init(name: String, patience: Duration) throws(CaptureError) {
    encoder = try FrameEncoder()
    self.patience = patience
    do throws(LoopShortage) {
      loop = try .starting(name: name)
    } catch {
      throw CaptureError(error)
    }
  }

  /// Renews the encoder when no further photo comes for a while. It keeps the memory that it needed
  /// for the largest picture, and photos may be much larger than a stream's frames.
  func hasServedPhoto() {
    renewal?.cancel()
    renewal = loop.schedule(at: .now + patience) { [weak self] in self?.renewEncoder() }
  }

  private func renewEncoder() {
    renewal = nil
    guard let encoder = try? FrameEncoder() else { return }
    self.encoder = encoder
    ProcessMemory.trim()
  }
}

/// Work for the threads of an `EncoderPool`.
protocol EncoderTask: AnyObject, Sendable {
  /// Does the work. Called once, on the worker.
  func run(_ encoder: FrameEncoder)
  /// Hands the result over. Called on the frame loop.
  func end()
}
