package import CVideo4Linux
import Capture
package import Imaging

/// The libraries that make pixels of pictures that cannot be encoded directly: the functions of
/// libv4lconvert, and decoders of video. A program that only looks at cameras does not link them.
@safe package struct ConversionLibrary: Sendable {
  package typealias Convert =
    @Sendable (
      OpaquePointer?, UnsafePointer<v4l2_format>?, UnsafePointer<v4l2_format>?,
      UnsafeMutablePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32
    ) -> Int32

  /// Makes a decoder, which refuses pictures of more pixels, and takes this matrix where the video
  /// does not say it. Nil if there is none.
  package typealias MakeDecoder =
    @Sendable (AccessUnit.Standard, _ maximumPixels: Int, ImageLayout.Matrix) -> (any VideoDecoder)?

  let create: @Sendable (Int32) -> OpaquePointer?
  let destroy: @Sendable (OpaquePointer?) -> Void
  let convert: Convert
  let decoder: MakeDecoder

  package init(
    create: @escaping @Sendable (Int32) -> OpaquePointer?,
    destroy: @escaping @Sendable (OpaquePointer?) -> Void, convert: @escaping Convert,
    decoder: @escaping MakeDecoder
  ) {
    self.decoder = decoder
    unsafe (self.create, self.destroy, self.convert) = (create, destroy, convert)
  }
}

/// Converts pictures with libv4lconvert, for one open device.
///
/// Use it on one thread at a time, because the library keeps working memory and its last error in
/// its handle.
@safe final class FormatConverter {
  private let library: ConversionLibrary
  private let handle: OpaquePointer

  /// - Throws: `deviceFailed` when the library cannot use the device.
  init(_ library: ConversionLibrary?, node: DeviceNode) throws(CaptureError) {
    guard let library, let handle = unsafe library.create(node.descriptor) else {
      throw CaptureError(
        .deviceFailed,
        "libv4lconvert cannot work with \(node.path): take a format that needs no conversion"
      )
    }
    self.library = library
    unsafe self.handle = handle
  }

  deinit {
    unsafe library.destroy(handle)
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
        unsafe library.convert(
          handle,
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
