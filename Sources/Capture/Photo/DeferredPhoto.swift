import Imaging

/// A photo that is taken, and whose files are made later: the bytes by which it is kept on the disk
/// until then.
package struct DeferredPhoto: Sendable {
  package let bytes: [UInt8]
  /// What its files will usually take at most; zero for a photo that was kept by an earlier run.
  package let fileByteCount: Int
  /// They count as memory until nobody has them any more.
  private let memory: PhotoMemory.Share?

  init(_ kept: KeptFrames, _ memory: PhotoMemory) throws(CaptureError) {
    let record = try DeferredRecord(kept)
    self.memory = memory.take(record.byteCount)
    bytes = record.encoded()
    fileByteCount = kept.order.files.reduce(0) { sum, file in
      let geometry = kept.order.geometry(
        of: file.format, PhotoSource(kept.moment.layout), kept.orientation)
      return sum + geometry.fileByteCount(of: kept.moment, as: file.format)
    }
  }

  /// A photo that was kept.
  package init(_ bytes: [UInt8]) {
    (self.bytes, fileByteCount, memory) = (bytes, 0, nil)
  }

  /// Why it is left to another version of the node, which kept it in a way that this one does not
  /// read; nil if it is not.
  package var foreignness: CaptureError? {
    guard let version = DeferredRecord.version(of: bytes), version != DeferredRecord.version else {
      return nil
    }
    return .unknownVersion(version)
  }

  /// - Throws: `encodingFailed` for bytes that are damaged or of another version.
  func read() throws(CaptureError) -> KeptFrames { try DeferredRecord.decode(bytes) }
}

/// The frames of a photo whose files are made later, and what they are to be.
struct KeptFrames: Sendable {
  var order: PhotoOrder
  /// How the picture is to be turned.
  var orientation: Orientation
  /// What was known of the photo beforehand.
  var facts: PhotoFacts
  /// The number of the picture.
  var picture: Int
  var place: PhotoPlace
  /// The frames of which one is chosen, or which are merged.
  var frames: [Frame]
  /// The one of the moment among them.
  var moment: Frame
}
