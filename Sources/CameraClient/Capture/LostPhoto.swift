/// A photo whose request has an unknown outcome: the node restarted, or forgot the request, or did
/// not come back.
///
/// Asking again could take a second photo, so it only looks for the first one: the library names
/// the request that each asset was made for (Protocol/README.md, "The same id again").
struct LostPhoto {
  private let requestID: Identifier
  private let camera: Camera
  private let isKept: Bool

  init(_ requestID: Identifier, of camera: Camera, isKept: Bool) {
    self.requestID = requestID
    self.camera = camera
    self.isKept = isKept
  }

  /// Finds the photo in the node's library and fetches its bytes.
  ///
  /// - Parameter error: Why the outcome is unknown.
  /// - Throws: `outcomeUnknown` where the library does not have it, or cannot be asked; what the
  ///   download throws.
  func find(_ error: CameraBusError) async throws(CameraBusError) -> Photo {
    guard isKept else {
      throw unknown(
        "it is not known whether the photo was taken, and one that is not kept leaves no trace: ask again if a second "
          + "photo does no harm",
        isRetryable: false,
        cause: error
      )
    }
    guard let asset = try await asset(error) else {
      throw unknown(
        "the node restarted, or forgot the request, and its library has no photo of it: ask again",
        isRetryable: true,
        cause: error
      )
    }
    do throws(CameraBusError) {
      return Photo(
        requestID: requestID,
        data: try await camera.bus.picture(of: asset),
        resolved: nil,
        asset: asset,
        sha256: asset.sha256
      )
    } catch {
      throw error.of(requestID)
    }
  }

  private func asset(_ error: CameraBusError) async throws(CameraBusError) -> Asset? {
    do throws(CameraBusError) {
      return try await camera.bus.assets(AssetFilter(requestID: requestID)).first
    } catch let failure where failure.code == .cancelled || failure.code == .closed {
      throw failure.of(requestID)
    } catch {
      throw unknown(
        "it is not known whether the photo was taken, and the library cannot be asked (\(error.message)): look for this "
          + "request in the library before you ask again",
        isRetryable: false,
        cause: error
      )
    }
  }

  private func unknown(
    _ message: String,
    isRetryable: Bool,
    cause: CameraBusError
  ) -> CameraBusError {
    CameraBusError(.outcomeUnknown, message, isRetryable: isRetryable, cause: cause).of(requestID)
  }
}
