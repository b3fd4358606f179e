import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import OperatingSystem

/// One asset that is sent to a client in chunks. The client gives credit for each chunk.
///
/// Chunks are read one at a time, and only when there is credit. So a slow client costs an open
/// file but no memory, and delays no other client.
@ControlLoop final class Download {
  private let call: Call
  /// How long the download waits for its client.
  private let patience: Duration
  private var cursor: ChunkCursor
  /// Why the download ends early.
  private var error: CaptureError?
  /// Resumes the download, which waits for its client.
  private var client: CheckedContinuation<Void, Never>?
  private var pace = DownloadPace(begun: .now)

  init(
    _ asset: Asset, _ body: WireDownloadRequest, _ call: Call, patience: Duration
  ) {
    self.call = call
    self.patience = patience
    cursor = ChunkCursor(
      byteCount: asset.byteCount, offset: Int(clamping: body.offset), credit: body.credit)
  }

  func isOf(_ holder: Holder) -> Bool { call.holder.isSame(client: holder) }

  /// Adds credit for more chunks.
  func extend(by chunks: UInt32) {
    cursor.extend(by: chunks)
    clientActed()
  }

  /// Checks again whether a chunk can be sent. Call it when the client did something.
  func clientActed() {
    client?.resume()
    client = nil
  }

  func sent(_ byteCount: Int) { pace.sent(byteCount, at: .now) }

  /// The bytes that the download has sent in the last `time` if it is slow, or nil.
  func slowness(over time: Duration) -> Int? { pace.slowness(over: time, at: .now) }

  /// Ends the download with an error before its next chunk.
  func end(_ error: CaptureError) {
    self.error = self.error ?? error
    clientActed()
  }

  /// Waits until the client has given credit and has room.
  /// - Returns: The next chunk to send; nil at the asset's end.
  /// - Throws: The error that ends the download early; `cancelled` when the client is gone;
  ///   `deadlineExceeded` when it does nothing for too long.
  func nextChunk() async throws -> Range<Int>? {
    while true {
      if let error { throw error }
      if cursor.isComplete { return nil }
      if call.hasRoom, let chunk = cursor.next() { return chunk }
      // It may have left before the download could be told of it.
      guard call.hasClient else { throw CaptureError.clientIsGone }
      await waitForClient()
    }
  }

  /// Waits until the client acts, or the download ends.
  private func waitForClient() async {
    let timer = ControlLoop.schedule(at: .now + patience) { [self] in
      end(.waitedTooLong(patience))
    }
    await withCheckedContinuation { client = $0 }
    timer.cancel()
  }
}

extension CaptureError {
  fileprivate static func waitedTooLong(_ patience: Duration) -> CaptureError {
    CaptureError(
      .deadlineExceeded,
      "the download waited \(patience) for credit or for what was sent to be taken: "
        + "ask again from the offset you have")
  }
}
