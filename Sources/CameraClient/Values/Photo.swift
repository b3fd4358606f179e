import OperatingSystem

/// A photo that was taken.
public struct Photo: Hashable, Sendable {
  /// The request that asked for it.
  public var requestID: Identifier
  /// Which frame it is; nil where the node's answer was lost and the photo was found in the
  /// library.
  public var resolved: ResolvedCapture?
  /// The files that were made of it, in the order of ``PhotoSettings/outputs``: at least one.
  public var files: [PhotoFile]
  /// The distances that go with it; nil unless ``PhotoSettings/depth`` asks for them.
  public var depth: DepthPicture?
  /// The movie around it; nil unless ``PhotoSettings/isLive`` asks for one.
  public var movie: LiveMovie?

  /// The bytes of the first file: a JPEG unless the settings say otherwise.
  public var data: [UInt8] { files[0].data }
  /// The first file in the node's library; nil for a photo that is not kept.
  public var asset: Asset? { files[0].asset }
  /// The SHA-256 of the first file, 64 hexadecimal digits.
  public var sha256: String { files[0].sha256 }
  /// Whether it is a proxy, the only file: ``CameraBus/finalPhoto(of:timeout:)-(Photo,_)`` has the
  /// files that were asked for.
  public var isProxy: Bool { files[0].isProxy }
}

/// A file that was made of a photo.
public struct PhotoFile: Hashable, Sendable {
  /// "image/jpeg", "image/png", "image/tiff", "image/x-adobe-dng", "image/avif", "image/heic" or
  /// "image/x-raw".
  public var mediaType: String
  /// The whole file. Its SHA-256 was checked.
  public var data: [UInt8]
  /// The file in the node's library; nil for a photo that is not kept.
  public var asset: Asset?
  /// The SHA-256 of the data, 64 hexadecimal digits.
  public var sha256: String
  /// What the bytes of a raw file mean; nil for others.
  public var layout: RawLayout?
  /// Whether it is a proxy.
  public var isProxy: Bool { asset?.isProxy ?? false }
}

/// What the bytes of a file without a format of its own mean.
public struct RawLayout: Hashable, Sendable, Codable {
  /// The code of V4L2: "YUYV", "RGGB", "Z16".
  public var pixelFormat: String
  /// In pixels.
  public var size: FrameSize
  /// From one row of the first plane to the next; 0 for compressed pictures.
  public var bytesPerLine: Int
  /// The range of luma and chroma; nil for other pixels, as the matrix.
  public var colorRange: FrameFacts.ColorRange?
  /// The weights of red, green and blue.
  public var colorMatrix: FrameFacts.ColorMatrix?
}

extension Photo {
  /// Writes the first file as ``PhotoFile/write(to:overwrites:)`` does.
  public func write(to path: String, overwrites: Bool = false) async throws(CameraBusError) {
    try await files[0].write(to: path, overwrites: overwrites)
  }
}

extension PhotoFile {
  /// Writes the file, which is there whole or not at all.
  ///
  /// Links are followed, and a file that is replaced keeps its mode and owner. A device or a pipe
  /// is written into; a pipe without a reader is waited for. The disk's work is done on a thread of
  /// its own; the caller is suspended meanwhile.
  /// - Parameters:
  ///   - path: The file, device or pipe.
  ///   - overwrites: Whether a file that is there is replaced; otherwise it is `fileExists`.
  /// - Throws: `fileExists`, `storageFull`, `permissionDenied`, `storageFailed`; `conflict` while a
  ///   download writes the same file; `cancelled` when the task is while a device or a pipe lets it
  ///   wait.
  public func write(to path: String, overwrites: Bool = false) async throws(CameraBusError) {
    try await FileWriter.write(data, to: path, overwrites: overwrites)
  }
}

/// The frame of a depth camera that goes with a photo: the one nearest to it.
///
/// It has the depth camera's own point of view. Nothing makes its pixels those of the photo.
public struct DepthPicture: Hashable, Sendable {
  /// The depth camera's name.
  public var camera: String
  /// Which frame it is; nil where the node's answer was lost and the files were found in the
  /// library, as ``difference``.
  public var resolved: ResolvedCapture?
  /// Its timestamp minus that of the photo.
  public var difference: Duration?
  /// A PNG of 16 bits: the distances in millimetres, 0 where they are not known.
  public var map: PhotoFile
  /// A PNG of 8 bits: 255 where the distance is known and within
  /// ``DepthSettings/matte``, else 0; nil if none was asked for.
  public var matte: PhotoFile?

  /// The map, and the matte if there is one.
  public var files: [PhotoFile] { [map] + (matte.map { [$0] } ?? []) }
}
