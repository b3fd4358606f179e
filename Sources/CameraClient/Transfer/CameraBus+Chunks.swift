import CameraProtocol
import EventLoop
import FoundationEssentials
import SwiftProtobuf

extension CameraBus {
  /// How often in a row a download is resumed without any new byte.
  private static let tries = 5

  /// Fetches the rest of an asset, and resumes it whenever the connection breaks.
  func fetch(
    _ asset: Identifier,
    _ pipeline: DownloadPipeline,
    _ onProgress: (_ byteCount: UInt64) -> Void
  ) async throws(CameraBusError) {
    if pipeline.offset > 0 { onProgress(pipeline.offset) }
    var triesLeft = Self.tries
    while true {
      let (id, offset) = (RequestID.random(), pipeline.offset)
      do throws(CameraBusError) {
        return try await fetch(asset, id, pipeline, onProgress)
      } catch {
        guard error.isBreak else { throw error }
        withdraw(id)
        triesLeft = pipeline.offset > offset ? Self.tries : triesLeft - 1
        guard triesLeft > 0 else { throw error }
      }
    }
  }

  private func fetch(
    _ asset: Identifier,
    _ id: RequestID,
    _ pipeline: DownloadPipeline,
    _ onProgress: (_ byteCount: UInt64) -> Void
  ) async throws(CameraBusError) {
    let (steps, receive) = pipeline.request(
      onKept: { [self] in grant(id, $0) },
      onEnd: { [connection] in connection.enter { $0.abandon(id, isEnded: true) } }
    )
    let body = WireDownloadRequest.with {
      $0.asset = Data(asset.bytes)
      $0.offset = pipeline.offset
      $0.credit = UInt32(DownloadWindow.credit)
    }
    let rule = PendingRequests.Rule(
      timeout: configuration.requestTimeout, resending: .never,
      stepTimeout: configuration.requestTimeout)
    let isSubmitted = connection.enter { $0.submit(id, .download(body), rule, receive) }
    if !isSubmitted { throw .closed }
    for await step in steps {
      switch step {
      case .kept(let byteCount): onProgress(byteCount)
      case .ended(let error?): throw error
      case .ended(nil): return
      }
    }
    throw .endedEarly
  }

  /// Allows the node to send more chunks.
  private func grant(_ download: RequestID, _ chunks: Int) {
    connection.enter { connection in
      connection.post(
        .downloadCredit(
          .with {
            $0.download = download.data
            $0.chunks = UInt32(chunks)
          }
        )
      )
    }
  }

  /// Cancels the rest of a broken download as soon as the node can be reached again.
  private func withdraw(_ download: RequestID) {
    let rule = PendingRequests.Rule(timeout: configuration.requestTimeout, resending: .reading)
    connection.enterAtOnce { connection in
      connection.submit(.random(), .cancel(.with { $0.request = download.data }), rule) { _ in }
    }
  }
}

extension CameraBusError {
  /// Whether a download that failed with this error is resumed under a new id: the connection or
  /// the node went away, or the node got no credit for a minute, because this program may have been
  /// stopped.
  fileprivate var isBreak: Bool {
    [.unreachable, .timedOut, .interrupted, .deadlineExceeded].contains(code)
  }
}
