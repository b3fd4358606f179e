import CVideo4Linux
import EventLoop
import Imaging
import OperatingSystem

/// V4L2's description of pictures (`v4l2_format`), as a request and as a driver's answer.
@safe struct DriverFormat {
  /// The rows and the memory of a plane with a buffer of its own.
  struct Plane: Hashable {
    var bytesPerLine: Int
    var byteCount: Int
  }

  /// The description of a picture in one buffer; if each plane has its own, that of the first.
  private(set) var raw: v4l2_format
  /// The memory of each buffer of a picture.
  private(set) var planes: [Plane]

  /// Makes a request without padding. A driver may change rows and sizes.
  init(size: ImageSize, pixelFormat: PixelFormat) {
    unsafe raw = v4l2_format()
    unsafe raw.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    unsafe raw.fmt.pix.width = UInt32(size.width)
    unsafe raw.fmt.pix.height = UInt32(size.height)
    unsafe raw.fmt.pix.pixelformat = pixelFormat.rawValue
    unsafe raw.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    // libv4lconvert needs them of what it makes. For other formats only the driver knows them.
    let (rowLength, pixelCount) = (UInt32(size.width), UInt32(truncatingIfNeeded: size.pixelCount))
    let sizes: (row: UInt32, picture: UInt32) =
      switch pixelFormat {
      case .rgb24, .bgr24: (3 &* rowLength, 3 &* pixelCount)
      case .yu12, .yv12: (rowLength, 3 &* pixelCount / 2)
      default: (0, 0)
      }
    unsafe (raw.fmt.pix.bytesperline, raw.fmt.pix.sizeimage) = sizes
    planes = unsafe [Plane(raw.fmt.pix)]
  }

  /// Takes a driver's answer.
  init(_ raw: v4l2_format) {
    let isPerPlane = unsafe raw.type == PictureBuffers.perPlane.type.rawValue
    unsafe self.raw = unsafe isPerPlane ? raw.single : raw
    planes = unsafe isPerPlane ? raw.planes : [Plane(raw.fmt.pix)]
  }

  /// Reads the driver's current format.
  init(of node: any RequestNode, _ buffers: PictureBuffers = .single) throws(SystemError) {
    var answer = unsafe v4l2_format()
    unsafe answer.type = buffers.type.rawValue
    try unsafe node.perform(.getFormat, &answer)
    unsafe self.init(answer)
  }

  /// Whether the driver would set exactly this, which changes nothing.
  func isAccepted(by node: any RequestNode, _ buffers: PictureBuffers = .single) -> Bool {
    var answer = unsafe question(buffers)
    guard unsafe node.attempt(.tryFormat, &answer) else { return false }
    let format = unsafe DriverFormat(answer)
    return format.size == size && format.pixelFormat == pixelFormat
  }

  /// Sets the format. Afterwards this value is the driver's answer.
  mutating func set(
    at node: any RequestNode, _ buffers: PictureBuffers = .single
  ) throws(SystemError) {
    var answer = unsafe question(buffers)
    try unsafe node.perform(.setFormat, &answer)
    self = unsafe DriverFormat(answer)
  }

  /// Of separate planes, the driver says itself how many there are and how large.
  private func question(_ buffers: PictureBuffers) -> v4l2_format {
    guard buffers == .perPlane else { return unsafe raw }
    var question = unsafe v4l2_format()
    unsafe question.type = buffers.type.rawValue
    unsafe (question.fmt.pix_mp.width, question.fmt.pix_mp.height) = (picture.width, picture.height)
    unsafe question.fmt.pix_mp.pixelformat = picture.pixelformat
    unsafe (question.fmt.pix_mp.field, question.fmt.pix_mp.colorspace) = (
      picture.field, picture.colorspace
    )
    return unsafe question
  }

  var size: ImageSize {
    ImageSize(width: Int(picture.width), height: Int(picture.height))
  }
  var pixelFormat: PixelFormat { PixelFormat(rawValue: picture.pixelformat) }
  /// The row length of the first plane, in bytes.
  var bytesPerLine: Int { Int(picture.bytesperline) }
  /// The size of a buffer that holds any picture of this format, in bytes.
  var byteCount: Int { Int(picture.sizeimage) }

  /// The range of raw codes. If the driver does not state it, V4L2's default applies: full for
  /// JPEG's colour space and RGB, limited for YUV. The exceptions are grey, which is full range in
  /// monochrome cameras and vivid, and the samples of sensors.
  var range: ImageLayout.Range {
    switch picture.quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: return .full
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: return .limited
    default:
      let isFull =
        picture.colorspace == V4L2_COLORSPACE_JPEG.rawValue
        || [.rgb24, .bgr24, .grey].contains(pixelFormat) || pixelFormat.isSensorData
      return isFull ? .full : .limited
    }
  }

  /// The matrix of luma and chroma. If the driver does not state it, V4L2's default for the colour
  /// space applies. Any other matrix becomes the closer of the two.
  var matrix: ImageLayout.Matrix {
    switch v4l2_ycbcr_encoding(picture.ycbcr_enc) {
    case V4L2_YCBCR_ENC_709, V4L2_YCBCR_ENC_XV709, V4L2_YCBCR_ENC_BT2020,
      V4L2_YCBCR_ENC_BT2020_CONST_LUM, V4L2_YCBCR_ENC_SMPTE240M:
      return .bt709
    case V4L2_YCBCR_ENC_DEFAULT:
      let highDefinition = [
        V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DCI_P3, V4L2_COLORSPACE_BT2020,
        V4L2_COLORSPACE_SMPTE240M,
      ]
      return highDefinition.contains(v4l2_colorspace(picture.colorspace)) ? .bt709 : .bt601
    default:
      return .bt601
    }
  }

  /// Whether a buffer holds a whole picture. Otherwise it holds one of two interlaced fields.
  var hasWholePictures: Bool {
    [
      V4L2_FIELD_ANY, V4L2_FIELD_NONE, V4L2_FIELD_INTERLACED, V4L2_FIELD_INTERLACED_TB,
      V4L2_FIELD_INTERLACED_BT,
    ].contains(v4l2_field(picture.field))
  }

  private var picture: v4l2_pix_format { unsafe raw.fmt.pix }
}

extension DriverFormat.Plane {
  fileprivate init(_ picture: v4l2_pix_format) {
    self.init(bytesPerLine: Int(picture.bytesperline), byteCount: Int(picture.sizeimage))
  }
}

/// The way in which a driver hands out pictures.
enum PictureBuffers: Hashable, Sendable {
  /// Each in one buffer.
  case single
  /// Each plane in a buffer of its own (multi-planar API), also if all formats have one plane. Most
  /// cameras of systems on a chip have this way only.
  case perPlane

  var type: v4l2_buf_type {
    switch self {
    case .single: V4L2_BUF_TYPE_VIDEO_CAPTURE
    case .perPlane: V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
    }
  }
}

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
