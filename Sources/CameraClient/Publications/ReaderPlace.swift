import OperatingSystem

/// The one place for a reader of a sequence.
final class ReaderPlace: Sendable {
  /// One iterator of the sequence, with its copies. Its end gives the place back.
  final class Reader: Sendable {
    private let place: ReaderPlace

    fileprivate init(_ place: ReaderPlace) { self.place = place }

    deinit { place.leave(ObjectIdentifier(self)) }

    /// Takes the place, if this reader does not have it already.
    /// - Throws: `conflict` while another reader has it.
    func takePlace() throws(CameraBusError) {
      guard place.take(ObjectIdentifier(self)) else {
        throw CameraBusError(
          .conflict,
          "this sequence has another reader, and each element comes once: make a sequence for each reader, or let "
            + "one pass the elements on")
      }
    }
  }

  private let reader = Mutex<ObjectIdentifier?>(nil)
  /// Whether another reader may follow when the first has ended.
  private let isGivenBack: Bool

  init(isGivenBack: Bool = true) { self.isGivenBack = isGivenBack }

  func makeReader() -> Reader { Reader(self) }

  private func take(_ new: ObjectIdentifier) -> Bool {
    reader.withLock { reader in
      if reader == nil { reader = new }
      return reader == new
    }
  }

  private func leave(_ old: ObjectIdentifier) {
    guard isGivenBack else { return }
    reader.withLock { if $0 == old { $0 = nil } }
  }
}
