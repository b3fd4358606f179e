package import CameraProtocol

/// A camera's readiness as this program sees it: the node's last event, and what the node does not
/// publish: this program's own photos under way, and whether the camera's lease is its own. Pure.
package struct ReadinessMachine {
  private struct Photo {
    /// Whether the node has answered, so that what it publishes counts the photo.
    var isAnswered = false
    /// The files that are still to be made.
    var files: Int
  }

  private var published: Readiness?
  private var photos: [RequestID: Photo] = [:]
  private var isLeased = false
  /// The lease under which this program works, and whether the node has published it since.
  private var ownLease: (id: RequestID, isPublished: Bool)?

  package init() {}

  /// Whether a photo that leaves the camera as it is would be taken. Nil until the node's first
  /// event, and while it is silent.
  package var readiness: Readiness? {
    guard published == .ready else { return published }
    if photos.values.count(where: { $0.files > 0 }) >= WireLimits.unmadePhotos {
      return .notReadyWaitingForCapture
    }
    if photos.count >= WireLimits.photos { return .notReadyWaitingForProcessing }
    return photos.values.allSatisfy(\.isAnswered) ? published : .notReadyMomentarily
  }

  /// The same for a photo that changes the camera's controls or format, which leases guard.
  package var readinessToChange: Readiness? {
    let isOpen = ownLease.map { isLeased || !$0.isPublished } ?? !isLeased
    return readiness == .ready && !isOpen ? .notReadyLeased : readiness
  }

  /// Takes the node's event; nil when it is silent.
  /// - Parameter isLeased: Whether any client has the camera's lease.
  package mutating func published(_ readiness: Readiness?, isLeased: Bool = false) {
    published = readiness
    self.isLeased = isLeased
    if isLeased { ownLease?.isPublished = true }
  }

  /// Takes the lease under which this program works from now on; nil for none.
  package mutating func use(_ lease: RequestID?) {
    ownLease = lease.map { ($0, isPublished: $0 == ownLease?.id && ownLease?.isPublished == true) }
  }

  // MARK: This program's photos

  /// - Parameter files: How many files it becomes in all.
  package mutating func sent(_ id: RequestID, files: Int = 1) {
    photos[id] = Photo(files: files)
  }

  package mutating func answered(_ id: RequestID) {
    photos[id]?.isAnswered = true
  }

  /// One of the photo's files was made.
  package mutating func processed(_ id: RequestID) {
    photos[id]?.files -= 1
  }

  /// The photo was finished, failed, or is waited for no more.
  package mutating func ended(_ id: RequestID) {
    photos[id] = nil
  }
}
