import Capture
import EventLoop
import Imaging
import OperatingSystem

/// An open camera. It exists while the node is open and is used on the session's thread.
final class OpenCamera {
  let capability: Capability
  let node: DeviceNode
  let controlCatalog: ControlCatalog
  let facts: FactControls
  private let events: EventQueue
  private let habits: PictureHabits
  private var conversion: StreamConversion?
  private var queue: BufferQueue?
  private var drain: BufferDrain?
  private var metadata: MetadataReader?

  /// One buffer being filled, one waiting, one being read, and one spare.
  private static let bufferCount: UInt32 = 4
  /// Those of a video also wait to be decoded.
  private static let videoBufferCount: UInt32 = 8

  /// - Parameters:
  ///   - flash: The node of the camera's flash, if that has one of its own.
  ///   - habits: What is known of its pictures.
  /// - Throws: The reason why a node cannot be opened, or `unsuitableDevice`.
  init(
    path: String, flash: String? = nil, habits: PictureHabits = PictureHabits()
  ) throws(CaptureError) {
    let (node, capability) = try onDevice(at: path) { () throws(SystemError) in
      let node = try DeviceNode(path: path)
      return (node, try Capability(of: node))
    }
    if let shortcoming = capability.shortcoming {
      throw CaptureError(
        .unsuitableDevice,
        "\(path) \(shortcoming): \(V4L2Discovery().summary())"
      )
    }
    self.habits = habits
    self.node = node
    self.capability = capability
    let led = try flash.map { (path) throws(CaptureError) in try Self.led(at: path) }
    controlCatalog = ControlCatalog(of: node, led: led)
    if let flash, !controlCatalog.hasLED { throw .isNoFlash(flash) }
    facts = FactControls(of: node, controls: controlCatalog)
    events = EventQueue(of: node, controls: controlCatalog)
  }

  private static func led(at path: String) throws(CaptureError) -> DeviceNode {
    do throws(SystemError) {
      return try DeviceNode(path: path)
    } catch {
      let remedy =
        NodeRemedy.lookUp(for: error, on: path)
        ?? "name the node of the camera's flash, or leave flash= out"
      throw CaptureError(error, on: path, remedy: remedy)
    }
  }

  var saysDeviceTime: Bool { metadata != nil }

  // MARK: Formats

  /// The formats that can be delivered. Ranges also yield the values of `request` that they
  /// contain.
  func formats(including request: FormatRequest) throws(CaptureError) -> FormatNegotiation {
    try onDevice(at: node.path) { () throws(SystemError) in
      let enumeration = FormatEnumeration(node: node, buffers: capability.pictureBuffers)
      var negotiation = FormatNegotiation(offers: [])
      for offer in try enumeration.pixelFormats() {
        if StreamConversion.isPossible(of: offer.pixelFormat) {
          negotiation.offers += enumeration.formats(of: offer, including: request).items
        } else {
          negotiation.undeliverable.append(offer.pixelFormat)
        }
      }
      negotiation.offers = habits.offers(negotiation.offers)
      return negotiation
    }
  }

  /// The formats that the driver has but that cannot be delivered, and where its list is not whole.
  func otherFormats() throws(CaptureError) -> [CameraFormat] {
    let usable = try formats(including: FormatRequest())
    return try onDevice(at: node.path) { () throws(SystemError) in
      let enumeration = FormatEnumeration(node: node, buffers: capability.pictureBuffers)
      var others: [CameraFormat] = []
      for offer in try enumeration.pixelFormats() {
        let formats = enumeration.formats(of: offer, including: FormatRequest())
        if !StreamConversion.isPossible(of: offer.pixelFormat) {
          others += formats.items.map { $0.unusable(beside: usable) }
        }
        if let omission = formats.omission {
          let rest = CameraFormat(
            pixelFormat: offer.pixelFormat, size: ImageSize(width: 0, height: 0), frameRates: [],
            summary: offer.summary)
          others.append(rest.unusable(because: "the rest of its list is left out: \(omission)"))
        }
      }
      return others
    }
  }

