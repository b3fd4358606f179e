import CameraClient
import Glibc
import Imaging
import OperatingSystem
import Words

/// The bytes of a picture that is to be shown.
struct ShownFile {
  /// The most bytes that are read.
  private static let longest = 256 << 20

  /// How errors name it.
  let name: String
  let bytes: [UInt8]

  /// Reads a file, or a pipe to its end.
  init(at path: String) async throws {
    name = path
    do throws(SystemError) {
      let interrupter = try Interrupter()
      bytes = try await OwnThread.run(interrupter) { () throws(SystemError) in
        try FileDescriptor.readAll(path, upTo: Self.longest, interrupter)
      }
    } catch {
      switch error.errno {
      case ECANCELED: throw CancellationError()
      case EFBIG: throw Self.failure("\(path) has more than 256 MiB: name a photo")
      default: throw Self.failure("\(path) cannot be read (\(error.reason)): name another file")
      }
    }
  }

  /// Fetches an asset of the library.
  init(_ asset: Asset, of bus: CameraBus) async throws {
    name = "the asset \(asset.id.short)"
    guard asset.mediaType == MediaType.jpeg.rawValue else {
      throw CameraBusError(
        .unsupportedFormat,
        "\(name) is \(asset.mediaType), and only JPEG photos can be shown: camctl download \(asset.id.short) fetches it"
      )
    }
    guard asset.byteCount <= Self.longest else {
      throw Self.failure("\(name) has more than 256 MiB: camctl download fetches it")
    }
    bytes = try await bus.data(of: asset)
  }

  /// The picture in the size that `choose` returns for its own size, also of a PNG.
  func anyPicture(_ choose: (ImageSize) -> ImageSize) throws -> RGBPicture {
    guard PNGDecoder.isPNG(bytes) else { return try picture(choose) }
    let (size, pixels) = try PNGDecoder.decodeRGB(
      bytes, maximumPixelCount: PictureDecoder.maximumPixelCount)
    return RGBPicture(size: size, pixels: pixels).scaled(to: choose(size))
  }

  /// The picture in the size that `choose` returns for its own size.
  func picture(_ choose: (ImageSize) -> ImageSize) throws -> RGBPicture {
    do throws(ImagingError) {
      return try unsafe PictureDecoder().picture(bytes.span.bytes, choose)
    } catch {
      guard error.code != .notJPEG else {
        throw CameraBusError(
          .unsupportedFormat, "\(name) is no JPEG, and only JPEG photos can be shown")
      }
      throw CommandFailure(
        code: "undecodable", message: "\(name) cannot be shown: \(error.message)",
        status: EXIT_FAILURE)
    }
  }

  private static func failure(_ message: String) -> CommandFailure {
    CommandFailure(code: "unreadableFile", message: message, status: EXIT_FAILURE)
  }
}
