import CVideo4Linux
package import CaptureV4L2

extension ConversionLibrary {
  /// The libraries that this target links: libv4lconvert and libavcodec.
  package static let linked = unsafe ConversionLibrary(
    create: { unsafe v4lconvert_create($0) }, destroy: { unsafe v4lconvert_destroy($0) },
    convert: {
      unsafe v4lconvert_convert($0, $1, $2, $3, $4, $5, $6)
    }, decoder: { LibavDecoder($0, maximumPixels: $1, matrix: $2) })
}
