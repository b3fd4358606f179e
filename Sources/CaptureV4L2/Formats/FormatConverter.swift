import CVideo4Linux
import Capture
import Imaging

/// libv4lconvert for one open device: turns what the driver delivers into what the rest of us reads.
///
/// The library keeps scratch memory and its last error in its handle, hence one thread at a time.
@safe final class FormatConverter {
  private let library: OpaquePointer

  /// - Throws: `deviceFailed` when the library does not take to the device.
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

  /// Converts one picture; some formats in two steps, of which the first overwrites the picture.
  /// - Returns: The bytes written; nil when the picture is damaged.
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
