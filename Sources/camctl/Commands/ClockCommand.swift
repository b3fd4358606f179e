import ArgumentParser
import CameraClient
import CameraRig

/// Prints how far the node's clock is ahead of this machine's.
struct ClockCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract:
      "Prints how far the node's clock is ahead of this machine's, and how wrong that may be.",
    discussion: """
      The clocks are the monotonic ones (CLOCK_MONOTONIC), by which frames are stamped. They are found by a burst of \
      eight questions: the node cannot have read a question before it was sent, nor answered it after the answer was here.
      """
  )

  private struct Report: Encodable {
    let offset: ClockOffset
    let reading: ClockReading
    /// Whether a clock was changed meanwhile, so that earlier readings do not count.
    let isChanged: Bool
  }

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    var (estimate, isChanged) = (ClockEstimate(), false)
    var reading = try await bus.clock()
    estimate.add(reading)
    for _ in 1..<8 {
      reading = try await bus.clock()
      if estimate.add(reading) == .clockChanged { isChanged = true }
    }
    guard let offset = estimate.offset(at: reading.received) else {
      throw CameraBusError(
        .internal,
        "the node's clock showed more time than passed here: try again, and if that stays, look at the clocks of both "
          + "machines")
    }
    if options.json {
      return JSONLine.print(Report(offset: offset, reading: reading, isChanged: isChanged))
    }
    var table = Table("CLOCK", "SHOWS")
    table.add("ahead", offset.words)
    table.add(
      "wall", "\(reading.answered.words), \(reading.answered.clockWords)\(source(of: reading))")
    table.print()
    if isChanged {
      options.note(
        "a clock was changed meanwhile: what was known before does not count", style: .warning)
    }
  }

  private func source(of reading: ClockReading) -> String {
    reading.wallSource.map { $0 == .operator ? " (as the operator says)" : " (as \($0) says)" }
      ?? ""
  }
}
