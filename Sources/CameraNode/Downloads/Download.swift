import CameraProtocol
import Capture
import EventLoop
import MediaLibrary
import OperatingSystem

/// One asset on its way to a client, in chunks under the client's credit.
///
/// It holds the file open but no bytes: a chunk is read when there is credit for it, one at a time, so that a slow
/// client costs neither memory nor anyone else's time.
// Sendable: belongs to the control loop.
final class Download: @unchecked Sendable {
  private let loop: EventLoop
  private let call: Call
  /// How long it waits for its client.
  private let patience: Duration
  private var cursor: ChunkCursor
  /// Why it ends before the asset's end.
  private var error: CaptureError?
  private var client: Suspension?

  init(
    _ asset: Asset, _ body: WireDownloadRequest, _ call: Call, on loop: EventLoop,
    patience: Duration
  ) {
    self.loop = loop
    self.call = call
    self.patience = patience
    cursor = ChunkCursor(
      byteCount: asset.byteCount, offset: Int(clamping: body.offset), credit: body.credit)
  }

  /// The client gives credit for more chunks.
  func extend(by chunks: UInt32) {
    cursor.extend(by: chunks)
    clientActed()
  }

  /// The client did something: looks again whether there is something to send.
  func clientActed() { client?.resume() }

  /// Ends the download with an error, at its next step.
  func end(_ error: CaptureError) {
    self.error = self.error ?? error
    client?.resume()
  }

  /// The next chunk to send, when the client has given credit and has room for it; nil at the asset's end.
  /// - Throws: why the download ends early; `deadlineExceeded` when the client does nothing for too long.
  func nextChunk() async throws -> Range<Int>? {
    while true {
      if let error { throw error }
      if cursor.isComplete { return nil }
      if call.hasRoom, let chunk = cursor.next() { return chunk }
      try await waitForClient()
    }
  }

  /// Waits until the client acts, or the download ends.
  private func waitForClient() async throws(CancellationError) {
    let patience = patience
    try await loop.suspend { suspension in
      // Something may have happened on the way to here.
      guard self.error == nil, self.cursor.credit == 0 || !self.call.hasRoom else { return nil }
      self.client = suspension
      let timer = self.loop.schedule(at: .now + patience) { self.end(.waitedTooLong(patience)) }
      return {
        timer.cancel()
        self.client = nil
      }
    }
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
