/// A key, certificate or folder of keys that cannot be used, and the remedy.
package struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether it is about a name of a node that nobody has added.
  package let isUnknownNode: Bool

  package init(_ description: String, isUnknownNode: Bool = false) {
    self.description = description
    self.isUnknownNode = isUnknownNode
  }
}
