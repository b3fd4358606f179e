/// A place on the earth (WGS 84).
package struct GeographicPosition: Codable, Hashable, Sendable {
  /// The way in which a position was found, as EXIF names it.
  package enum Source: String, Codable, Hashable, Sendable, CaseIterable {
    case satellites = "GPS"
    case mobileCells = "CELLID"
    case wirelessNetworks = "WLAN"
    /// Somebody stated it.
    case manual = "MANUAL"
  }

  /// In degrees, positive in the north.
  package let latitude: Double
  /// In degrees, positive in the east.
  package let longitude: Double
  /// In metres above the sea level.
  package let altitude: Double?
  package let source: Source?

  /// Nil for angles that no place has.
  package init?(
    latitude: Double, longitude: Double, altitude: Double? = nil, source: Source? = nil
  ) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    self.source = source
  }
}

extension GeographicPosition {
  /// The GPS directory of EXIF (Exif 2.32, section 4.6.6).
  var directory: TIFFDirectory {
    var directory = TIFFDirectory()
    directory[.gpsVersion] = .bytes([2, 3, 0, 0])
    directory[.gpsLatitudeRef] = .ascii(latitude < 0 ? "S" : "N")
    directory[.gpsLatitude] = Self.angle(latitude)
    directory[.gpsLongitudeRef] = .ascii(longitude < 0 ? "W" : "E")
    directory[.gpsLongitude] = Self.angle(longitude)
    if let altitude, let height = Rational(decimal: altitude.magnitude) {
      directory[.gpsAltitudeRef] = .bytes([altitude < 0 ? 1 : 0])
      directory[.gpsAltitude] = .rational(height)
    }
    directory[.gpsProcessingMethod] = source.map { .asciiWithCode($0.rawValue) }
    return directory
  }

  /// Degrees, minutes and millionths of a second.
  private static func angle(_ degrees: Double) -> TIFFValue {
    let millionths = UInt64((degrees.magnitude * 3_600_000_000).rounded())
    let seconds = UInt32(millionths % 60_000_000)
    let minutes = UInt32(millionths / 60_000_000)
    return .rationals([
      Rational(minutes / 60), Rational(minutes % 60), Rational(seconds, 1_000_000),
    ])
  }
}
