import CameraClient
import Glibc
import OperatingSystem

/// What `download --request` fetches of all that a request made: final photos instead of their
/// proxies.
struct RequestedAssets {
  /// Without proxies whose final photos are there or still to come.
  let fetched: [Asset]
  /// The proxies whose final photos are still to come.
  let pending: [Asset]

  init(_ assets: [Asset]) {
    let replaced = Set(assets.compactMap(\.replaces))
    pending = assets.filter { asset in
      asset.isProxy && ![.done, .failed].contains(asset.deferral)
    }
    fetched = assets.filter { asset in
      switch asset.deferral {
      case nil, .failed?: true
      // The final photos may have been deleted.
      case .done?: !replaced.contains(asset.id)
      default: false
      }
    }
  }

  /// - Throws: If final photos are still to come.
  func requireAll() throws {
    guard let proxy = pending.first else { return }
    throw CommandFailure(
      code: CameraBusError.Code.noSuchAsset.rawValue,
      message:
        "\(pending.count.counted("final photo")) of this request \(pending.count == 1 ? "is" : "are") still to "
        + "be made: try again later, or with --wait; the proxy: camctl download \(proxy.id.short)",
      status: EX_TEMPFAIL, isRetryable: true)
  }
}
