import CTurboJPEG

/// A libturbojpeg instance, and its errors in our words. One belongs to one thread.
@safe final class TurboJPEG {
  enum Kind { case compressor, decompressor }

  private let handle: tjhandle

  init(_ kind: Kind) throws(ImagingError) {
    guard let handle = unsafe kind == .compressor ? tjInitCompress() : tjInitDecompress() else {
      throw ImagingError(.codecFailed, unsafe "libturbojpeg gives no codec: \(Self.text(nil))")
    }
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe tjDestroy(handle)
  }

  /// Makes a call and turns its failure into an error; warnings (a truncated or damaged code stream) are errors too.
  func call(_ body: (tjhandle) -> Int32) throws(ImagingError) {
    guard unsafe body(handle) != 0 else { return }
    let text = unsafe Self.text(handle)
    throw ImagingError(
      text.contains("remature end") ? .truncated : .corrupt,
      "libturbojpeg: \(text)"
    )
  }

  private static func text(_ handle: tjhandle?) -> String {
    unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "no reason given"
  }
}

extension Planes.Subsampling {
  /// Nil for what this program does not encode.
  var turboJPEG: TJSAMP? {
    guard !isGrey else { return TJSAMP_GRAY }
    return switch (horizontal, vertical) {
    case (1, 1): TJSAMP_444
    case (2, 1): TJSAMP_422
    case (2, 2): TJSAMP_420
    case (1, 2): TJSAMP_440
    case (4, 1): TJSAMP_411
    default: nil
    }
  }

  init?(turboJPEG subsampling: Int32) {
    switch TJSAMP(UInt32(bitPattern: subsampling)) {
    case TJSAMP_GRAY: self = .grey
    case TJSAMP_444: self.init(horizontal: 1, vertical: 1)
    case TJSAMP_422: self = .yuv422
    case TJSAMP_420: self = .yuv420
    case TJSAMP_440: self.init(horizontal: 1, vertical: 2)
    case TJSAMP_411: self.init(horizontal: 4, vertical: 1)
    default: return nil
    }
  }
}
