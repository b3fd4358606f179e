import CameraProtocol
import EventLoop
import OperatingSystem
import ZeroMQ

/// A download's chunks on their way from the connection to where they are kept.
///
/// Each is checked on the connection's thread, kept on the destination's, and then worth credit for
/// another: neither thread waits for the other, and the credit bounds what is between them.
final class DownloadPipeline: Sendable {
  /// What the caller hears of a request.
  enum Step: Sendable {
    /// So many bytes are kept.
    case kept(UInt64)
    /// The last step: it brought all that was asked for, or failed.
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

  /// Begins a request, which is for the bytes from `offset` on.
  ///
  /// Policy: who iterates slowly hears of the newest bytes only, and always of the end.
  /// - Parameters:
  ///   - onKept: Called when the node may be given so much credit; on any thread.
  ///   - onEnd: Called when the steps have ended, or nobody iterates any more.
  /// - Returns: The steps, and what takes the request's outcomes on the connection's thread.
  func request(
    onKept: @escaping @Sendable (_ credit: Int) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> (AsyncStream<Step>, ControlConnection.Receiver) {
    window.withLock { $0.beginRequest() }
    // The newest and the end.
    let (steps, continuation) = AsyncStream.makeStream(
      of: Step.self,
      bufferingPolicy: .bufferingNewest(2)
    )
    continuation.onTermination = { _ in onEnd() }
    let end = { @Sendable [destination] (error: CameraBusError?) in
      // When all that came so far is kept.
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
