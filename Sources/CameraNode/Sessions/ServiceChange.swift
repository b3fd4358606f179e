import CameraProtocol
import SwiftProtobuf

/// What configuring a camera changes that its session does not know of; nil for what stays.
struct ServiceChange: Hashable, Sendable {
  /// Which part of the picture must look different for an event; 0 for none.
  var subjectArea: Double?
  /// The movies of live photos, which may be switched off.
  var livePhotos: WireLivePhotoSettings?

  init() {}

  init(_ body: WireConfigureRequest) {
    if body.hasSubjectArea { subjectArea = body.subjectArea }
    if body.hasLivePhotos { livePhotos = body.livePhotos }
  }

  init(_ remembered: WireRemembered) {
    if remembered.hasSubjectArea { subjectArea = remembered.subjectArea }
    if remembered.hasLivePhotos { livePhotos = remembered.livePhotos }
  }

  var isEmpty: Bool { self == ServiceChange() }

  /// This change, and then another one.
  func followed(by other: ServiceChange) -> ServiceChange {
    var both = self
    both.subjectArea = other.subjectArea ?? subjectArea
    both.livePhotos = other.livePhotos ?? livePhotos
    return both
  }
}
