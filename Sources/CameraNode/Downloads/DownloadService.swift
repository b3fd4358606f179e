import CameraProtocol
import Capture
import MediaLibrary
import SwiftProtobuf

/// Sends assets to clients, chunk by chunk.
@ControlLoop final class DownloadService {
  private let library: MediaLibrary
  /// How long a download waits for its client.
  private let patience: Duration
  /// How long a download that sends little keeps its place from others.
  private let grace: Duration
  private var downloads: [RequestID: Download] = [:]
  private var places = DownloadPlaces()

  init(library: MediaLibrary, patience: Duration, grace: Duration) {
    self.library = library
    self.patience = patience
    self.grace = grace
  }

  func download(_ body: WireDownloadRequest, _ call: Call) async throws {
    let place = places.take(for: call.id, of: call.holder) { other in
      downloads[other]?.slowness(over: grace)
    }
    switch place {
    case .free: break
    case .from(let other): downloads[other]?.end(.placeTaken)
    case .none: throw WireError.noPlace(limit: places.limit)
    }
    defer { places.giveBack(call.id) }
    // Validation has checked the length.
    guard let id = AssetID(bytes: Array(body.asset)) else { return }
    var isCancelled = false
    let cancel = {
      isCancelled = true
      return true
    }
    // The download can be cancelled until the library has time for it.
    try await call.work(on: library, onLateCancel: cancel) { _ in }
    let (asset, reader) = try await call.interruptible(by: Interruption(onCancel: cancel)) {
      guard let asset = try await library.checkedAsset(id),
        call.access.isFor(camera: asset.description.camera)
      else { throw WireError.noSuchAsset(id) }
      return (asset, try await library.open(asset))
    }
    do {
      guard !isCancelled else { throw CaptureError.downloadCancelled }
      guard body.offset <= asset.byteCount else { throw WireError.startsBeyond(asset) }
      try await send(asset, from: reader, body, call)
      try await library.check(reader)
      await library.close(reader)
      call.finish(.download(.with { $0.asset = WireAsset(asset) }))
    } catch {
      await library.close(reader)
      throw error
    }
  }

  /// Adds a client's credit to its download.
  func extend(_ credit: WireDownloadCredit, of holder: Holder) {
    guard let id = RequestID(bytes: Array(credit.download)), let download = downloads[id],
      download.isOf(holder)
    else { return }
    download.extend(by: credit.chunks)
  }

  /// Ends all downloads, because the node stops.
  func endAll() {
    for download in downloads.values { download.end(.nodeStops) }
  }

  private func send(
    _ asset: Asset, from reader: AssetReader, _ body: WireDownloadRequest, _ call: Call
  ) async throws {
    // Another client may have taken the place before the library opened the asset.
    guard places.hasPlace(call.id) else { throw CaptureError.placeTaken }
    let download = Download(asset, body, call, patience: patience)
    downloads[call.id] = download
    // After the last chunk or a failure nothing can cancel it.
    defer { downloads[call.id] = nil }
    let interruption = Interruption(
      onCancel: {
        download.end(.downloadCancelled)
        return true
      },
      onRoom: { download.clientActed() }, onAbandoned: { download.end(.clientIsGone) })
    try await call.interruptible(by: interruption) {
      while let range = try await download.nextChunk() {
        let bytes = try await library.read(range, from: reader)
        let chunk = WireDownloadChunk.with {
          $0.offset = UInt64(range.lowerBound)
          $0.total = UInt64(asset.byteCount)
        }
        // If a chunk is dropped, the client cannot use those after it.
        guard call.progress(.chunk(chunk), attachment: bytes) else {
          throw CaptureError(
            .overloaded, "too much waits for this client: read it, and ask again from your offset")
        }
        download.sent(bytes.count)
      }
    }
  }
}

extension CaptureError {
  fileprivate static var placeTaken: CaptureError {
    CaptureError(
      .overloaded,
      "another client needs the place: ask again from your offset, with fewer downloads, "
        + "and take what comes faster")
  }

  fileprivate static var downloadCancelled: CaptureError {
    CaptureError(.cancelled, "the download was cancelled")
  }
}

extension WireError {
  fileprivate static func noPlace(limit: Int) -> WireError {
    WireError(
      .busy, "\(limit) downloads are under way, which is the most: ask again when one has ended")
  }

  fileprivate static func startsBeyond(_ asset: Asset) -> WireError {
    WireError(
      .invalidArgument, "the asset has \(asset.byteCount) bytes: start at or before its end",
      field: RequestField.Download.offset)
  }
}
