extension CameraBus {
  /// Waits for the files in whose place a proxy stands, and fetches them.
  ///
  /// They may have been made long before. It survives lost events, a broken connection and a
  /// restart of the node. Its errors leave the proxy as it is, and this may be called again.
  /// - Parameters:
  ///   - photo: A photo that was taken with ``PhotoSettings/isDeferred``. One that is no proxy is
  ///     final already, and returned as it is.
  ///   - timeout: How long to wait until the files are made; nil is without a limit.
  /// - Returns: The final photo, with its files in the order of ``PhotoSettings/outputs``. Where
  ///   the node has forgotten its event they are in the order in which they were made, and
  ///   ``Photo/resolved`` is nil.
  /// - Throws: Why there is none: `noSuchAsset` if the proxy was deleted, and so needs none;
  ///   `encodingFailed`, … if it cannot be made; `timedOut`, `unreachable` when the node is away
  ///   already at the call, `closed`, `cancelled`.
  public func finalPhoto(
    of photo: Photo, timeout: Duration? = nil
  ) async throws(CameraBusError) -> Photo {
    guard photo.isProxy, let proxy = photo.asset else { return photo }
    var final = try await finalPhoto(of: proxy, timeout: timeout)
    // The event of a picture does not say which one of the burst it is.
    if let picture = photo.resolved?.picture { final.resolved?.picture = picture }
    return final
  }

  /// Waits for the files in whose place a proxy of the library stands, and fetches them.
  ///
  /// - Throws: As for a photo; `invalidArgument` for an asset that is no proxy.
  public func finalPhoto(
    of proxy: Asset, timeout: Duration? = nil
  ) async throws(CameraBusError) -> Photo {
    if let timeout { try Arguments.checkPositive(timeout, "timeout") }
    let follower = try ProxyFollower(proxy, of: self)
    do throws(CameraBusError) {
      return try await follower.finalFiles(within: timeout).fetch(from: self)
    } catch {
      throw error.of(follower.requestID)
    }
  }

  /// Waits for the files, and does not fetch them.
  package func awaitFinalPhoto(
    of proxy: Asset, timeout: Duration? = nil
  ) async throws(CameraBusError) {
    _ = try await ProxyFollower(proxy, of: self).finalFiles(within: timeout)
  }
}
