import EventLoop

extension CameraBus {
  /// Copies a photo or movie of the library into a file.
  ///
  /// The bytes are written next to it, as `PATH.part`, checked by their SHA-256, and then take the file's place whole:
  /// there is never half a file at the path. A broken connection is taken up again where it broke.
  /// - Parameters:
  ///   - asset: What to copy.
  ///   - path: The file; one that is there is replaced.
  ///   - onProgress: Called after every chunk, about 256 KiB.
  /// - Throws: `noSuchAsset`, `hashMismatch`; `storageFull`, `permissionDenied`, `storageFailed` for the file here;
  ///   `unreachable`, `timedOut`, `closed`, `cancelled`. The part is then removed.
  public func download(
    _ asset: Asset,
    to path: String,
    onProgress: (DownloadProgress) -> Void = { _ in }
  ) async throws(CameraBusError) {
    let loop = EventLoop(name: "download")
    // Nothing is left on it then but its end.
    defer { loop.stop() }
    let file = PartFile(path, on: loop)
    do throws(CameraBusError) {
      try await file.open()
      try await download(asset, into: file, onProgress: onProgress)
      try await file.finish(sha256: asset.sha256)
    } catch {
      await file.close()
      throw error
    }
  }

  /// The bytes of a photo or movie of the library. They must fit this machine's memory.
  ///
  /// - Parameters:
  ///   - asset: What to fetch.
  ///   - onProgress: Called after every chunk, about 256 KiB.
  /// - Throws: As ``download(_:to:onProgress:)``.
  public func data(
    of asset: Asset,
    onProgress: (DownloadProgress) -> Void = { _ in }
  ) async throws(CameraBusError) -> [UInt8] {
    let memory = PartMemory(byteCount: asset.byteCount)
    try await download(asset, into: memory, onProgress: onProgress)
    return try await memory.finish(sha256: asset.sha256)
  }
}
