import FoundationEssentials
import HTTPTypes
import NIOCore

/// The JSON object in the body of a request.
protocol RequestDocument: Decodable {
  associatedtype CodingKeys: CodingKey, CaseIterable
}

extension Exchange {
  /// Reads the body; an empty one is an object without fields.
  ///
  /// - Throws: `invalidArgument` with the field, also for one that the document does not have, so
  ///   that a misspelt one does not count as left out.
  func document<D: RequestDocument>(_ type: D.Type) throws(HTTPFailure) -> D {
    let data = body.readableBytes > 0 ? Data(body.readableBytesView) : Data("{}".utf8)
    let decoder = JSONDecoder()
    do {
      let names = try decoder.decode(FieldNames.self, from: data).names
      let known = D.CodingKeys.allCases.map(\.stringValue)
      if let other = names.sorted().first(where: { !known.contains($0) }) {
        throw HTTPFailure.invalid(
          other, "\(other) is not among the fields here: \(known.sorted().joined(separator: ", "))")
      }
      return try decoder.decode(type, from: data)
    } catch let failure as HTTPFailure {
      throw failure
    } catch let error as DecodingError {
      throw HTTPFailure(error)
    } catch {
      throw HTTPFailure(.badRequest, "malformed", "the body is no JSON object")
    }
  }
}

private struct FieldNames: Decodable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var names: [String]

  init(from decoder: any Decoder) throws {
    names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
  }
}

extension HTTPFailure {
  fileprivate init(_ error: DecodingError) {
    let (context, problem): (DecodingError.Context?, String) =
      switch error {
      case .typeMismatch(_, let context): (context, "has a value of another kind")
      case .valueNotFound(_, let context): (context, "has no value")
      case .keyNotFound(let key, let context):
        (
          DecodingError.Context(
            codingPath: context.codingPath + [key], debugDescription: ""), "is missing"
        )
      case .dataCorrupted(let context): (context, "has a value that is not allowed")
      @unknown default: (nil, "cannot be read")
      }
    let field = (context?.codingPath ?? []).map { key in
      key.intValue.map { "\($0)" } ?? key.stringValue
    }.joined(separator: ".")
    self.init(
      .badRequest, field.isEmpty ? "malformed" : "invalidArgument",
      field.isEmpty ? "the body is no JSON object" : "\(field) \(problem)",
      field: field.isEmpty ? nil : field)
  }
}
