import OperatingSystem

// In JSON a duration is a whole number of nanoseconds, and its key says so. Where Swift makes a
// type `Codable`, it takes these functions instead of the general ones, by which a duration would
// be a pair of numbers.

extension KeyedEncodingContainer {
  package mutating func encode(_ duration: Duration, forKey key: Key) throws {
    try encode(duration.wholeNanoseconds, forKey: key)
  }

  package mutating func encodeIfPresent(_ duration: Duration?, forKey key: Key) throws {
    try encodeIfPresent(duration?.wholeNanoseconds, forKey: key)
  }
}

extension KeyedDecodingContainer {
  package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
    .nanoseconds(try decode(Int64.self, forKey: key))
  }

  package func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
    try decodeIfPresent(Int64.self, forKey: key).map { .nanoseconds($0) }
  }
}
