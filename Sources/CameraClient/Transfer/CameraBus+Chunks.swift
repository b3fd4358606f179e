import CameraProtocol
import FoundationEssentials
import ZeroMQ
import SwiftProtobuf

/// Where a download's bytes go.
protocol DownloadDestination: Actor {
  func append(_ chunk: ZeroMQ.Message) throws(CameraBusError)
}

extension CameraBus {
  /// How often in a row a download is taken up again without having got on.
  private static let tries = 5

  /// Fetches the chunks of an asset, again from where it was whenever the connection breaks.
  func download(
    _ asset: Asset,
    from offset: UInt64 = 0,
    into destination: any DownloadDestination,
    onProgress: (DownloadProgress) -> Void
  ) async throws(CameraBusError) {
    var window = DownloadWindow(total: asset.byteCount, offset: offset)
    if offset > 0 { onProgress(DownloadProgress(byteCount: offset, total: window.total)) }
    var triesLeft = Self.tries
    while true {
      let (id, offset) = (RequestID.random(), window.offset)
      do throws(CameraBusError) {
        return try await fetch(asset.id, id, into: destination, &window, onProgress)
      } catch {
        guard error.isBreak else { throw error }
        withdraw(id)
        triesLeft = window.offset > offset ? Self.tries : triesLeft - 1
        guard triesLeft > 0 else { throw error }
      }
    }
  }

  private func fetch(
    _ asset: Identifier,
    _ id: RequestID,
    into destination: any DownloadDestination,
    _ window: inout DownloadWindow,
    _ onProgress: (DownloadProgress) -> Void
  ) async throws(CameraBusError) {
    let body = WireDownloadRequest.with {
      $0.asset = Data(asset.bytes)
      $0.offset = window.offset
      $0.credit = UInt32(DownloadWindow.credit)
    }
    let outcomes = connection.outcomes(
      of: .download(body),
      .init(
        timeout: configuration.requestTimeout,
        resending: .never,
        isRenewedByReplies: true
      ),
      id: id,
      isEndedWithCaller: true
    )
    for await outcome in outcomes {
      switch outcome {
      case .progress(.chunk(let chunk), let attachment?):
        try window.take(offset: chunk.offset, count: attachment.count, total: chunk.total)
        try await destination.append(attachment)
        grant(id)
        onProgress(DownloadProgress(byteCount: window.offset, total: window.total))
      case .finished(.download, _):
        guard window.isComplete else {
          throw .protocolViolation("the node ended a download before its end")
        }
        return
      case .failed(let error): throw error
      case .progress, .finished: throw .unexpectedReply
      }
    }
    throw .endedEarly
  }

  /// Lets the node send one more chunk.
  private func grant(_ download: RequestID) {
    connection.perform { connection in
      connection.post(
        .downloadCredit(
          .with {
            $0.download = download.data
            $0.chunks = 1
          }
        )
      )
    }
  }

  /// Lets the node know, as soon as it is heard again, that what is left of a broken download is not wanted.
  private func withdraw(_ download: RequestID) {
    let rule = RequestTable.Rule(timeout: configuration.requestTimeout, resending: .reading)
    connection.performAtOnce { connection in
      connection.submit(.random(), .cancel(.with { $0.request = download.data }), rule) { _ in }
    }
  }
}

extension CameraBusError {
  /// Whether a download that ended so goes on under a new id: the connection or the node went away, or the node had no
  /// credit for a minute, in which this program may have been stopped.
  fileprivate var isBreak: Bool {
    [.unreachable, .timedOut, .interrupted, .deadlineExceeded].contains(code)
  }
}
