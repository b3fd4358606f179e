import EventLoop
import Glibc
import OperatingSystem
import PhotoEncoding

/// The threads for files of photos that take long to make. They never keep a frame waiting.
final class SlowThreads: Sendable {
  /// Makes AVIF and HEIC, in a process of its own; nil if the program has none.
  let encoder: PhotoEncoder?
  private let packing: SlowLane
  private let helper: SlowLane
  private let isStopping = Mutex(false)

  init(_ encoder: PhotoEncoder?) throws(CaptureError) {
    self.encoder = encoder
    do throws(LoopShortage) {
      packing = try SlowLane(name: "pack")
      do throws(LoopShortage) {
        helper = try SlowLane(name: "photo-encoder")
      } catch {
        packing.loop.stop()
        throw error
      }
    } catch {
      throw CaptureError(error)
    }
    // Of this thread alone: frames and requests come first.
    packing.loop.perform { _ = nice(10) }
  }

  /// Does the work for a photo, and calls `onEnd` on its thread.
  func perform(
    _ work: SlowWork, for photo: ObjectIdentifier?,
    onEnd: @escaping @Sendable (Result<PhotoFile, CaptureError>) -> Void
  ) {
    let lane =
      switch work.lane {
      case .packing: packing
      case .helper: helper
      }
    lane.perform(for: photo) { [self] in
      guard !isStopping.withLock({ $0 }) else { return onEnd(.failure(.nodeStops)) }
      do throws(CaptureError) {
        onEnd(.success(try work.run(encoder)))
      } catch {
        onEnd(.failure(isStopping.withLock({ $0 }) ? .nodeStops : error))
      }
    }
  }

  /// Does the work on the thread that packs.
  func pack<R: Sendable>(
    _ work: @escaping @Sendable () throws(CaptureError) -> R
  ) async throws(CaptureError) -> R {
    try await packing.loop.run { [self] () throws(CaptureError) in
      guard !isStopping.withLock({ $0 }) else { throw .nodeStops }
      return try work()
    }
  }

  /// Ends the work that waits and the work of the encoder's process, which fail.
  func abandon() {
    isStopping.withLock { $0 = true }
    encoder?.stop()
  }

  func stop() {
    abandon()
    packing.loop.stop()
    helper.loop.stop()
  }
}

extension CaptureError {
  fileprivate static var nodeStops: CaptureError {
    CaptureError(.interrupted, "the node stopped before the file was made: ask again when it runs")
  }
}
