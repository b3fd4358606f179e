/// Photos of a request with an unknown outcome: the node restarted, or forgot the request, or did
/// not come back.
///
/// Asking again could take others, so it only looks for the first ones: the library names the
/// request that each asset was made for (Protocol/README.md, "The same id again").
struct LostPhotos {
  private let requestID: Identifier
  private let camera: Camera
  private let order: CaptureOrder

  init(_ requestID: Identifier, of camera: Camera, _ order: CaptureOrder) {
    self.requestID = requestID
    self.camera = camera
    self.order = order
  }

  /// Finds the photos in the node's library.
  ///
  /// - Parameter error: Why the outcome is unknown.
  /// - Throws: `outcomeUnknown` where the library does not have all their files, or cannot be
  ///   asked.
  func find(_ error: CameraBusError) async throws(CameraBusError) -> [FinishedPhoto] {
    guard order.settings.isKept else {
      throw unknown(
        "it is not known whether the photo was taken, and one that is not kept leaves no trace: ask again if a second "
          + "photo does no harm",
        isRetryable: false,
        cause: error
      )
    }
    let all = try await assets(error)
    let assets = all.filter { $0.part != .live }
    guard !assets.isEmpty else {
      throw unknown(
        "the node restarted, or forgot the request, and its library has no photo of it: ask again",
        isRetryable: true,
        cause: error
      )
    }
    let count = order.pictures * order.settings.totalFileCount
    let (maps, mattes) = (inTime(.depth, assets), inTime(.matte, assets))
    guard assets.count == count, maps.count == (order.settings.depth == nil ? 0 : order.pictures),
      mattes.count == (order.settings.depth?.matte == nil ? 0 : order.pictures)
    else {
      throw unknown(
        "the node restarted, or forgot the request, and its library has \(assets.count) of its \(count) files: take "
          + "those that are there, or ask again",
        isRetryable: false,
        cause: error
      )
    }
    // The assets of a picture have the time of its frame.
    let pictures = Dictionary(grouping: assets.filter { $0.part == nil }, by: \.created)
    let movie = order.settings.isLive ? movie(all.first { $0.part == .live }) : nil
    return pictures.sorted { $0.key < $1.key }.enumerated().map { index, picture in
      FinishedPhoto(
        requestID, assets: inOrder(picture.value), map: maps.isEmpty ? nil : maps[index],
        matte: mattes.isEmpty ? nil : mattes[index], movie: movie)
    }
  }

  private func movie(_ asset: Asset?) -> LiveMovie {
    let error = CameraBusError(
      .outcomeUnknown,
      "the node restarted, or forgot the request, and its library has no movie of the photo: what it recorded may come later, "
        + "as an asset of the same request",
      isRetryable: false)
    return LiveMovie(asset: asset, error: asset == nil ? Problem(error) : nil)
  }

  /// The assets that show this, in the order of the pictures that they go with: a later picture
  /// has no earlier distances.
  private func inTime(_ part: AssetPart, _ assets: [Asset]) -> [Asset] {
    assets.filter { $0.part == part }.sorted { $0.created < $1.created }
  }

  /// The assets of one picture, in the order of the outputs.
  private func inOrder(_ assets: [Asset]) -> [Asset] {
    let types = order.settings.outputs.map(\.format.mediaType)
    return assets.sorted {
      types.firstIndex(of: $0.mediaType) ?? 0 < types.firstIndex(of: $1.mediaType) ?? 0
    }
  }

  private func assets(_ error: CameraBusError) async throws(CameraBusError) -> [Asset] {
    do throws(CameraBusError) {
      var (assets, count) = ([Asset](), 0)
      for try await asset in camera.bus.allAssets(AssetFilter(requestID: requestID)) {
        // The files that are made later are not the photo that was asked for, which is the proxy.
        if asset.isProxy == order.settings.isDeferred { assets.append(asset) }
        count += 1
        // A node may say that there are any number.
        guard count <= order.pictures * order.settings.assetCount else { break }
      }
      return assets
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
