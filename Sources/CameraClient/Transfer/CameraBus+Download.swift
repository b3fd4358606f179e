import EventLoop
import OperatingSystem

extension CameraBus {
  /// Copies a photo or movie of the library into a file.
  ///
  /// The bytes are written beside it, into `PATH.camerabus.part`, checked by their SHA-256 and
  /// then renamed, so there is never half a file at the path. Links are followed, and a file
  /// that is replaced keeps its mode and owner. A device or a pipe is written into as the bytes
  /// come; a pipe without a reader is waited for. After a broken connection, a silence or a
  /// restart of the node the download goes on where it was. Where it cannot, the part stays,
  /// and the next download to the path continues it, in this program or another.
  /// - Parameters:
  ///   - asset: What to copy.
  ///   - path: The file, device or pipe.
  ///   - overwrites: Whether a file that is there is replaced; otherwise it is `fileExists`.
  ///   - onProgress: Called about every 256 KiB. If bytes come faster than it returns, it is called
  ///     with the newest number only.
  /// - Throws: `unreachable`, `timedOut`, `closed`, `cancelled`, after which the part stays;
  ///   `noSuchAsset`; `assetDamaged` where the library itself no longer has the bytes;
  ///   `hashMismatch` where they were damaged on the way; `conflict` while another download writes
  ///   the file; `storageFull`, `permissionDenied`, `storageFailed` for the file here.
  public func download(
    _ asset: Asset,
    to path: String,
    overwrites: Bool = false,
    onProgress: (DownloadProgress) -> Void = { _ in }
  ) async throws(CameraBusError) {
    let interrupter = try CameraBusError.writing(path) { () throws(SystemError) in
      try Interrupter()
    }
    try await withDownloadLoop { (loop) throws(CameraBusError) in
      let file = PartFile(path, overwrites: overwrites, on: loop, interrupter)
      let result = await withTaskCancellationHandler { () -> Result<Void, CameraBusError> in
        do throws(CameraBusError) {
          return .success(try await download(asset, into: file, onProgress))
        } catch {
          return .failure(error)
        }
      } onCancel: {
        interrupter.interrupt()
      }
      try result.get()
    }
  }

  private func download(
    _ asset: Asset,
    into file: PartFile,
    _ onProgress: (DownloadProgress) -> Void
  ) async throws(CameraBusError) {
    let report = { (byteCount: UInt64) in
      onProgress(DownloadProgress(byteCount: byteCount, total: asset.byteCount))
    }
    do throws(CameraBusError) {
      let offset = try await file.open(upTo: asset.byteCount)
      try await fetch(asset.id, .init(of: asset, from: offset, into: file), report)
      var matches = await file.matches(sha256: asset.sha256)
      if !matches, offset > 0 {
        // The part was the beginning of another file.
        try await file.startOver()
        try await fetch(asset.id, .init(of: asset, from: 0, into: file), report)
        matches = await file.matches(sha256: asset.sha256)
      }
      guard matches else { throw .hashMismatch("the download") }
      try await file.finish()
    } catch {
      await file.close(isLeft: error.leavesPart)
      throw error
    }
  }

  /// The bytes of a photo or movie of the library. They must fit this machine's memory.
  ///
  /// - Parameters:
  ///   - asset: What to fetch.
  ///   - onProgress: As for ``download(_:to:overwrites:onProgress:)``.
  /// - Throws: As ``download(_:to:overwrites:onProgress:)``.
  public func data(
    of asset: Asset,
    onProgress: (DownloadProgress) -> Void = { _ in }
  ) async throws(CameraBusError) -> [UInt8] {
    try await withDownloadLoop { (loop) throws(CameraBusError) in
      let memory = PartMemory(byteCount: asset.byteCount, on: loop)
      try await fetch(asset.id, .init(of: asset, from: 0, into: memory)) { byteCount in
        onProgress(DownloadProgress(byteCount: byteCount, total: asset.byteCount))
      }
      return try await memory.finish(sha256: asset.sha256)
    }
  }

  /// The bytes of a photo that was just taken. There is a limit, because a node may name any size
  /// and the bytes are kept in memory.
  func picture(of asset: Asset) async throws(CameraBusError) -> [UInt8] {
    let limit: UInt64 = 256 << 20
    guard asset.byteCount <= limit else {
      throw CameraBusError(
        .tooLarge,
        "the photo was taken and has \(asset.byteCount) bytes, and a capture brings \(limit) at most: download the "
          + "asset \(asset.id) to a file")
    }
    return try await data(of: asset)
  }

  /// Passes on the bytes of a photo or movie of the library as they come.
  ///
  /// - Parameter receive: Called for about 256 KiB at a time, on a thread of the download.
  /// - Throws: As ``download(_:to:overwrites:onProgress:)``; `hashMismatch` shows only at the end
  ///   that what was passed on is wrong.
  package func download(
    _ asset: Asset,
    _ receive: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(CameraBusError) {
    try await withDownloadLoop { (loop) throws(CameraBusError) in
      let stream = PartStream(on: loop, receive)
      try await fetch(asset.id, .init(of: asset, from: 0, into: stream)) { _ in }
      try await stream.finish(sha256: asset.sha256)
    }
  }

  /// Passes on the bytes of a photo or movie of the library from an offset on, as they come. Their
  /// digest is not checked, because there is none of a part.
  ///
  /// - Parameter receive: Called for about 256 KiB at a time, on a thread of the download, which it
  ///   may block: no more bytes come meanwhile.
  /// - Throws: As ``download(_:to:overwrites:onProgress:)``.
  package func download(
    _ asset: Asset, from offset: UInt64, _ receive: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(CameraBusError) {
    try await withDownloadLoop { (loop) throws(CameraBusError) in
      try await fetch(
        asset.id, .init(of: asset, from: offset, into: PartStream(on: loop, receive))
      ) { _ in }
    }
  }

  /// Runs `body` with a thread for the download's files and digest, and joins it from yet another
  /// thread.
  private func withDownloadLoop<R>(
    _ body: (EventLoop) async throws(CameraBusError) -> R
  ) async throws(CameraBusError) -> R {
    let loop = EventLoop(name: "download")
    let result: R
    do throws(CameraBusError) {
      result = try await body(loop)
    } catch {
      await OwnThread.run { loop.stop() }
      throw error
    }
    await OwnThread.run { loop.stop() }
    return result
  }
}

extension CameraBusError {
  /// Whether a later download may continue the part.
  fileprivate var leavesPart: Bool {
    switch code {
    case .unreachable, .timedOut, .closed, .cancelled: true
    case .hashMismatch: false
    default: isRetryable
    }
  }
}

/// The progress of a download.
public struct DownloadProgress: Hashable, Sendable, Codable {
  /// Bytes received so far.
  public var byteCount: UInt64
  /// Bytes in all.
  public var total: UInt64

  /// The received part, 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(byteCount) / Double(total) }
}
