import CameraProtocol
import EventLoop
import OperatingSystem
import ZeroMQ

/// Brings a download's chunks from the connection to their destination.
///
/// Each chunk is checked on the connection's thread and kept on the destination's; then the node
/// gets credit for another. Neither thread waits for the other, and the credit limits the chunks
/// between them.
final class DownloadPipeline: Sendable {
  /// The progress of a request, for the caller.
  enum Step: Sendable {
    /// This many bytes are kept.
    case kept(UInt64)
    /// The last step: all bytes came, or it failed.
    case ended(CameraBusError?)
  }

  private let window: Mutex<DownloadWindow>
  private let destination: any DownloadDestination

  init(of asset: Asset, from offset: UInt64, into destination: any DownloadDestination) {
    window = Mutex(DownloadWindow(total: asset.byteCount, offset: offset))
    self.destination = destination
  }

  /// How many bytes have come.
  var offset: UInt64 { window.withLock { $0.offset } }

  /// Begins a request for the bytes from `offset` on.
  ///
  /// Policy: a slow reader gets the newest step only, and always the end.
  /// - Parameters:
  ///   - onKept: Called on any thread when the node should get this much credit.
  ///   - onEnd: Called when the steps end, or their reader stops.
  /// - Returns: The steps, and a receiver for the request's outcomes on the connection's thread.
  func request(
    onKept: @escaping @Sendable (_ credit: Int) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> (AsyncStream<Step>, ControlConnection.Receiver) {
    window.withLock { $0.beginRequest() }
    // Room for the newest step and the end.
    let (steps, continuation) = AsyncStream.makeStream(
      of: Step.self,
      bufferingPolicy: .bufferingNewest(2)
    )
    continuation.onTermination = { _ in onEnd() }
    let end: @Sendable (CameraBusError?) -> Void = { [destination] error in
      // On the destination's thread, so that every chunk before it is kept.
      destination.enter { _ in
        continuation.yield(.ended(error))
        continuation.finish()
      }
    }
    let receive: ControlConnection.Receiver = { [self] outcome in
      switch outcome {
      case .progress(.chunk(let chunk), let attachment?):
        do throws(CameraBusError) {
          let count = try take(chunk, attachment)
          keep(attachment, onFailure: end) { [self] in
            continuation.yield(.kept(count))
            if let credit = window.withLock({ $0.keep() }) { onKept(credit) }
          }
        } catch {
          end(error)
        }
      case .finished(.download, _): end(isComplete ? nil : .incompleteDownload)
      case .failed(let error): end(error)
      case .progress, .finished: end(.unexpectedReply)
      }
    }
    return (steps, receive)
  }

  private var isComplete: Bool { window.withLock { $0.isComplete } }

  private func take(
    _ chunk: WireDownloadChunk,
    _ bytes: Message
  ) throws(CameraBusError) -> UInt64 {
    try window.withLock { (window) throws(CameraBusError) in
      try window.take(offset: chunk.offset, count: bytes.count, total: chunk.total)
    }
  }

  private func keep(
    _ chunk: Message,
    onFailure: @escaping @Sendable (CameraBusError) -> Void,
    onKept: @escaping @Sendable () -> Void
  ) {
    destination.enter { destination in
      do throws(CameraBusError) {
        try destination.append(chunk)
        onKept()
      } catch {
        onFailure(error)
      }
    }
  }
}

extension CameraBusError {
  fileprivate static var incompleteDownload: CameraBusError {
    .protocolViolation("the node ended a download before its end")
  }
}

/// Keeps a download's bytes and digests them, on a thread of its own, because disks may be slow.
protocol DownloadDestination: LoopActor {
  /// Takes the next bytes. After a failure it fails always, because bytes behind a gap are useless.
  func append(_ chunk: Message) throws(CameraBusError)
}
