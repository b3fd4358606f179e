import CTurboJPEG

/// A libturbojpeg instance that turns libturbojpeg's errors into `ImagingError`. Use one per
/// thread.
@safe final class TurboJPEG {
  enum Kind { case compressor, decompressor, transformer }

  private let kind: Kind
  private var handle: tjhandle

  /// - Throws: `codecFailed`.
  init(_ kind: Kind) throws(ImagingError) {
    guard let handle = unsafe Self.open(kind) else {
      throw ImagingError(.codecFailed, unsafe "libturbojpeg cannot make a codec: \(Self.text(nil))")
    }
    self.kind = kind
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe tjDestroy(handle)
  }

  /// Calls libturbojpeg and throws if it fails. libturbojpeg keeps only the first of its warnings,
  /// and some mean nothing, such as the stray byte that many USB cameras put before a marker. So
  /// the picture is judged again by all of them.
  /// - Parameter image: What is read; nil if nothing is.
  /// - Throws: `notJPEG`, `truncated`, `unsupportedFormat`, `corrupt`.
  func call(reading image: RawSpan?, _ body: (tjhandle) -> Int32) throws(ImagingError) {
    guard unsafe body(handle) != 0 else { return }
    let text = unsafe Self.text(handle)
    if let image, unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue {
      do throws(ImagingError) {
        return try JPEGReader.check(image)
      } catch {
        renew()
        throw error
      }
    }
    renew()
    throw ImagingError(Self.code(of: text), "libturbojpeg says: \(text)")
  }

  /// After a bad header libturbojpeg 2.1 resumes where it stopped, and would refuse every later
  /// picture. So replace the instance.
  private func renew() {
    guard let fresh = unsafe Self.open(kind) else { return }
    unsafe tjDestroy(handle)
    unsafe handle = unsafe fresh
  }

  private static func open(_ kind: Kind) -> tjhandle? {
    switch kind {
    case .compressor: unsafe tjInitCompress()
    case .decompressor: unsafe tjInitDecompress()
    case .transformer: unsafe tjInitTransform()
    }
  }

  static func code(of text: String) -> ImagingError.Code {
    if text.contains("Not a JPEG file") { return .notJPEG }
    // "Premature end of JPEG file", "premature end of data segment"
    if text.contains("remature end") { return .truncated }
    if text.contains("ubsampling type") || text.contains("Unsupported") {
      return .unsupportedFormat
    }
    return .corrupt
  }

  private static func text(_ handle: tjhandle?) -> String {
    unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "no reason given"
  }
}

extension ChromaSubsampling {
  private static let turboJPEG: [(ChromaSubsampling, TJSAMP)] = [
    (.grey, TJSAMP_GRAY), (.yuv444, TJSAMP_444), (.yuv422, TJSAMP_422), (.yuv420, TJSAMP_420),
    (.yuv440, TJSAMP_440), (.yuv411, TJSAMP_411),
  ]

  /// Nil if libturbojpeg does not support it.
  var turboJPEG: Int32? {
    Self.turboJPEG.first { $0.0 == self }.map { Int32($0.1.rawValue) }
  }

  init?(turboJPEG code: Int32) {
    guard let match = Self.turboJPEG.first(where: { Int32($0.1.rawValue) == code }) else {
      return nil
    }
    self = match.0
  }
}
