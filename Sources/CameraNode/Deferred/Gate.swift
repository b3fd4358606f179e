/// Lets one in at a time, in the order in which they came.
// @unchecked: belongs to the control loop.
final class Gate: @unchecked Sendable {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    isTaken = false
  }
}
