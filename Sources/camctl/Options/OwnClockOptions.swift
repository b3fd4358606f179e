import ArgumentParser
import CameraClient
import CameraRig
import Words

/// What is known of this machine's wall clock.
struct OwnClockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "By how much this machine's wall clock may be wrong at most; default: what chronyd or ntpd says, if it keeps the clock.",
      valueName: "DURATION"),
    transform: Self.clockError)
  var clockError: Duration?

  var wall: OwnWallClock {
    get throws(CameraBusError) {
      guard let clockError else { return OwnWallClock() }
      return try OwnWallClock(statedError: clockError)
    }
  }

  private static func clockError(_ text: String) throws -> Duration {
    guard let error = DurationText.parse(text, needsUnit: true), error > .zero else {
      throw ValidationError("write a time above 0 with its unit, such as 5ms")
    }
    return error
  }
}
