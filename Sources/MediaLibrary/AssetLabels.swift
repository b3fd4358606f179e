/// What people call an asset, and the words by which they find it.
package struct AssetLabels: Hashable, Sendable {
  /// One line; empty for none.
  package var name: String
  /// Each once, in the order in which they were given.
  package var tags: [String]

  package init(name: String = "", tags: [String] = []) {
    self.name = name
    self.tags = tags
  }

  /// In UTF-8.
  package var byteCount: Int { tags.reduce(name.utf8.count) { $0 + $1.utf8.count } }
}

/// A change of names and tags.
package struct LabelChange: Hashable, Sendable {
  /// Empty takes the name away; nil keeps it.
  package var name: String?
  package var added: [String]
  package var removed: [String]
  /// How many tags an asset may have.
  package var mostTags: Int
  /// How many bytes its name and its tags may have together.
  package var mostBytes: Int

  package init(
    name: String?, added: [String], removed: [String], mostTags: Int, mostBytes: Int = .max
  ) {
    self.name = name
    self.added = added
    self.removed = removed
    self.mostTags = mostTags
    self.mostBytes = mostBytes
  }

  /// - Throws: `invalidArgument` if there are too many tags then, or too long ones.
  func applied(to labels: AssetLabels) throws(MediaLibraryError) -> AssetLabels {
    var labels = labels
    labels.name = name ?? labels.name
    labels.tags.removeAll(where: removed.contains)
    labels.tags += added.filter { !labels.tags.contains($0) }
    guard labels.tags.count <= mostTags else {
      throw MediaLibraryError(
        .invalidArgument,
        "it would have \(labels.tags.count) tags, and \(mostTags) is the most: remove some, or add fewer"
      )
    }
    guard labels.byteCount <= mostBytes else {
      throw MediaLibraryError(
        .invalidArgument,
        "its name and tags would have \(labels.byteCount) bytes, and \(mostBytes) is the most: shorten them"
      )
    }
    return labels
  }
}
