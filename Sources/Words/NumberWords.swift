// Numbers and names as people read them.

extension Double {
  package func rounded(to digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }

  /// "1.25", or "10" for a whole number.
  package func words(to digits: Int) -> String {
    let value = rounded(to: digits)
    return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}

extension BinaryInteger {
  /// "1.5 MiB"; the unit fits the size.
  package var byteWords: String {
    var (size, unit) = (Double(self), 0)
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    while size >= 1024, unit < units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
    return unit == 0 ? "\(self) B" : "\(size.words(to: unit < 3 ? 1 : 2)) \(units[unit])"
  }

  /// "1 frame", "2 frames", "2 replies".
  package func counted(_ thing: String) -> String {
    if self == 1 { return "1 \(thing)" }
    return thing.hasSuffix("y") ? "\(self) \(thing.dropLast())ies" : "\(self) \(thing)s"
  }
}

extension String {
  /// A name such as "deviceInUseByAnotherClient" in words: "device in use by another client".
  package var separated: String {
    reduce(into: "") { words, letter in
      words += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
    }
  }
}
