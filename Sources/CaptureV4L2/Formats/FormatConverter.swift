import CVideo4Linux
import Capture
import Imaging

/// Converts pictures with libv4lconvert, for one open device.
///
/// Use it on one thread at a time, because the library keeps working memory and its last error in
/// its handle.
@safe final class FormatConverter {
  private let library: OpaquePointer

  /// - Throws: `deviceFailed` when the library cannot use the device.
  init(node: DeviceNode) throws(CaptureError) {
    guard let library = unsafe v4lconvert_create(node.descriptor) else {
      throw CaptureError(
        .deviceFailed,
        "libv4lconvert cannot work with \(node.path): take a format that needs no conversion"
      )
    }
    unsafe self.library = library
  }

  deinit {
    unsafe v4lconvert_destroy(library)
  }

  /// Converts one picture. Some formats need two steps, and the first one overwrites the picture.
  /// - Returns: The number of bytes written; nil if the picture is damaged.
  func convert(
    _ picture: inout MutableRawSpan,
    from source: DriverFormat,
    to target: DriverFormat,
    into output: inout MutableRawSpan
  ) -> Int? {
    var (source, target) = unsafe (source.raw, target.raw)
    let count = unsafe picture.withUnsafeMutableBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        unsafe v4lconvert_convert(
          library,
          &source,
          &target,
          input.baseAddress?.assumingMemoryBound(to: UInt8.self),
          Int32(clamping: input.count),
          output.baseAddress?.assumingMemoryBound(to: UInt8.self),
          Int32(clamping: output.count)
        )
      }
    }
    return count < 0 ? nil : Int(count)
  }
}
