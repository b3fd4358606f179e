import Capture
import CVideo4Linux
import EventLoop
import Glibc
import Imaging
import OperatingSystem

/// Lists everything that a driver can deliver, within the bounds of ``DriverList``. A format that
/// cannot be listed does not hide the others.
struct FormatEnumeration {
  let node: any RequestNode
  var buffers = PictureBuffers.single
  var list = DriverList()

  /// One pixel format with the driver's description.
  struct Offer: Hashable {
    var pixelFormat: PixelFormat
    var summary: String
  }

  /// A part of a list, and why the rest is left out; nil if it is whole.
  struct Part<Item> {
    var items: [Item] = []
    var omission: String?
  }

  /// The pixel formats in the driver's order, each once.
  func pixelFormats() throws(SystemError) -> [Offer] {
    var offers: [Offer] = []
    var question = v4l2_fmtdesc()
    question.type = buffers.type.rawValue
    for index in 0..<UInt32(DriverList.formats) where list.isInTime {
      var answer = question
      answer.index = index
      guard try node.perform(.enumerateFormats, &answer, until: EINVAL) else { break }
      let format = PixelFormat(rawValue: answer.pixelformat)
      if !offers.contains(where: { $0.pixelFormat == format }) {
        offers.append(Offer(pixelFormat: format, summary: text(in: answer.description)))
      }
    }
    return offers
  }

  /// Every size and rate of one pixel format. Ranges also yield the values of `request` that they
  /// contain.
  func formats(of offer: Offer, including request: FormatRequest) -> Part<CameraFormat> {
    let sizes: Part<ImageSize>
    do {
      sizes = try self.sizes(of: offer.pixelFormat, including: request.size)
    } catch {
      return Part(omission: "its driver does not say its sizes: \(error.reason)")
    }
    var formats = Part<CameraFormat>(omission: sizes.omission.map { "\($0) sizes" })
    for size in sizes.items {
      let rates = rates(of: offer.pixelFormat, at: size)
      if let omission = rates.omission { formats.omission = "\(omission) rates at \(size)" }
      formats.items.append(
        CameraFormat(
          pixelFormat: offer.pixelFormat,
          size: size,
          frameRates: rates.offer.rates(including: request.framesPerSecond),
          summary: offer.summary
        )
      )
    }
    return formats
  }

  private func sizes(
    of format: PixelFormat, including wanted: ImageSize?
  ) throws(SystemError) -> Part<ImageSize> {
    var sizes: [ImageSize] = []
    var question = v4l2_frmsizeenum()
    question.pixel_format = format.rawValue
    for index in 0..<UInt32.max {
      if let omission = list.obstacle(at: index, most: DriverList.sizes) {
        return Part(items: sizes, omission: omission)
      }
      var answer = question
      answer.index = index
      guard node.attempt(.enumerateSizes, &answer) else {
        // Old drivers cannot list sizes. Then only the current size is known.
        guard index == 0 else { break }
        sizes = [try DriverFormat(of: node, buffers).size].filter(\.isValid)
        break
      }
      guard answer.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        return Part(items: SizeOffer.stepwise(answer.stepwise).sizes(including: wanted))
      }
      let size = ImageSize(answer.discrete.width, answer.discrete.height)
      if size.isValid, !sizes.contains(size) { sizes.append(size) }
    }
    return Part(items: sizes)
  }

  private func rates(
    of format: PixelFormat, at size: ImageSize
  ) -> (offer: RateOffer, omission: String?) {
    var rates: [FrameRate] = []
    var question = v4l2_frmivalenum()
    question.pixel_format = format.rawValue
    question.width = UInt32(size.width)
    question.height = UInt32(size.height)
    for index in 0..<UInt32.max {
      if let omission = list.obstacle(at: index, most: DriverList.rates) {
        return (.discrete(rates), omission)
      }
      var answer = question
      answer.index = index
      guard node.attempt(.enumerateIntervals, &answer) else { break }
      guard answer.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
        return (.range(answer.stepwise) ?? .discrete([]), nil)
      }
      if let rate = FrameRate(interval: answer.discrete) { rates.append(rate) }
    }
    return (.discrete(rates), nil)
  }
}

extension FrameRate {
  /// The rate with this time between frames, in seconds; nil for one that no camera has.
  init?(interval: v4l2_fract) {
    self.init(interval.denominator, over: interval.numerator)
    guard (0.0001...1_000_000).contains(framesPerSecond) else { return nil }
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

/// The bounds of what a driver lists: far more than real cameras have. Some drivers never refuse an
/// index, or answer each question slowly, and lists without an end fill the memory.
struct DriverList {
  static let formats = 128
  static let sizes = 512
  static let rates = 128
  static let controls = 1024
  static let menuItems = 256
  /// How long all questions about formats, or about controls, may take together.
  static let time = Duration.seconds(5)

  /// When to stop asking.
  let end: MonotonicTime

  init(time: Duration = Self.time) { end = .now + time }

  var isInTime: Bool { MonotonicTime.now <= end }
  static let slowness = "its driver answers too slowly"

  /// Why to stop asking before this index; nil to go on.
  func obstacle(at index: UInt32, most: Int) -> String? {
    if index >= most { return "its driver lists more than \(most)" }
    return isInTime ? nil : Self.slowness
  }
}
