import ArgumentParser
import CameraClient
import CameraRig
import FoundationEssentials
import Glibc
import Words

extension RigCommand {
  /// What is taken, and when it counts.
  struct ShotOptions: ParsableArguments {
    @Option(
      name: .customLong("format"),
      help: ArgumentHelp(
        "The files of each picture, such as dng,jpeg; default: jpeg.",
        valueName: "FORMAT"),
      completion: .list(PhotoFormat.allCases.map(\.rawValue)), transform: PhotoText.formats)
    var formats: [[PhotoFormat]] = []

    @Option(help: ArgumentHelp("1 to 100 for files that lose detail.", valueName: "NUMBER"))
    var quality: Int?

    @Option(
      help: ArgumentHelp(
        "How far a frame may lie from the moment, else that camera's part fails: \(DurationText.forms).",
        valueName: "DURATION"),
      transform: DurationText.positive)
    var tolerance: Duration?

    @Option(
      help: ArgumentHelp(
        "How many cameras have to be ready: all (the default), any, or a number.",
        valueName: "POLICY"),
      transform: RigPolicy.init(text:))
    var need = RigPolicy.all

    @OptionGroup var labels: LabelOptions

    var settings: PhotoSettings {
      PhotoSettings(
        formats.flatMap { $0 }.map { PhotoOutput($0) }, quality: quality, tolerance: tolerance,
        name: labels.name, tags: labels.tags)
    }
  }

