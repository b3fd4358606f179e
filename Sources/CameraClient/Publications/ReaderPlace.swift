import OperatingSystem

/// The one place for a reader of a sequence.
final class ReaderPlace: Sendable {
  /// One iterator of the sequence, with its copies. Its end gives the place back.
  final class Reader: Sendable {
    private let place: ReaderPlace
    /// Not the reader's address, which another reader gets after this one has gone.
    private let number: Int

    fileprivate init(_ number: Int, of place: ReaderPlace) {
      self.number = number
      self.place = place
    }

    deinit { place.leave(number) }

    /// Takes the place, if this reader does not have it already.
    /// - Throws: `conflict` while another reader has it.
    func takePlace() throws(CameraBusError) {
      guard place.take(number) else {
        throw CameraBusError(
          .conflict,
          "this sequence has another reader, and each element comes once: make a sequence for each reader, or let "
            + "one pass the elements on")
      }
    }
  }

  private struct State {
    /// How many readers there were.
    var count = 0
    /// The reader that has the place.
    var owner: Int?
  }

  private let state = Mutex(State())
  /// Whether another reader may follow when the first has ended.
  private let isGivenBack: Bool

  init(isGivenBack: Bool = true) { self.isGivenBack = isGivenBack }

  func makeReader() -> Reader {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return Reader(number, of: self)
  }

  private func take(_ reader: Int) -> Bool {
    state.withLock { state in
      if state.owner == nil { state.owner = reader }
      return state.owner == reader
    }
  }

  private func leave(_ reader: Int) {
    guard isGivenBack else { return }
    state.withLock { if $0.owner == reader { $0.owner = nil } }
  }
}
