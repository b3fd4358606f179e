import CVideo4Linux
import Capture
import Imaging

/// libv4lconvert for one open device: turns what the driver delivers into what the rest of us reads.
///
/// The library keeps scratch memory and its last error in its handle, hence one thread at a time.
@safe final class FormatConverter {
  private let library: OpaquePointer

  /// Nil when the library does not take to the device.
  init?(node: DeviceNode) {
    guard let library = unsafe v4lconvert_create(node.descriptor) else { return nil }
    unsafe self.library = library
  }

  deinit {
    unsafe v4lconvert_destroy(library)
  }

  /// Whether the installed library knows the pixel format. It has no list of what it knows, so this has it convert
  /// a small black picture.
  func knows(_ format: PixelFormat) -> Bool {
    let size = ImageSize(width: 64, height: 32)
    let bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
    var source = DriverFormat(size: size, pixelFormat: format)
    source.bytesPerLine = size.width * 4
    let target = DriverFormat(size: size, pixelFormat: .yu12)
    var converted = bytes
    var span = converted.mutableSpan
    var output = unsafe span.mutableBytes
    return unsafe convert(bytes.span.bytes, from: source, to: target, into: &output) != nil
  }

  /// Converts one picture.
  /// - Returns: The bytes written; nil when the picture is damaged, or of an unknown format.
  func convert(
    _ picture: RawSpan,
    from source: DriverFormat,
    to target: DriverFormat,
    into output: inout MutableRawSpan
  ) -> Int? {
    var (source, target) = unsafe (source.raw, target.raw)
    let count = unsafe picture.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        // The library takes its input as mutable and leaves it alone.
        unsafe v4lconvert_convert(
          library,
          &source,
          &target,
          UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)),
          Int32(clamping: input.count),
          output.baseAddress?.assumingMemoryBound(to: UInt8.self),
          Int32(clamping: output.count)
        )
      }
    }
    return count < 0 ? nil : Int(count)
  }
}
