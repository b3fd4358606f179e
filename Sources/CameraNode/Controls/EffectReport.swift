import Capture
import EventLoop
import OperatingSystem

/// Waits for the effect of a change of controls.
struct EffectReport: Sendable {
  let request: EffectRequest
  private let ends: AsyncStream<ControlEffect?>

  /// - Parameter isWanted: Whether the client wants to know; nil leaves that to the controls.
  init(isWanted: Bool?, _ call: Call) {
    let (ends, end) = AsyncStream.makeStream(of: ControlEffect?.self)
    self.ends = ends
    // The answer must reach the client before it stops waiting.
    let patience = call.deadline - call.asked
    request = EffectRequest(isWanted: isWanted, deadline: call.asked + patience * 3 / 4) { effect in
      end.yield(effect)
      end.finish()
    }
  }

  /// Nil if nobody looked. To be read once, after the controls were set.
  var effect: ControlEffect? {
    get async {
      for await effect in ends { return effect }
      return nil
    }
  }
}
