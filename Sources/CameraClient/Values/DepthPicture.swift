/// The frame of a depth camera that goes with a photo: the one nearest to it.
///
/// It has the depth camera's own point of view. Nothing makes its pixels those of the photo.
public struct DepthPicture: Hashable, Sendable {
  /// The depth camera's name.
  public var camera: String
  /// Which frame it is; nil where the node's answer was lost and the files were found in the
  /// library, as ``differenceNanoseconds``.
  public var resolved: ResolvedCapture?
  /// Its timestamp minus that of the photo, nanoseconds.
  public var differenceNanoseconds: Int64?
  /// A PNG of 16 bits: the distances in millimetres, 0 where they are not known.
  public var map: PhotoFile
  /// A PNG of 8 bits: 255 where the distance is known and within
  /// ``DepthSettings/matte``, else 0; nil if none was asked for.
  public var matte: PhotoFile?

  /// The map, and the matte if there is one.
  public var files: [PhotoFile] { [map] + (matte.map { [$0] } ?? []) }
}