  struct Capture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "capture",
      abstract: "Takes one picture with every camera of the rig, at one moment.",
      discussion: """
        The folder gets the pictures, named by camera, and shot.json: who took what and when by this machine's clock, \
        with bounds, and how far apart the exposures began; and contact-sheet.jpg for people, with all pictures and \
        their distances from the moment. It ends with 75 if a camera has no picture; the others are there all the same.
        """)

    @OptionGroup var rig: Options
    @OptionGroup var shot: ShotOptions

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The folder to make for the shot.", valueName: "FOLDER"),
      completion: .directory)
    var output: String?

    @Flag(
      help:
        "Prepare all cameras, say who is ready, and take nothing. In JSON it is a shot that was abandoned."
    )
    var dryRun = false

    func validate() throws {
      guard dryRun || output != nil else {
        throw ValidationError("name the folder for the pictures with --output")
      }
    }

    func run() async throws {
      let taken = try await rig.withRig { rig -> RigShot in
        guard !dryRun, let output else {
          // Nobody has so many cameras.
          return await rig.capture(shot.settings, policy: .atLeast(.max))
        }
        return try await RigCommand.take(rig, shot, into: output)
      }
      if dryRun, !rig.json {
        RigCommand.printReadiness(taken)
      } else {
        RigCommand.print(taken, asJSON: rig.json)
      }
      if !dryRun, let output { await RigCommand.addSheet(to: taken, in: output) }
      if dryRun, taken.parts.allSatisfy({ $0.problem == nil }) { return }
      if taken.outcome != .complete { throw ExitCode(EX_TEMPFAIL) }
    }
  }

  struct Series: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "series",
      abstract: "Takes shots at regular moments.",
      discussion: """
        Each shot has a folder of its own in the output, 0001 and so on, as camctl rig capture makes it. It ends with 75 \
        if a camera has missed a picture.
        """)

    @OptionGroup var rig: Options
    @OptionGroup var shot: ShotOptions

    @Option(help: ArgumentHelp("How many shots.", valueName: "NUMBER"))
    var count: Int

    @Option(
      help: ArgumentHelp(
        "From each shot to the next: \(DurationText.forms).", valueName: "DURATION"),
      transform: DurationText.positive)
    var every: Duration

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The folder for those of the shots.", valueName: "FOLDER"),
      completion: .directory)
    var output: String

    func validate() throws {
      guard (1...9999).contains(count) else {
        throw ValidationError("--count is 1 to 9999")
      }
    }

    func run() async throws {
      // A sheet takes longer than some wait for the next shot.
      let (taken, shots) = AsyncStream.makeStream(of: String.self)
      async let sheets: Void = Self.addSheets(taken)
      let result: Result<Bool, any Error>
      do {
        result = .success(try await series(shots))
      } catch {
        result = .failure(error)
      }
      shots.finish()
      await sheets
      if try !result.get() { throw ExitCode(EX_TEMPFAIL) }
    }

    private static func addSheets(_ folders: AsyncStream<String>) async {
      for await folder in folders {
        if let shot = try? await RigShot(folder: folder) {
          await RigCommand.addSheet(to: shot, in: folder)
        }
      }
    }

    /// - Parameter shots: Gets the folder of each shot.
    /// - Returns: Whether all are complete.
    private func series(_ shots: AsyncStream<String>.Continuation) async throws -> Bool {
      try await rig.withRig { rig -> Bool in
        var isComplete = true
        var next: MonotonicInstant?
        for number in 1...count {
          if let next, next - .now > .zero { try await Task.sleep(for: next - .now) }
          let digits = "\(number)"
          let name = String(repeating: "0", count: 4 - digits.count) + digits
          let taken = try await RigCommand.take(rig, shot, into: "\(output)/\(name)")
          shots.yield("\(output)/\(name)")
          // The next one begins to prepare as long before its moment as this one did.
          next = (next ?? .now) + every
          isComplete = isComplete && taken.outcome == .complete
          RigCommand.print(taken, asJSON: self.rig.json, name: name)
        }
        return isComplete
      }
    }
  }

  /// Takes a shot into a folder.
  static func take(_ rig: Rig, _ options: ShotOptions, into path: String) async throws -> RigShot {
    let folder = try folder(path)
    let shot = await rig.capture(options.settings, policy: options.need) {
      (camera, photo) throws(CameraBusError) in
      try await folder.write(photo, of: camera)
    }
    try await folder.write(shot)
    if case .atLeast(let count) = options.need, count > shot.parts.count {
      throw CommandFailure.usage(
        "--need \(count) is more than the rig has: it has \(shot.parts.count.counted("camera"))")
    }
    return shot
  }

  /// The folder at a path, which is made.
  static func folder(_ path: String) throws -> ShotFolder {
    do throws(CameraBusError) {
      return try ShotFolder(path)
    } catch {
      guard error.code == .fileExists else { throw error }
      throw CommandFailure(
        code: error.code.rawValue, message: error.message, status: EXIT_FAILURE)
    }
  }

  /// Who could have taken part.
  private static func printReadiness(_ shot: RigShot) {
    var table = Table("CAMERA", "NODE", "READY")
    for part in shot.parts {
      table.add(
        part.camera, part.node,
        part.problem.map { Table.Cell(text: "no: \($0.message)", style: .bad) }
          ?? Table.Cell(text: "yes", style: .good))
    }
    table.print()
    let count = shot.parts.count { $0.problem == nil }
    StandardOutput.write(line: "\(count) of \(shot.parts.count.counted("camera")) ready")
  }

  static func print(_ shot: RigShot, asJSON: Bool, name: String? = nil) {
    guard !asJSON else { return JSONLine.print(shot) }
    var table = Table("CAMERA", "NODE", "FROM THE MOMENT", "OFF BY AT MOST", "FILE")
    for part in shot.parts {
      if let problem = part.problem, part.picture == nil {
        table.add(
          part.camera, part.node, Table.Cell(text: problem.message, style: .bad), "-", "-")
        continue
      }
      let offset = part.picture?.offset
      table.add(
        part.camera, part.node, offset.map { $0.middle.signedWords } ?? "-",
        offset.map { $0.error.words } ?? "-",
        part.picture?.files.compactMap(\.name).joined(separator: ", ") ?? "-")
    }
    if let name { StandardOutput.write(line: name) }
    table.print()
    let count = shot.parts.count { $0.picture != nil }
    var words = "\(shot.outcome.rawValue): \(count) of \(shot.parts.count.counted("picture"))"
    if let skew = shot.skew {
      words += "; the exposures began \(skew.least.words) to \(skew.most.words) apart"
    }
    StandardOutput.write(line: words)
  }
}

extension RigPolicy {
  init(text: String) throws {
    switch text {
    case "all": self = .all
    case "any": self = .any
    default:
      guard let count = Int(text), count > 0 else {
        throw ValidationError("write all, any or a number of cameras")
      }
      self = .atLeast(count)
    }
  }
}

extension Duration {
  /// "-1.2 ms".
  var signedWords: String {
    "\(self < .zero ? "-" : "")\(max(self, .zero - self).words)"
  }
}
