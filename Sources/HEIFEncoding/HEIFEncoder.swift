import CHEIF
import Imaging
import PhotoEncoding

/// Makes AVIF and HEIC files with libheif.
///
/// x265 in libheif 1.15 leaks about 30 kB a picture, and an encoder may crash, so a node calls this
/// in a process of its own: ``PhotoEncoder``.
enum HEIFEncoder {
  /// How many threads an encoder uses, whatever the machine has: a photo is not urgent.
  static let threads = 2

  /// - Throws: `codecFailed`.
  static func encode(_ job: PhotoJob) throws(ImagingError) -> [UInt8] {
    let image = try HEIFImage(job.picture)
    let context = unsafe heif_context_alloc()
    defer { unsafe heif_context_free(context) }
    let encoder = try unsafe encoder(job.format, quality: job.quality, in: context)
    defer { unsafe heif_encoder_release(encoder) }
    let handle = try unsafe encode(image, with: encoder, in: context)
    defer { unsafe heif_image_handle_release(handle) }
    if !job.exif.isEmpty {
      try unsafe check(
        heif_context_add_exif_metadata(context, handle, job.exif, Int32(job.exif.count)))
    }
    if !job.xmp.isEmpty {
      try unsafe check(
        heif_context_add_XMP_metadata(context, handle, job.xmp, Int32(job.xmp.count)))
    }
    return try unsafe file(of: context)
  }

  private static func encoder(
    _ format: HEIFFormat, quality: Int, in context: OpaquePointer?
  ) throws(ImagingError) -> OpaquePointer? {
    let compression = format == .avif ? heif_compression_AV1 : heif_compression_HEVC
    var encoder: OpaquePointer?
    try unsafe check(heif_context_get_encoder_for_format(context, compression, &encoder))
    do throws(ImagingError) {
      try unsafe check(
        heif_encoder_set_lossy_quality(encoder, Int32(quality)))
      switch format {
      case .avif:
        // Measured with noisy pictures of 1080p: speed 8 takes three times as long, for files that
        // are 2 to 6 % larger and up to 0.4 dB better.
        try unsafe check(heif_encoder_set_parameter_integer(encoder, "speed", 9))
        try unsafe check(heif_encoder_set_parameter_integer(encoder, "threads", Int32(threads)))
      case .heic:
        try unsafe check(heif_encoder_set_parameter_string(encoder, "preset", "ultrafast"))
        try unsafe check(heif_encoder_set_parameter_string(encoder, "x265:pools", "\(threads)"))
      }
    } catch {
      unsafe heif_encoder_release(encoder)
      throw error
    }
    return unsafe encoder
  }

  private static func encode(
    _ image: HEIFImage, with encoder: OpaquePointer?, in context: OpaquePointer?
  ) throws(ImagingError) -> OpaquePointer? {
    let options = unsafe heif_encoding_options_alloc()
    defer { unsafe heif_encoding_options_free(options) }
    // By default libheif does not write what the codes mean, for the sake of an old macOS.
    unsafe options?.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    var handle: OpaquePointer?
    try unsafe check(heif_context_encode_image(context, image.image, encoder, options, &handle))
    return unsafe handle
  }

  private static func file(of context: OpaquePointer?) throws(ImagingError) -> [UInt8] {
    var writer = unsafe heif_writer(writer_api_version: 1) { _, data, count, bytes in
      let piece = unsafe UnsafeRawBufferPointer(start: data, count: count)
      unsafe bytes?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: piece)
      return unsafe heif_error(
        code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: noError)
    }
    var bytes: [UInt8] = []
    // An array itself would pass the address of its elements.
    let result = unsafe withUnsafeMutablePointer(to: &bytes) {
      unsafe heif_context_write(context, &writer, $0)
    }
    try unsafe check(result)
    return bytes
  }

  /// Turns an error of libheif into an `ImagingError`.
  /// - Throws: `codecFailed`.
  static func check(_ error: heif_error) throws(ImagingError) {
    guard unsafe error.code != heif_error_Ok else { return }
    throw ImagingError(.codecFailed, unsafe "libheif says: \(String(cString: error.message))")
  }
}

/// A text without characters, as C has it.
// nonisolated(unsafe): a constant of the program.
private nonisolated(unsafe) let noError = unsafe UnsafeRawPointer(StaticString("").utf8Start)
  .assumingMemoryBound(to: CChar.self)
