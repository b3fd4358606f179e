import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import Foundation
import MediaLibrary

extension ControlService {
  /// A download whose client gives no credit for this long is let go.
  static let downloadPatience = Duration.seconds(60)

  /// Tells what the library holds; of a recording that was cut off when the node was killed, once that is saved.
  func listAssets(_ body: WireAssetsRequest, id: RequestID) {
    if let recording = RequestID(bytes: body.requestID), unfinishedRecordings.contains(recording) {
      return heldAssetsRequests.append((body, id))
    }
    let limit = body.limit == 0 ? 100 : Int(body.limit)
    let camera = body.camera.isEmpty ? nil : body.camera
    let (assetID, requestID) = (Array(body.id), Array(body.requestID))
    library.perform { (library) throws(MediaLibraryError) in
      try library.assets(
        camera: camera, id: AssetID(bytes: assetID),
        requestID: requestID.isEmpty ? nil : requestID, limit: limit)
    } then: { [self] result in
      answer(id, result.mapError(CaptureError.init)) { assets in
        .assets(.with { $0.assets = assets.map(WireAsset.init) })
      }
    }
  }

  func download(_ body: WireDownloadRequest, id: RequestID) {
    guard let assetID = AssetID(bytes: Array(body.asset)) else {
      return fail(id, .noSuchAsset)
    }
    guard downloads.count < Download.maximumCount else { return fail(id, .busy) }
    library.perform { (library) throws(MediaLibraryError) in
      guard let asset = try library.asset(assetID) else { return Download?.none }
      return Download(
        asset: asset, reader: try library.open(asset), offset: Int(clamping: body.offset),
        credit: body.credit)
    } then: { [self] result in
      enter { service in
        switch result {
        case .success(let download?): service.begin(download, id: id)
        case .success(nil): service.fail(id, .noSuchAsset)
        case .failure(let error): service.fail(id, CaptureError(error))
        }
      }
    }
  }

  func extendDownload(_ credit: WireDownloadCredit) {
    guard let id = RequestID(bytes: Array(credit.download)), downloads[id] != nil else { return }
    downloads[id]?.extend(by: credit.chunks)
    advance(id)
  }

  /// Ends a download that a client does not want any more; false when there is none of this id.
  func endDownload(_ id: RequestID) -> Bool {
    end(id, CaptureError(.cancelled, "the download was cancelled"))
  }

  private func begin(_ download: Download, id: RequestID) {
    guard download.offset <= download.asset.byteCount else {
      close(download)
      return fail(
        id,
        WireError(
          .invalidArgument,
          "the asset has \(download.asset.byteCount) bytes: start at or before its end",
          field: "download.offset"))
    }
    downloads[id] = download
    advance(id)
  }

  private func advance(_ id: RequestID) {
    guard let download = downloads[id], !download.isReading else { return }
    if download.isComplete {
      downloads[id] = nil
      close(download)
      return finish(id, .download(.with { $0.asset = WireAsset(download.asset) }))
    }
    download.patience?.cancel()
    guard let chunk = downloads[id]?.nextRead() else { return awaitCredit(id) }
    library.perform { (_) throws(MediaLibraryError) in
      try download.reader.read(offset: chunk.offset, count: chunk.count)
    } then: { [self] result in
      enter { $0.didRead(result, at: chunk.offset, id: id) }
    }
  }

  private func didRead(_ result: Result<[UInt8], MediaLibraryError>, at offset: Int, id: RequestID)
  {
    guard let download = downloads[id] else { return }
    switch result {
    case .success(let bytes):
      downloads[id]?.didRead(bytes.count)
      let chunk = WireDownloadChunk.with {
        $0.offset = UInt64(offset)
        $0.total = UInt64(download.asset.byteCount)
      }
      progress(id, .chunk(chunk), attachment: .bytes(bytes))
      advance(id)
    case .failure(let error): _ = end(id, CaptureError(error))
    }
  }

  /// Lets the download go unless credit comes in time.
  private func awaitCredit(_ id: RequestID) {
    downloads[id]?.patience = loop.schedule(at: .now + Self.downloadPatience) { [weak self] in
      let seconds = Self.downloadPatience.components.seconds
      let error = CaptureError(
        .deadlineExceeded,
        "the download had no credit for \(seconds) s: ask again from the offset you have")
      self?.assumeIsolated { _ = $0.end(id, error) }
    }
  }

  /// False when there is no download of this id.
  private func end(_ id: RequestID, _ error: CaptureError) -> Bool {
    guard let download = downloads.removeValue(forKey: id) else { return false }
    close(download)
    fail(id, error)
    return true
  }

  private func close(_ download: Download) {
    download.patience?.cancel()
    library.perform { (_) throws(MediaLibraryError) in
      download.reader.close()
    } then: { _ in
    }
  }
}
