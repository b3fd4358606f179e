import CVideo4Linux
import Capture
import EventLoop
import Glibc
import Imaging
import OperatingSystem

/// Lists everything that a driver can deliver.
struct FormatEnumeration {
  let node: DeviceNode

  /// One pixel format with the driver's description.
  struct Offer: Hashable {
    var pixelFormat: PixelFormat
    var summary: String
  }

  /// The pixel formats in the driver's order, each once.
  func pixelFormats() throws(SystemError) -> [Offer] {
    var offers: [Offer] = []
    var question = v4l2_fmtdesc()
    question.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    while try node.perform(.enumerateFormats, &question, until: EINVAL) {
      let format = PixelFormat(rawValue: question.pixelformat)
      if !offers.contains(where: { $0.pixelFormat == format }) {
        offers.append(Offer(pixelFormat: format, summary: text(in: question.description)))
      }
      question.index += 1
    }
    return offers
  }

  /// Every size and rate of one pixel format. Ranges also yield the values of `request` that they
  /// contain.
  func formats(
    of offer: Offer,
    including request: FormatRequest
  ) throws(SystemError) -> [CameraFormat] {
    var formats: [CameraFormat] = []
    for size in try sizes(of: offer.pixelFormat).sizes(including: request.size) {
      let rates = try rates(of: offer.pixelFormat, at: size)
      formats.append(
        CameraFormat(
          pixelFormat: offer.pixelFormat,
          size: size,
          frameRates: rates.rates(including: request.framesPerSecond),
          summary: offer.summary
        )
      )
    }
    return formats
  }

  private func sizes(of format: PixelFormat) throws(SystemError) -> SizeOffer {
    var sizes: [ImageSize] = []
    var question = v4l2_frmsizeenum()
    question.pixel_format = format.rawValue
    while node.attempt(.enumerateSizes, &question) {
      guard question.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        return .stepwise(question.stepwise)
      }
      sizes.append(ImageSize(question.discrete.width, question.discrete.height))
      question.index += 1
    }
    // Old drivers cannot list sizes. Then only the current size is known.
    return .discrete(sizes.isEmpty ? [try DriverFormat(of: node).size] : sizes)
  }

  private func rates(of format: PixelFormat, at size: ImageSize) throws(SystemError) -> RateOffer {
    var rates: [FrameRate] = []
    var question = v4l2_frmivalenum()
    question.pixel_format = format.rawValue
    question.width = UInt32(size.width)
    question.height = UInt32(size.height)
    while node.attempt(.enumerateIntervals, &question) {
      guard question.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
        return .range(question.stepwise) ?? .discrete([])
      }
      if let rate = FrameRate(interval: question.discrete) { rates.append(rate) }
      question.index += 1
    }
    return .discrete(rates)
  }
}

extension FrameRate {
  /// The rate with this time between frames, in seconds.
  init?(interval: v4l2_fract) {
    self.init(interval.denominator, over: interval.numerator)
  }

  /// The time from one frame to the next, in seconds.
  var secondsPerFrame: v4l2_fract { v4l2_fract(numerator: denominator, denominator: numerator) }
}

extension ImageSize {
  fileprivate init(_ width: UInt32, _ height: UInt32) {
    self.init(width: Int(width), height: Int(height))
  }
}

extension SizeOffer {
  fileprivate static func stepwise(_ range: v4l2_frmsize_stepwise) -> SizeOffer {
    .stepwise(
      minimum: ImageSize(range.min_width, range.min_height),
      maximum: ImageSize(range.max_width, range.max_height),
      step: ImageSize(range.step_width, range.step_height)
    )
  }
}

extension RateOffer {
  fileprivate static func range(_ range: v4l2_frmival_stepwise) -> RateOffer? {
    guard let fastest = FrameRate(interval: range.min), let slowest = FrameRate(interval: range.max)
    else { return nil }
    return .range(slowest: slowest, fastest: fastest)
  }
}
