import EventLoop
import OperatingSystem

/// Lets a library keep to its quota: looks once a second, and whenever something was stored, and
/// removes a few assets at a time, so that others use the library in between.
final class QuotaKeeper {
  private static let pause = Duration.seconds(1)

  private let loop: EventLoop
  private let sweep: () -> Bool
  private var timer: LoopTimer?
  private var isSweeping = false

  /// - Parameter sweep: Removes a few assets; returns whether there are more.
  init(on loop: EventLoop, sweep: @escaping () -> Bool) {
    self.loop = loop
    self.sweep = sweep
  }

  func begin() {
    look()
    timer = loop.schedule(at: .now + Self.pause) { [weak self] in
      guard let self else { return }
      look()
      timer?.again(at: .now + Self.pause)
    }
  }

  func end() {
    timer?.cancel()
    timer = nil
  }

  /// Something was stored, or the quota is another one.
  func look() {
    guard !isSweeping else { return }
    isSweeping = true
    goOn()
  }

  /// Sweeps behind what others want of the library.
  private func goOn() {
    _ = loop.schedule(at: .now) { [weak self] in
      guard let self else { return }
      if sweep() { goOn() } else { isSweeping = false }
    }
  }
}
