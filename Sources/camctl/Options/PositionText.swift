import ArgumentParser
import CameraClient

/// Where to go on in a node's events: `EPOCH:CAMERA/KIND=N,...`, of several nodes with `NODE=`
/// before it.
struct PositionText {
  /// What the option that takes a position says about it.
  static let form = "EPOCH:CAMERA/KIND=N,..."

  var node: String?
  var position: EventPosition

  init(_ text: String) throws {
    if let position = EventPosition(text) {
      self.position = position
      return
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let position = EventPosition(String(parts[1])) else {
      throw ValidationError(
        "'\(text.prefix(200))' is no position: write \(Self.form), such as "
          + "00112233445566778899aabbccddeeff:front/capture=12,front/state=3, of several nodes with NODE= before it"
      )
    }
    (node, self.position) = (String(parts[0]), position)
  }
}
