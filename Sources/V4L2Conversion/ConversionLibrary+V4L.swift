import CVideo4Linux
package import CaptureV4L2

extension ConversionLibrary {
  /// libv4lconvert, which this target links.
  package static let libv4lconvert = unsafe ConversionLibrary(
    create: { unsafe v4lconvert_create($0) }, destroy: { unsafe v4lconvert_destroy($0) },
    convert: {
      unsafe v4lconvert_convert($0, $1, $2, $3, $4, $5, $6)
    })
}
