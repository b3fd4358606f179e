package import Imaging

extension JPEGEncoder {
  /// Encodes a picture into a new array.
  package func encode(
    _ picture: [UInt8], _ layout: ImageLayout, scaledTo target: ImageSize? = nil,
    turned orientation: Orientation = .upright, quality: Int = 95, capacity: Int? = nil
  ) throws(ImagingError) -> [UInt8] {
    let capacity = capacity ?? Self.maximumByteCount(for: orientation.turned(target ?? layout.size))
    var output = [UInt8](repeating: 0, count: capacity)
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let byteCount = try unsafe encode(
      picture.span.bytes, layout: layout, scaledTo: target, turned: orientation, quality: quality,
      into: &bytes)
    return Array(output[..<byteCount])
  }
}
