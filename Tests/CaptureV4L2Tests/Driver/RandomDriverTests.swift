import CVideo4Linux
import Glibc
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture
@testable import CaptureV4L2

/// Drivers whose answers contradict each other, or themselves.
struct RandomDriverTests {
  @Test func `No answer of a driver ends the program, and every list ends`() throws {
    let seed = SeededGenerator(for: "random drivers").seed
    for number in 0..<10_000 {
      let node = RandomNode(seed: seed &+ UInt64(number))
      let catalog = ControlCatalog(of: node)
      let controls = (try? catalog.controls()) ?? []
      #expect(controls.count <= DriverList.controls)
      let meanings = ControlMeanings(controls)
      for control in meanings.controls {
        _ = meanings.state(of: control) { id in
          controls.first { $0.id == id }.map { .integer($0.defaultValue) }
        }
      }
      for control in controls.prefix(40) {
        #expect(control.menu.count <= DriverList.menuItems)
        guard let own = try? catalog.control(named: control.id) else { continue }
        let transfer = catalog.transfer(of: own)
        let value = try? transfer.read(own)
        for value in [value, .integer(.min), .integer(7), .string("a"), .array([1, .max])] {
          guard let value, let checked = try? own.description.checked(value) else { continue }
          try? transfer.write(checked, to: own)
        }
      }
      let enumeration = FormatEnumeration(node: node)
      var formats: [CameraFormat] = []
      for offer in (try? enumeration.pixelFormats()) ?? [] {
        let part = enumeration.formats(of: offer, including: FormatRequest())
        #expect(part.items.count <= DriverList.sizes)
        formats += part.items
      }
      #expect(formats.filter { !$0.size.isValid } == [])
      let negotiation = FormatNegotiation(offers: formats)
      for request in [FormatRequest(), FormatRequest(framesPerSecond: 12)] {
        guard let choice = try? negotiation.choose(request) else { continue }
        _ = choice.rate?.interval
      }
      for buffers in [PictureBuffers.single, .perPlane] {
        guard let format = try? DriverFormat(of: node, buffers) else { continue }
        _ = try? StreamConversion(of: format, rate: FrameRate(30))
      }
    }
  }

  @Test func `One control that cannot be described does not hide the others`() throws {
    let node = SimulatedNode(
      "/dev/video0",
      [
        .integer(0x0098_0900, "Brightness", 0...255, value: 128),
        .integer(0x0098_0901, "Contrast", 0...255, value: 1),
      ])
    let catalog = ControlCatalog(of: node)
    node.undescribed = 0x0098_0900
    let controls = try catalog.controls()
    #expect(controls.map(\.id.rawValue) == ["brightness", "contrast"])
    #expect(controls[0].problem?.contains("Input/output error") == true)
    #expect(controls[1].problem == nil)
    node.isGone = true
    #expect(throws: SystemError.self) { try catalog.controls() }
  }

  @Test func `A control whose range is none is listed, and cannot be set`() throws {
    var answer = v4l2_query_ext_ctrl()
    (answer.id, answer.type) = (0x0098_0903, V4L2_CTRL_TYPE_INTEGER.rawValue)
    (answer.minimum, answer.maximum, answer.step) = (10, -10, 1)
    (answer.elem_size, answer.elems) = (4, 1)
    let hue = DriverControl(answer, name: ControlID(rawValue: "hue"), menu: []).description
    #expect(hue.problem == "its driver says that it goes from 10 to -10")
    let error = #expect(throws: CaptureError.self) { try hue.checked(.integer(0)) }
    #expect(error?.code == .controlNotWritable)
    #expect(error?.message == "hue cannot be set: its driver says that it goes from 10 to -10")
  }

  @Test func `A list that never ends is cut, and what it has is used`() throws {
    let node = EndlessNode()
    let enumeration = FormatEnumeration(node: node)
    let offers = try enumeration.pixelFormats()
    #expect(offers.map(\.pixelFormat) == [.yuyv])
    let part = enumeration.formats(of: offers[0], including: FormatRequest())
    #expect(part.items.map(\.size) == [ImageSize(width: 640, height: 480)])
    #expect(part.items[0].frameRates.map(\.framesPerSecond) == [30])
    #expect(part.omission == "its driver lists more than 128 rates at 640x480")
    #expect(try ControlCatalog(of: node).controls().count == 1)
  }

  @Test func `Rates whose ends are exchanged are a range all the same`() throws {
    let (slow, fast) = (try #require(FrameRate(5)), try #require(FrameRate(40)))
    #expect(
      RateOffer.range(slowest: fast, fastest: slow).rates(including: nil)
        == RateOffer.range(slowest: slow, fastest: fast).rates(including: nil))
  }
}

/// A driver that answers anything: often something legal.
private final class RandomNode: RequestNode {
  let path = "/dev/video77"
  private let random: Mutex<SeededGenerator>

  init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError) {
    let refusal = random.withLock { random -> Int32? in
      let errors = [EINVAL, EINVAL, EINVAL, ENOTTY, EIO, ENODEV, EBUSY, ERANGE, ENOSPC]
      let isRefused = Int.random(in: 0..<12, using: &random) == 0
      return isRefused ? errors.randomElement(using: &random) : nil
    }
    if let refusal { throw SystemError(errno: refusal, operation: request.name) }
    if let value = unsafe argument as? v4l2_ext_controls {
      // Its pointers are the program's own.
      guard let control = unsafe value.controls else { return }
      unsafe control[0].size = random.withLock { UInt32.random(in: 0...99, using: &$0) }
      return
    }
    random.withLock { random in
      unsafe withUnsafeMutableBytes(of: &argument) { bytes in
        // Words of four bytes, because most members are; few, because then the rest is legal.
        for _ in 0..<Int.random(in: 0...12, using: &random) {
          let place = Int.random(in: 0..<max(1, bytes.count / 4), using: &random) * 4
          let numbers: [UInt32] = [0, 1, 2, 3, 7, 16, 640, 0x7fff_ffff, 0x8000_0000, .max]
          let number =
            Bool.random(using: &random)
            ? numbers.randomElement(using: &random) ?? 0 : UInt32.random(in: 0...9, using: &random)
          guard place + 4 <= bytes.count else { continue }
          unsafe bytes.storeBytes(of: number, toByteOffset: place, as: UInt32.self)
        }
      }
    }
  }
}

/// A driver that refuses no index, and whose controls never end.
private final class EndlessNode: RequestNode {
  let path = "/dev/video77"

  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError) {
    if var format = argument as? v4l2_fmtdesc {
      format.pixelformat = PixelFormat.yuyv.rawValue
      answer(format, &argument)
    } else if var size = argument as? v4l2_frmsizeenum {
      size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      size.discrete = v4l2_frmsize_discrete(width: 640, height: 480)
      answer(size, &argument)
    } else if var interval = argument as? v4l2_frmivalenum {
      interval.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      interval.discrete = v4l2_fract(numerator: 1, denominator: 30)
      answer(interval, &argument)
    } else if var control = argument as? v4l2_query_ext_ctrl {
      (control.id, control.type) = (0x0098_0900, V4L2_CTRL_TYPE_INTEGER.rawValue)
      answer(control, &argument)
    }
  }

  private func answer<Argument>(_ value: some Any, _ argument: inout Argument) {
    if let value = value as? Argument { argument = value }
  }
}
