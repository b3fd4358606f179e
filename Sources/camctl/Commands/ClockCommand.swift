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

      If it is known how wrong the wall clocks of both machines may be, they count too. chronyd and ntpd say so of the \
      clock that they keep; where another program keeps this machine's, --clock-error can. The node's is its own affair \
      (camerad --clock-error).
      """
  )

  private struct Report: Encodable {
    let offset: ClockOffset
    let reading: ClockReading
    /// This machine's wall clock; nil if nobody knows how wrong it may be.
    let own: ClockEstimate.WallClock?
    let ownSource: ClockReading.WallSource?
    /// Whether the bounds of both wall clocks contradict the readings, so that they do not count.
    let isWallWrong: Bool
    /// Whether a clock was changed meanwhile, so that earlier readings do not count.
    let isChanged: Bool
  }

  @OptionGroup var clock: OwnClockOptions

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let wall = try clock.wall
    var (estimate, isChanged) = (ClockEstimate(), false)
    var reading = try await bus.clock()
    var own = wall.now()
    estimate.add(reading, own: own)
    for _ in 1..<8 {
      reading = try await bus.clock()
      own = wall.now()
      if estimate.add(reading, own: own) == .clockChanged { isChanged = true }
    }
    guard let offset = estimate.offset(at: reading.received) else {
      throw CameraBusError(
        .internal,
        "the node's clock showed more time than passed here: try again, and if that stays, look at the clocks of both "
          + "machines")
    }
    if options.json {
      return JSONLine.print(
        Report(
          offset: offset, reading: reading, own: own, ownSource: wall.source,
          isWallWrong: estimate.isWallWrong, isChanged: isChanged))
    }
    var table = Table("CLOCK", "SHOWS")
    table.add("ahead", offset.words)
    table.add(
      "wall",
      "\(reading.answered.words), \(reading.answered.clockWords)\(words(of: reading.wallSource))")
    if let own {
      table.add("own wall", "off by at most \(own.error.words)\(words(of: wall.source))")
    }
    table.print()
    if estimate.isWallWrong {
      options.note(
        "the bounds of the wall clocks contradict what the node answered, so they do not count: one of the two is more "
          + "wrong than is said of it",
        style: .warning)
    }
    if isChanged {
      options.note(
        "a clock was changed meanwhile: what was known before does not count", style: .warning)
    }
  }

  private func words(of source: ClockReading.WallSource?) -> String {
    source.map { $0 == .operator ? " (as the operator says)" : " (as \($0) says)" } ?? ""
  }
}
