/// A key, certificate or folder of keys that cannot be used, and the remedy.
package struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
