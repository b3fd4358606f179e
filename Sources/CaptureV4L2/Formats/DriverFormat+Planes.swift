import CVideo4Linux

extension v4l2_format {
  /// The most planes of a picture (`VIDEO_MAX_PLANES`).
  static let mostPlanes = 8

  /// The planes of a description in the multi-planar form.
  var planes: [DriverFormat.Plane] {
    var picture = unsafe fmt.pix_mp
    let count = unsafe min(Self.mostPlanes, Int(picture.num_planes))
    return unsafe withUnsafeBytes(of: &picture.plane_fmt) { bytes in
      let formats = unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)
      return (0..<count).map { index in
        unsafe DriverFormat.Plane(
          bytesPerLine: Int(formats[index].bytesperline), byteCount: Int(formats[index].sizeimage))
      }
    }
  }

  /// This description in the multi-planar form as that of a picture in one buffer, of its first
  /// plane.
  var single: v4l2_format {
    let picture = unsafe fmt.pix_mp
    let first = unsafe planes.first
    var result = unsafe v4l2_format()
    unsafe result.type = PictureBuffers.single.type.rawValue
    unsafe result.fmt.pix.width = picture.width
    unsafe result.fmt.pix.height = picture.height
    unsafe result.fmt.pix.pixelformat = picture.pixelformat
    unsafe result.fmt.pix.field = picture.field
    unsafe result.fmt.pix.colorspace = picture.colorspace
    unsafe result.fmt.pix.quantization = UInt32(picture.quantization)
    unsafe result.fmt.pix.ycbcr_enc = UInt32(picture.ycbcr_enc)
    unsafe result.fmt.pix.xfer_func = UInt32(picture.xfer_func)
    unsafe result.fmt.pix.bytesperline = UInt32(clamping: first?.bytesPerLine ?? 0)
    unsafe result.fmt.pix.sizeimage = UInt32(clamping: first?.byteCount ?? 0)
    return unsafe result
  }
}
