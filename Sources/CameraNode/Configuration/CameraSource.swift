package import Capture
package import CaptureFiles
package import CaptureSynthetic
import CaptureV4L2
import V4L2Conversion

/// Where a camera's frames come from.
package enum CameraSource: Hashable, Sendable {
  case synthetic(SyntheticSpecification)
  /// A real camera, named by its device node or its identity, with the format to use.
  case v4l2(device: String, FormatRequest)
  /// Files that are played in a loop.
  case files(FilesSpecification)
  /// The first real camera that can be opened, or else the synthetic one.
  case auto(FormatRequest)

  /// Reads `synthetic[:…]`, `v4l2:DEVICE[,…]`, `files:PATH[,…]` or `auto[:…]`.
  package init(parsing text: some StringProtocol) throws(ConfigurationError) {
    let separator = text.firstIndex(of: ":")
    let kind = text[..<(separator ?? text.endIndex)]
    let rest = separator.map { String(text[text.index(after: $0)...]) } ?? ""
    do throws(CaptureError) {
      switch kind {
      case "synthetic": self = .synthetic(try SyntheticSpecification.parse(rest))
      case "files": self = .files(try FilesSpecification.parse(rest))
      case "auto": self = .auto(try Self.request(rest, of: text))
      case "v4l2":
        let comma = rest.firstIndex(of: ",")
        let device = String(rest[..<(comma ?? rest.endIndex)])
        guard !device.isEmpty else {
          throw CaptureError(.invalidArgument, "v4l2: names no device: write v4l2:/dev/video0")
        }
        let wanted = comma.map { String(rest[rest.index(after: $0)...]) } ?? ""
        self = .v4l2(device: device, try Self.request(wanted, of: text))
      default:
        throw CaptureError(
          .invalidArgument,
          "'\(text)' is no camera: write synthetic, v4l2:/dev/video0, files:DIR or auto"
        )
      }
    } catch {
      throw ConfigurationError(error.message)
    }
  }

  private static func request(
    _ text: String,
    of whole: some StringProtocol
  ) throws(CaptureError) -> FormatRequest {
    let (request, options) = try FormatRequest.parse(text)
    guard let unknown = options.keys.sorted().first else { return request }
    throw CaptureError(
      .invalidArgument,
      "'\(unknown)' in '\(whole)' is no option: write WIDTHxHEIGHT@RATE,format=YUYV"
    )
  }

  /// Whether it is a certain real camera.
  var isV4L2: Bool { if case .v4l2 = self { true } else { false } }

  /// What it calls the device of the machine that it wants.
  var deviceNames: [String] {
    guard case .v4l2(let device, _) = self else { return [] }
    // A link in /dev/v4l/by-id has the identity as its name.
    return [device] + device.split(separator: "/").suffix(1).map(String.init)
  }

  /// A source's device.
  struct Resolved {
    var device: any CameraDevice
    /// The format to start it with.
    var request: FormatRequest
    /// Why the device is simulated although a real one was wanted; nil if it is the wanted one.
    var standInReason: String?
  }

  /// Makes the device.
  /// - Parameters:
  ///   - flash: The node of a real camera's flash, if that has one of its own.
  ///   - discovery: Finds the real camera for `auto`.
  func resolved(
    flash: String? = nil, by discovery: V4L2Discovery = V4L2Discovery(converting: .linked)
  ) -> Resolved {
    switch self {
    case .synthetic(let specification):
      let device = SyntheticDevice(specification)
      return Resolved(device: device, request: device.request)
    case .v4l2(let path, let request):
      return Resolved(
        device: V4L2Device(path, flash: flash, converting: .linked), request: request)
    case .files(let specification):
      return Resolved(device: FilesDevice(specification), request: specification.request)
    case .auto(let request):
      do throws(CaptureError) {
        return Resolved(device: try discovery.firstUsable(), request: request)
      } catch {
        let device = SyntheticDevice(SyntheticSpecification())
        return Resolved(
          device: device, request: request.isOpen ? device.request : request,
          standInReason: "\(error.message), and start the node again")
      }
    }
  }
}

extension FormatRequest {
  fileprivate var isOpen: Bool { self == FormatRequest() }
}
