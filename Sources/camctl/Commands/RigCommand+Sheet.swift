import ArgumentParser
import CameraClient
import CameraRig
import FoundationEssentials
import Glibc
import OperatingSystem

extension RigCommand {
  struct Sheet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sheet",
      abstract: "Makes the contact sheet of a shot that is there.",
      discussion: """
        camctl rig capture and series make it by themselves. This is for folders that other programs have written, and \
        for those whose sheet was lost. It reads shot.json and the pictures, and writes \(ContactSheet.name) beside \
        them: a tile for each camera, with its name and how far from the moment its exposure began. JPEG and PNG files are \
        shown; a camera that has none, and one that took no picture, has a plain tile with the reason.
        """)

    @Argument(
      help: ArgumentHelp("The folder of the shot.", valueName: "FOLDER"), completion: .directory)
    var folder: String

    func run() async throws {
      let shot = try await RigShot(folder: folder)
      let isWritten: Bool
      do throws(CameraBusError) {
        isWritten = try await ContactSheet.write(shot, into: folder)
      } catch {
        guard error.code == .fileExists else { throw error }
        throw CommandFailure(
          code: error.code.rawValue,
          message: "\(folder)/\(ContactSheet.name) is there already: remove it to make a new one",
          status: EXIT_FAILURE)
      }
      guard isWritten else {
        throw CommandFailure(
          code: "noSuchAsset", message: "no camera has a picture of the shot in \(folder)",
          status: EXIT_FAILURE)
      }
      StandardOutput.write(path: "\(folder)/\(ContactSheet.name)")
    }
  }

  /// Makes the contact sheet of a shot, or says why there is none. The shot is good without it.
  static func addSheet(to shot: RigShot, in folder: String) async {
    do throws(CameraBusError) {
      _ = try await ContactSheet.write(shot, into: folder)
    } catch  where error.code == .cancelled {
    } catch {
      StandardError.write(line: "camctl: no contact sheet: \(error.message)", style: .warning)
    }
  }
}

extension RigShot {
  /// The most bytes of a description that are read.
  private static let longest = 64 << 20

  /// Reads the description of a shot in its folder.
  init(folder: String) async throws {
    let path = "\(folder)/\(ShotFolder.description)"
    guard FileStatus.isOwnFile(at: path) else {
      throw Self.failure("\(path) is no file: name the folder of a shot")
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      let interrupter = try Interrupter()
      bytes = try await OwnThread.run(interrupter) { () throws(SystemError) in
        try FileDescriptor.readAll(path, upTo: Self.longest, interrupter)
      }
    } catch {
      if error.errno == ECANCELED { throw CancellationError() }
      throw Self.failure("\(path) cannot be read (\(error.reason)): name the folder of a shot")
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    do {
      self = try decoder.decode(RigShot.self, from: Data(bytes))
    } catch {
      throw Self.failure("\(path) describes no shot of a rig: name another folder")
    }
  }

  private static func failure(_ message: String) -> CommandFailure {
    CommandFailure(code: "unreadableFile", message: message, status: EXIT_FAILURE)
  }
}
