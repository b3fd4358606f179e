import ArgumentParser
import CameraClient
import Words

/// A file's name with places for what is known of the file: `%d` or `{number}`, and others.
struct OutputName {
  /// What a file's name can say.
  enum Field: String, CaseIterable {
    case camera, date, time, number, frame, request, ext
  }

  /// What is known of a file.
  struct Facts {
    var camera: String
    /// In UTC: "2026-11-21T09:07:07.123Z".
    var time: String?
    var frame: UInt64?
    var requestID: Identifier?
    /// The number of the photo or movie, from 1.
    var number: Int
    var fileExtension: String?
  }

  private enum Part {
    case text(Substring)
    /// The width is filled with zeros.
    case number(width: Int)
    case field(Field)
  }

  private let parts: [Part]

  /// Nil for a name without places.
  /// - Throws: For a place in the name of a folder, or one that is not known.
  init?(_ text: String) throws {
    var parts: [Part] = []
    var rest = text[...]
    while let match = rest.firstMatch(of: /%(\d{0,2})d|\{([^{}\/]*)\}/) {
      guard !rest[match.range.upperBound...].contains("/") else {
        throw CommandFailure.usage(
          "--output \(text) has \(match.0) in the name of a folder, which must be there: use it in the file's name "
            + "only")
      }
      parts.append(.text(rest[..<match.range.lowerBound]))
      if let name = match.2 {
        guard let field = Field(rawValue: String(name)) else {
          let known = Field.allCases.map { "{\($0)}" }.joined(separator: " ")
          throw CommandFailure.usage("--output knows no {\(name)}: write one of \(known)")
        }
        parts.append(.field(field))
      } else {
        parts.append(.number(width: match.1.flatMap { Int($0) } ?? 0))
      }
      rest = rest[match.range.upperBound...]
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts + [.text(rest)]
  }

  /// Whether each photo has another name.
  /// - Parameter isOneRequest: Whether one request takes them all.
  func tellsPhotosApart(isOneRequest: Bool) -> Bool {
    parts.contains {
      switch $0 {
      case .number, .field(.number), .field(.frame): true
      case .field(.request): !isOneRequest
      default: false
      }
    }
  }

  var tellsKindsApart: Bool { has(.ext) }

  func has(_ field: Field) -> Bool {
    parts.contains { if case .field(field) = $0 { true } else { false } }
  }

  /// The path of a file before the photo is taken; nil if it says what only the photo tells.
  func path(_ number: Int, _ kind: MediaType?) -> String? {
    let isKnown = parts.allSatisfy {
      switch $0 {
      case .text, .number, .field(.number): true
      case .field(.ext): kind != nil
      case .field: false
      }
    }
    guard isKnown else { return nil }
    return path(Facts(camera: "", number: number, fileExtension: kind?.fileExtension))
  }

  /// The path with what is known of a file.
  func path(_ facts: Facts) -> String {
    parts.map { part in
      switch part {
      case .text(let text): String(text)
      case .number(let width): Self.filled("\(facts.number)", width)
      case .field(let field): Self.text(field, facts)
      }
    }.joined()
  }

  private static func text(_ field: Field, _ facts: Facts) -> String {
    switch field {
    case .camera: facts.camera
    case .date: facts.time.map { String($0.prefix(10)) } ?? "unknown"
    case .time: facts.time.map { $0.dropFirst(11).filter { $0 != ":" } } ?? "unknown"
    case .number: "\(facts.number)"
    case .frame: facts.frame.map { "\($0)" } ?? "unknown"
    case .request: facts.requestID.map { "\($0)" } ?? "unknown"
    case .ext: facts.fileExtension ?? "bin"
    }
  }

  private static func filled(_ digits: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Whether files that exist are replaced.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace a file that exists.")
  var overwrite = false
}
