/// One coded picture of a video as a byte stream (Annex B): units, each behind a start code `00 00
/// 01`. Pure.
package struct AccessUnit {
  /// How the pictures of a video are coded.
  package enum Standard: Hashable, Sendable {
    /// ITU-T H.264.
    case h264
    /// ITU-T H.265.
    case hevc

    /// Nil for frames in another format.
    package init?(_ format: PixelFormat) {
      switch format {
      case .h264: self = .h264
      case .hevc: self = .hevc
      default: return nil
      }
    }

    /// The kinds of parameters without which nothing is decoded, in the order in which they are
    /// sent: those of the video (H.265), of the sequence and of pictures.
    var parameterTypes: ClosedRange<UInt8> {
      switch self {
      case .h264: 7...8
      case .hevc: 32...34
      }
    }

    private var delimiter: UInt8 {
      switch self {
      case .h264: 9
      case .hevc: 35
      }
    }

    fileprivate func type(_ header: UInt8) -> UInt8 {
      switch self {
      case .h264: header & 0x1f
      case .hevc: header >> 1 & 0x3f
      }
    }

    fileprivate func kind(_ type: UInt8) -> Kind {
      if parameterTypes.contains(type) { return .parameters }
      if type == delimiter { return .delimiter }
      return switch (self, type) {
      case (.h264, 5), (.hevc, 16...21): .keyPicture
      case (.h264, 1...4), (.hevc, 0...9): .picture
      default: .other
      }
    }
  }

  /// What a unit is for.
  enum Kind: Hashable {
    /// The settings of the whole sequence or of pictures: nothing is decoded without them.
    case parameters
    /// A picture that needs no other one.
    case keyPicture
    case picture
    /// Stands before everything else of a picture.
    case delimiter
    /// Anything else, such as remarks.
    case other
  }

  /// A unit's place in the bytes, without its start code, and what it is for.
  struct Unit: Hashable {
    var bytes: Range<Int>
    var type: UInt8
    var kind: Kind
  }

  /// More than pictures have.
  private static let maximumUnits = 4096

  let units: [Unit]
  let standard: Standard

  /// - Returns: Nil for bytes that are no such stream.
  package init?(_ bytes: RawSpan, _ standard: Standard) {
    var units: [Unit] = []
    var start = Self.startCode(in: bytes, from: 0)
    // Only zeros stand before the first start code.
    guard let first = start, (0..<first).allSatisfy({ Self.byte(bytes, $0) == 0 }) else {
      return nil
    }
    while let code = start {
      let begin = code + 3
      let next = Self.startCode(in: bytes, from: begin)
      // The zeros before a start code are not of the unit, which never ends with one.
      var end = next ?? bytes.byteCount
      while end > begin, Self.byte(bytes, end - 1) == 0 { end -= 1 }
      if end > begin {
        guard units.count < Self.maximumUnits else { return nil }
        let type = standard.type(Self.byte(bytes, begin))
        units.append(Unit(bytes: begin..<end, type: type, kind: standard.kind(type)))
      }
      start = next
    }
    guard !units.isEmpty else { return nil }
    self.units = units
    self.standard = standard
  }

  /// Whether a decoder can begin with it: it has a picture that needs no other one, and the
  /// parameters.
  package var isKey: Bool {
    hasKeyPicture && standard.parameterTypes.allSatisfy(has)
  }

  /// Whether there is a picture that needs no other one, but perhaps parameters.
  package var hasKeyPicture: Bool { units.contains { $0.kind == .keyPicture } }

  /// Whether there is a picture.
  package var hasPicture: Bool {
    units.contains { $0.kind == .keyPicture || $0.kind == .picture }
  }

  /// The first byte of a unit.
  func header(of unit: Unit, in bytes: RawSpan) -> UInt8 { Self.byte(bytes, unit.bytes.lowerBound) }

  func has(_ type: UInt8) -> Bool { units.contains { $0.type == type } }

  /// Where remarks for the picture may stand: before the start code of its first slice.
  package func placeOfRemarks(in bytes: RawSpan) -> Int? {
    units.first { $0.kind == .keyPicture || $0.kind == .picture }.map { place(of: $0, in: bytes) }
  }

  /// Where parameters may stand: before everything but a delimiter.
  package func placeOfParameters(in bytes: RawSpan) -> Int? {
    units.first { $0.kind != .delimiter }.map { place(of: $0, in: bytes) }
  }

  /// Where the start code of a unit begins, which may have a zero more than it needs.
  private func place(of unit: Unit, in bytes: RawSpan) -> Int {
    let place = unit.bytes.lowerBound - 3
    return place > 0 && Self.byte(bytes, place - 1) == 0 ? place - 1 : place
  }

  /// The parameters with their start codes, as a container keeps them.
  package func parameters(of bytes: RawSpan) -> [UInt8] {
    units.filter { $0.kind == .parameters }.flatMap { withStartCode($0, of: bytes) }
  }

  /// A unit with its start code.
  func withStartCode(_ unit: Unit, of bytes: RawSpan) -> [UInt8] {
    [0, 0, 0, 1] + unit.bytes.map { Self.byte(bytes, $0) }
  }

  /// The place of the next `00 00 01`; nil if there is none.
  private static func startCode(in bytes: RawSpan, from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.byteCount {
      // The third byte decides how far the next one can be.
      switch byte(bytes, index + 2) {
      case 0: index += 1
      case 1:
        if byte(bytes, index) == 0, byte(bytes, index + 1) == 0 { return index }
        index += 3
      default: index += 3
      }
    }
    return nil
  }

  private static func byte(_ bytes: RawSpan, _ index: Int) -> UInt8 {
    unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}

/// The parameters of a video that came last, for pictures that come without them. Pure.
package struct VideoParameters: Hashable, Sendable {
  /// More than the parameters of a video have.
  package static let maximumByteCount = 1 << 16

  /// With their start codes, by their types.
  private var units: [UInt8: [UInt8]] = [:]

  package init() {}

  /// Takes the parameters of a picture, or those that came before it.
  package mutating func remember(_ unit: AccessUnit, of bytes: RawSpan) {
    for type in unit.standard.parameterTypes where unit.has(type) {
      let new = unit.units.filter { $0.type == type }.flatMap { unit.withStartCode($0, of: bytes) }
      let others = units.reduce(0) { $0 + ($1.key == type ? 0 : $1.value.count) }
      units[type] = others + new.count <= Self.maximumByteCount ? new : nil
    }
  }

  /// What is put before a picture so that it has all parameters, in their order: nothing if it has
  /// them, and all of them if it lacks one.
  /// - Returns: Nil if one of them never came.
  package func supplement(of unit: AccessUnit) -> [UInt8]? {
    let types = unit.standard.parameterTypes
    if types.allSatisfy(unit.has) { return [] }
    let all = types.compactMap { units[$0] }
    return all.count == types.count ? all.flatMap(\.self) : nil
  }
}

extension PixelFormat {
  /// Whether frames are coded pictures of a video, which may need those before them.
  package var isVideo: Bool { AccessUnit.Standard(self) != nil }
}
