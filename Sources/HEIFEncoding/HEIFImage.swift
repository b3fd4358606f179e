import CHEIF
import Imaging

/// A picture in libheif's memory: 4:2:0 or grey, in full range, BT.601 and sRGB.
@safe final class HEIFImage {
  let image: OpaquePointer?

  /// - Parameter picture: Grey, 4:2:0, or 4:2:2, which becomes 4:2:0.
  /// - Throws: `codecFailed`.
  init(_ picture: PlanarPicture) throws(ImagingError) {
    let isGrey = picture.subsampling == .grey
    var image: OpaquePointer?
    try unsafe HEIFEncoder.check(
      heif_image_create(
        Int32(picture.size.width), Int32(picture.size.height),
        isGrey ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
        isGrey ? heif_chroma_monochrome : heif_chroma_420, &image))
    unsafe self.image = unsafe image
    try setMeaning()
    try add(picture)
  }

  deinit {
    unsafe heif_image_release(image)
  }

  /// Says what the codes mean (ITU-T H.273).
  private func setMeaning() throws(ImagingError) {
    let profile = unsafe heif_nclx_color_profile_alloc()
    defer { unsafe heif_nclx_color_profile_free(profile) }
    unsafe profile?.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
    unsafe profile?.pointee.transfer_characteristics =
      heif_transfer_characteristic_IEC_61966_2_1
    unsafe profile?.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6
    unsafe profile?.pointee.full_range_flag = 1
    try unsafe HEIFEncoder.check(heif_image_set_nclx_color_profile(image, profile))
  }

  private func add(_ picture: PlanarPicture) throws(ImagingError) {
    let size = picture.size
    let chroma = picture.subsampling.chromaSize(size)
    try add(heif_channel_Y, size, picture.bytes.span.extracting(first: size.width * size.height))
    guard picture.subsampling != .grey else { return }
    let count = chroma.width * chroma.height
    var rest = picture.bytes.span.extracting(droppingFirst: size.width * size.height)
    for channel in [heif_channel_Cb, heif_channel_Cr] {
      try add(
        channel, chroma, rest.extracting(first: count),
        halvesRows: picture.subsampling == .yuv422)
      rest = rest.extracting(droppingFirst: count)
    }
  }

  /// Copies a plane. To halve its rows, it takes the mean of two; an odd last row stays.
  private func add(
    _ channel: heif_channel, _ size: ImageSize, _ samples: Span<UInt8>, halvesRows: Bool = false
  ) throws(ImagingError) {
    let height = halvesRows ? (size.height + 1) / 2 : size.height
    try unsafe HEIFEncoder.check(
      heif_image_add_plane(image, channel, Int32(size.width), Int32(height), 8))
    var stride: Int32 = 0
    guard let target = unsafe heif_image_get_plane(image, channel, &stride) else {
      throw ImagingError(.codecFailed, "libheif has no memory for a plane: free some")
    }
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let source = samples.baseAddress else { return }
      for y in 0..<height {
        let into = unsafe target + y * Int(stride)
        guard halvesRows else {
          unsafe into.update(from: source + y * size.width, count: size.width)
          continue
        }
        let upper = unsafe source + 2 * y * size.width
        let lower = unsafe source + min(2 * y + 1, size.height - 1) * size.width
        for x in 0..<size.width {
          unsafe into[x] = UInt8(
            truncatingIfNeeded: (UInt16(upper[x]) &+ UInt16(lower[x]) &+ 1) &>> 1)
        }
      }
    }
  }
}