  /// The format and rate for a request. Drivers list their formats while they stream, too.
  func choice(for request: FormatRequest) throws(CaptureError) -> FormatNegotiation.Choice {
    let negotiation = try formats(including: request)
    guard !(negotiation.offers.isEmpty && negotiation.undeliverable.isEmpty) else {
      throw CaptureError(
        .unsuitableDevice,
        "\(node.path) offers no picture format: a loopback device needs a program that feeds it"
      )
    }
    do throws(CaptureError) {
      return try negotiation.choose(request)
    } catch {
      if let refusal = habits.refusal(of: request) { throw refusal }
      // Some drivers take sizes that they do not list.
      guard error.part == .size, let size = request.size, request.framesPerSecond == nil else {
        throw error
      }
      for format in negotiation.pixelFormats(for: request)
      where DriverFormat(size: size, pixelFormat: format)
        .isAccepted(by: node, capability.pictureBuffers)
      {
        let unlisted = CameraFormat(
          pixelFormat: format, size: size, frameRates: [], summary: format.name)
        return FormatNegotiation.Choice(format: unlisted, rate: nil)
      }
      throw error
    }
  }

  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    stopStreaming()
    let choice = try choice(for: request)
    let setting = FormatSetting(node: node, buffers: capability.pictureBuffers)
    var (told, wanted) = (choice.format, request)
    told.size = habits.driverSize(for: told.size, told.pixelFormat)
    if request.size != nil { wanted.size = told.size }
    let source = try setting.set(told, for: wanted)
    let rate = try setting.set(choice.rate, wanted: request.framesPerSecond)
    let conversion = try StreamConversion(
      of: source, rate: rate, habit: habits.habit(of: source.pixelFormat, source.size))
    self.conversion = conversion
    return conversion.stream
  }

  // MARK: Streaming

  /// Starts streaming and returns the reader for the frame loop.
  func startStreaming(
    with library: ConversionLibrary?
  ) throws(CaptureError) -> BufferQueueReader {
    guard let conversion else {
      throw CaptureError(.notRunning, "\(node.path) has no format yet: configure it first")
    }
    let writer = try FrameWriter(for: conversion, of: node, with: library)
    // An extra fact: the camera works without it.
    metadata = V4L2Discovery().metadataNode(of: node.path, capability: capability)
      .flatMap { try? MetadataReader(path: $0) }
    let queue = try onDevice(at: node.path) { () throws(SystemError) in
      let queue = try BufferQueue(
        on: node, count: writer.video == nil ? Self.bufferCount : Self.videoBufferCount,
        type: capability.pictureBuffers.type,
        planeCount: conversion.source.planes.count)
      do throws(SystemError) {
        try queue.start()
      } catch {
        queue.release()
        throw error
      }
      return queue
    }
    self.queue = queue
    let drain = try startDrain(of: queue, for: writer)
    self.drain = drain
    facts.read()
    return BufferQueueReader(
      drain,
      writer: writer,
      habits: habits,
      timing: FrameTiming(
        evidence: .of(driver: capability.driver, card: capability.card),
        facts: facts,
        promisedInterval: conversion.stream.frameRate?.interval
      )
    )
  }

  private func startDrain(
    of queue: BufferQueue, for writer: FrameWriter
  ) throws(CaptureError) -> BufferDrain {
    do throws(LoopShortage) {
      return try BufferDrain(
        node: node, queue: queue, events: events, metadata: metadata, video: writer.video
      ) { writer.canRead($0, of: queue) }
    } catch {
      stopStreaming()
      throw CaptureError(error)
    }
  }

  func stopStreaming() {
    drain?.end()
    drain = nil
    queue?.release()
    queue = nil
    metadata?.release()
    metadata = nil
  }
}

extension CameraFormat {
  /// - Parameter usable: The formats that the camera has besides.
  func unusable(beside usable: FormatNegotiation) -> CameraFormat {
    let advice = usable.substitute(of: size).map { "take \($0.summary)" }
    return unusable(
      because: "\(pixelFormat.problem): \(advice ?? "the camera has nothing else")")
  }

  fileprivate func unusable(because problem: String) -> CameraFormat {
    var format = self
    format.problem = problem
    return format
  }
}

extension CaptureError {
  fileprivate static func isNoFlash(_ path: String) -> CaptureError {
    CaptureError(
      .unsuitableDevice,
      "\(path) has no flash controls: name the node of the camera's flash (v4l2-ctl -d \(path) --list-ctrls shows "
        + "what it has), or leave flash= out")
  }
}
