package import Capture
import Imaging
import OperatingSystem

/// The files that a camera plays, and their format and rate.
package struct FilesSpecification: Hashable, Sendable {
  /// A folder, or a single file.
  package let path: String
  /// For raw frames it names format and size, because their files do not.
  package let request: FormatRequest

  static let rates = 0.1...10_000
  static let defaultRate = 30.0

  /// Reads the part of a camera's specification after `files:`, which is
  /// `PATH[,[WIDTHxHEIGHT][@RATE][,format=NAME]]`. A comma of the path is written `\,`.
  ///
  /// - Throws: `invalidArgument` or `unsupportedFormat`. The message names valid values.
  package static func parse(_ text: String) throws(CaptureError) -> FilesSpecification {
    let parts = SpecificationText.parts(text)
    let path = SpecificationText.path(parts[0])
    guard !path.isEmpty else {
      throw CaptureError(.invalidArgument, "files: names no folder: write files:/srv/pictures")
    }
    do throws(CaptureError) {
      let request = try request(text[parts[0].endIndex...].dropFirst())
      return FilesSpecification(path: path, request: request)
    } catch {
      guard let path = pathWithCommas(text) else { throw error }
      var error = error
      error.message =
        "\(path) has a comma, which is written \\, in a path: write files:\(written(path))"
      throw error
    }
  }

  private static func request(_ text: Substring) throws(CaptureError) -> FormatRequest {
    let (request, options) = try FormatRequest.parse(text)
    if let unknown = options.keys.sorted().first {
      throw CaptureError(
        .invalidArgument,
        "the file camera has no option '\(unknown)': write files:PATH,WIDTHxHEIGHT@RATE,format=YUYV",
        part: .option(unknown)
      )
    }
    try check(request)
    return request
  }

  /// The longest beginning of the text, up to one of its later commas, that is the path of
  /// something.
  private static func pathWithCommas(_ text: String) -> String? {
    let ends = text.indices.filter { text[$0] == "," }.dropFirst() + [text.endIndex]
    return ends.reversed().lazy.map { String(text[..<$0]) }.first(where: FileStatus.exists)
  }

  private static func written(_ path: String) -> String {
    path.replacing(#"\"#, with: #"\\"#).replacing(",", with: #"\,"#)
  }

  /// Whether the files are frames without a header.
  var isRaw: Bool { request.pixelFormat.map { !$0.isCompressed } ?? false }

  private static func check(_ request: FormatRequest) throws(CaptureError) {
    _ = try rate(request.framesPerSecond)
    guard let format = request.pixelFormat, !format.isCompressed else { return }
    guard let size = request.size else {
      throw CaptureError(
        .invalidArgument,
        "files of raw \(format) frames do not say their size: write files:PATH,1920x1080@30,format=\(format)",
        part: .size
      )
    }
    do throws(ImagingError) {
      _ = try ImageLayout(size: size, pixelFormat: format)
    } catch {
      throw CaptureError(.unsupportedFormat, error.message, part: .format)
    }
  }

  /// - Throws: `unsupportedFormat`. The message names the valid range.
  static func rate(_ framesPerSecond: Double?) throws(CaptureError) -> FrameRate {
    let wanted = framesPerSecond ?? defaultRate
    guard rates.contains(wanted), let rate = FrameRate(framesPerSecond: wanted) else {
      throw CaptureError(
        .unsupportedFormat,
        "files are played at 0.1 to 10000 frames a second, not \(wanted)",
        part: .rate
      )
    }
    return rate
  }
}
