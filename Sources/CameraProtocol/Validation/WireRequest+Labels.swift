import SwiftProtobuf

extension WireRequest {
  /// - Parameter name: Of assets; empty for none.
  static func flaw(name: String, _ field: String) -> WireError? {
    guard !name.isEmpty,
      name.unicodeScalars.count > WireLimits.assetNameLength || !name.isShownName
    else { return nil }
    return refusal(
      "a name is one line of at most \(WireLimits.assetNameLength) characters, which can be printed and are not "
        + "only spaces", field)
  }

  /// - Parameters:
  ///   - name: The path of the name's field.
  ///   - tags: The path of the tags' field.
  ///   - files: How many assets get both.
  static func flaw(
    _ labels: (name: String, tags: [String]), name: String, tags: String, files: Int = 1
  ) -> WireError? {
    if let flaw = flaw(name: labels.name, name) ?? flaw(tags: labels.tags, tags) { return flaw }
    let byteCount = labels.tags.reduce(labels.name.utf8.count) { $0 + $1.utf8.count }
    guard byteCount <= WireLimits.labelByteCount else {
      return refusal(
        "name and tags have at most \(WireLimits.labelByteCount) bytes together: shorten them", tags
      )
    }
    guard byteCount * files <= WireLimits.requestLabelByteCount else {
      return refusal(
        "the names and tags of \(files) files are too long for an answer: shorten them, or tag the assets "
          + "afterwards", tags)
    }
    return nil
  }

  static func flaw(tags: [String], _ field: String) -> WireError? {
    guard tags.count <= WireLimits.tags else {
      return refusal("name at most \(WireLimits.tags) tags", field)
    }
    guard tags.allSatisfy(\.isTag) else {
      return refusal(
        "a tag is 1 to \(WireLimits.tagLength) characters on one line, which can be printed, without a comma and "
          + "without a space at either end", field)
    }
    guard Set(tags).count == tags.count else { return refusal("name each tag once", field) }
    return nil
  }
}

extension WireRequest {
  /// What is wrong with names and tags that do not come from a request.
  package static func labelsFlaw(name: String, tags: [String]) -> WireError? {
    flaw((name, tags), name: RequestField.Tag.name, tags: RequestField.Tag.add)
  }
}

extension WireLibraryVerifyRequest {
  var flaw: WireError? {
    guard sinceWallNs >= 0 else {
      return WireRequest.refusal(
        "a moment is not before 1970", RequestField.LibraryVerify.sinceWallNs)
    }
    return WireRequest.flaw(tags: tags, RequestField.LibraryVerify.tags)
  }
}

extension WireTagRequest {
  private typealias Field = RequestField.Tag

  var flaw: WireError? {
    if let flaw = WireRequest.flaw(assets: assets, Field.assets)
      ?? WireRequest.flaw(name: name, Field.name) ?? WireRequest.flaw(tags: add, Field.add)
      ?? WireRequest.flaw(tags: remove, Field.remove)
    {
      return flaw
    }
    guard hasName || !add.isEmpty || !remove.isEmpty else {
      return WireRequest.refusal("say a name, or tags to add or to remove", Field.path)
    }
    guard Set(add).isDisjoint(with: remove) else {
      return WireRequest.refusal("a tag is added or removed: name it once", Field.remove)
    }
    return nil
  }
}

extension String {
  fileprivate var isTag: Bool {
    (1...WireLimits.tagLength).contains(unicodeScalars.count) && isShownName && !contains(",")
      && first?.isWhitespace == false && last?.isWhitespace == false
  }
}
