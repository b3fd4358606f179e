import CameraProtocol
import Capture
import Logging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf

extension LibraryService {
  /// Keeps to a quota from now on. Every removal is an event.
  func keep(to quota: LibraryQuota) async {
    self.quota = quota
    let router = router
    await library.keep(to: quota) { [weak self] report in
      router.enter { self?.take(report) }
    }
  }

  private func take(_ report: MediaLibrary.QuotaReport) {
    usage = report.usage
    if let error = report.error, error != quotaError {
      log.warning("the quota of the library is not kept: \(error.message)")
    }
    quotaError = report.error
    for (asset, reason) in report.removed {
      log.info("\(asset.relativePath) was removed: \(reason.words)")
      events.publish(
        .library(
          .with {
            $0.removed = WireAsset(asset)
            $0.reason = WireLibraryEvent.Reason(reason)
          }), .library, ofCamera: asset.description.camera)
    }
  }

  /// What the status says of the quota and of what is used.
  func describe(in status: inout WireLibraryStatus, for access: Access) {
    status.usage = usage.sorted { $0.key < $1.key }
      .filter { access.isFor(camera: $0.key) }
      .map { camera, totals in
        .with {
          $0.camera = camera
          $0.assets = UInt64(clamping: totals.count)
          $0.bytes = UInt64(clamping: totals.byteCount)
        }
      }
    if !quota.isEmpty { status.quota = WireQuota(quota) }
    if access.cameras == nil { status.unlistedFiles = UInt64(unlistedFiles) }
    status.damagedIndex = damagedIndex ?? ""
    if let quotaError { status.quotaError = WireError(CaptureError(quotaError)) }
  }
}

extension WireQuota {
  fileprivate init(_ quota: LibraryQuota) {
    self.init()
    minimumFreeBytes = UInt64(clamping: quota.freeByteCount ?? 0)
    let all = [("", quota.all)] + quota.cameras.sorted { $0.key < $1.key }
    limits = all.filter { $0.1 != LibraryQuota.Limits() }.map { camera, own in
      .with {
        $0.camera = camera
        $0.maximumBytes = UInt64(clamping: own.byteCount ?? 0)
        $0.maximumAgeNs = own.age?.wireNanoseconds ?? 0
      }
    }
  }
}

extension LibraryQuota.Reason {
  fileprivate var words: String {
    switch self {
    case .size: "the library was larger than its quota"
    case .age: "it was older than the quota allows"
    case .free: "the disk had less free than the quota wants"
    }
  }
}
