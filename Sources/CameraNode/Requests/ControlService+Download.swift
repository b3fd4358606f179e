import OperatingSystem
import SwiftProtobuf
import CameraProtocol
import Capture
import EventLoop
import Foundation
import MediaLibrary

extension ControlService {
  /// Tells what the library holds; of a recording that was cut off when the node was killed, once
  /// that is saved.
  func listAssets(_ body: WireAssetsRequest, id: RequestID, until deadline: MonotonicTime) {
    if let recording = RequestID(bytes: body.requestID), unfinishedRecordings.contains(recording) {
      return heldAssetsRequests.append((body, id, deadline))
    }
    let limit = body.limit == 0 ? 100 : Int(body.limit)
    let camera = body.camera.isEmpty ? nil : body.camera
    let (assetID, requestID) = (Array(body.id), Array(body.requestID))
    performInLibrary(id, until: deadline) { (library) throws(MediaLibraryError) in
      try library.assets(
        camera: camera, id: AssetID(bytes: assetID),
        requestID: requestID.isEmpty ? nil : requestID, limit: limit)
    } then: { service, result in
      service.answer(id, result) { assets in
        .assets(.with { $0.assets = assets.map(WireAsset.init) })
      }
    }
  }

  func download(_ body: WireDownloadRequest, id: RequestID, until deadline: MonotonicTime) {
    guard let assetID = AssetID(bytes: Array(body.asset)) else {
      return fail(id, .noSuchAsset)
    }
    guard downloads.count + openingDownloads < Download.maximumCount else {
      return fail(id, .busy)
    }
    openingDownloads += 1
    performInLibrary(id, until: deadline) { (library) throws(MediaLibraryError) in
      guard let asset = try library.asset(assetID) else { return Download?.none }
      return Download(
        asset: asset, reader: try library.open(asset), offset: Int(clamping: body.offset),
        credit: body.credit)
    } then: { service, result in
      service.openingDownloads -= 1
      switch result {
      case .success(let download?): service.begin(download, id: id)
      case .success(nil): service.fail(id, .noSuchAsset)
      case .failure(let error): service.fail(id, error)
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

  /// Nobody is left to take it.
  func abandonDownload(_ id: RequestID) {
    _ = end(id, CaptureError(.cancelled, "the client that downloaded has gone"))
  }

  /// A client has taken what waited for it.
  func clientHasRoom(_ client: RequestTable.Client) {
    for id in downloads.keys where clients(of: id).contains(client) { advance(id) }
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
    guard hasRoom(id), let chunk = downloads[id]?.nextRead() else { return awaitClient(id) }
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
      if progress(id, .chunk(chunk), attachment: bytes) {
        advance(id)
      } else {
        // Behind a gap it is worth nothing.
        let error = CaptureError(
          .overloaded, "too much waits for this client: read it, and ask again from your offset")
        _ = end(id, error)
      }
    case .failure(let error): _ = end(id, CaptureError(error))
    }
  }

  /// Whether those who download take what they are sent.
  private func hasRoom(_ id: RequestID) -> Bool {
    guard let outbox else { return false }
    return clients(of: id).allSatisfy(outbox.hasRoom)
  }

  /// Lets the download go unless the client gives credit, and takes what was sent, in time.
  private func awaitClient(_ id: RequestID) {
    let patience = limits.downloadPatience
    downloads[id]?.patience = loop.schedule(at: .now + patience) { [weak self] in
      let error = CaptureError(
        .deadlineExceeded,
        "the download waited \(patience) for credit or for what was sent to be taken: "
          + "ask again from the offset you have")
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

  func close(_ download: Download) {
    download.patience?.cancel()
    library.perform { (_) throws(MediaLibraryError) in
      download.reader.close()
    } then: { _ in
    }
  }
}
