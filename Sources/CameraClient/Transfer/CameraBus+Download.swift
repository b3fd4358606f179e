import EventLoop

extension CameraBus {
  /// Copies a photo or movie of the library into a file.
  ///
  /// The bytes are written beside it, into `PATH.part`, checked by their SHA-256 and then renamed,
  /// so there is never half a file at the path. After a broken connection, a silence or a restart
  /// of the node the download goes on where it was. Where it cannot, the part stays, and the next
  /// download to the path continues it, in this program or another.
  /// - Parameters:
  ///   - asset: What to copy.
  ///   - path: The file; one that is there is replaced.
  ///   - onProgress: Called about every 256 KiB. If bytes come faster than it returns, it is called
  ///     with the newest number only.
  /// - Throws: `unreachable`, `timedOut`, `closed`, `cancelled`, after which the part stays;
  ///   `noSuchAsset`; `assetDamaged` where the library itself no longer has the bytes;
  ///   `hashMismatch` where they were damaged on the way; `conflict` while another download writes the file;
  ///   `storageFull`, `permissionDenied`, `storageFailed` for the file here.
  public func download(
    _ asset: Asset,
    to path: String,
    onProgress: (DownloadProgress) -> Void = { _ in }
  ) async throws(CameraBusError) {
    try await withDownloadLoop { (loop) throws(CameraBusError) in
      try await download(asset, to: path, on: loop, onProgress)
    }
  }

  private func download(
    _ asset: Asset,
    to path: String,
    on loop: EventLoop,
    _ onProgress: (DownloadProgress) -> Void
  ) async throws(CameraBusError) {
    let file = PartFile(path, on: loop)
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
  ///   - onProgress: As for ``download(_:to:onProgress:)``.
  /// - Throws: As ``download(_:to:onProgress:)``.
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

  /// Passes on the bytes of a photo or movie of the library as they come.
  ///
  /// - Parameter receive: Called for about 256 KiB at a time, on a thread of the download.
  /// - Throws: As ``download(_:to:onProgress:)``; `hashMismatch` shows only at the end that what was
  ///   passed on is wrong.
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
