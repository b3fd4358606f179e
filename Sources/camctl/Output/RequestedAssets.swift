import CameraClient
import Glibc
import Words

/// What `download --request` fetches of all that a request made: final photos instead of their
/// proxies.
struct RequestedAssets {
  /// Without proxies whose final photos are there or still to come.
  let fetched: [Asset]
  /// The proxies whose final photos are still to come.
  let pending: [Asset]
  /// The proxies whose final photos cannot be made.
  let failed: [Asset]

  init(_ assets: [Asset]) {
    let replaced = Set(assets.compactMap(\.replaces))
    pending = assets.filter { asset in
      asset.isProxy && ![.done, .failed].contains(asset.deferral)
    }
    failed = assets.filter { $0.deferral == .failed }
    fetched = assets.filter { asset in
      switch asset.deferral {
      case nil, .failed?: true
      // The final photos may have been deleted.
      case .done?: !replaced.contains(asset.id)
      default: false
      }
    }
  }

  /// - Throws: If final photos are still to come, or cannot be made.
  func requireAll() throws {
    guard let proxy = pending.first else { return try requireNoFailed() }
    let proxies =
      pending.count == 1
      ? "the proxy: camctl download \(proxy.id.short)"
      : "the proxies: camctl assets --deferral pending"
    throw CommandFailure(
      code: CameraBusError.Code.noSuchAsset.rawValue,
      message:
        "\(pending.count.counted("final photo")) of this request \(pending.count == 1 ? "is" : "are") still to "
        + "be made: try again later, or with --wait; \(proxies)",
      status: EX_TEMPFAIL, isRetryable: true)
  }

  private func requireNoFailed() throws {
    guard !failed.isEmpty else { return }
    throw CommandFailure(
      code: CameraBusError.Code.encodingFailed.rawValue,
      message:
        "\(failed.count.counted("final photo")) of this request cannot be made, as the node's log explains: "
        + "\(failed.count == 1 ? "its proxy is" : "their proxies are") fetched instead",
      status: EXIT_FAILURE, isRetryable: false)
  }
}
