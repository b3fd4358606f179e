import ArgumentParser
import CameraClient
import Words

/// Shows what the library takes and what the node removes by itself.
struct QuotaCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "quota",
    abstract: "Shows what each camera's photos and movies take, and what the node keeps.",
    discussion: """
      The quota stands in the node's configuration, as `quota:`. What goes beyond it is removed, the oldest first; what is \
      protected, recorded or downloaded stays. `camctl events --kind library` shows every removal. It ends with 1 while \
      the library takes more than its quota, because nothing more may be removed.
      """)

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let library = try await bus.status().library
    if options.json {
      JSONLine.print(QuotaReport(library))
    } else {
      show(library)
    }
    if let problem = library.quotaProblem {
      throw CameraBusError(problem.code, problem.message)
    }
  }

  private func show(_ library: LibraryStatus) {
    var table = Table("CAMERA", "ASSETS", "TAKE", "AT MOST", "NO OLDER THAN")
    let limits = library.quota?.limits ?? []
    func add(_ name: String, _ assets: UInt64, _ bytes: UInt64, _ limit: LibraryQuota.Limit?) {
      table.add(
        name, "\(assets)", bytes.byteWords, limit?.maximumBytes?.byteWords ?? "-",
        limit?.maximumAge?.words ?? "-")
    }
    let cameras = Set(library.usage.map(\.camera) + limits.compactMap(\.camera)).sorted()
    for camera in cameras {
      let usage = library.usage.first { $0.camera == camera }
      add(
        camera, usage?.assets ?? 0, usage?.bytes ?? 0, limits.first { $0.camera == camera })
    }
    add(
      "all", library.usage.reduce(0) { $0 + $1.assets }, library.usage.reduce(0) { $0 + $1.bytes },
      limits.first { $0.camera == nil })
    table.print()
    let free = library.freeBytes.map { "\($0.byteWords) free" } ?? "the disk cannot be read"
    let least = library.quota?.minimumFreeBytes.map { ", \($0.byteWords) wanted" } ?? ""
    StandardOutput.write(line: free + least)
    if library.quota == nil {
      StandardOutput.write(
        line: "no quota: the node removes nothing by itself, until its disk is full")
    }
  }
}

/// What `quota --json` prints.
private struct QuotaReport: Encodable {
  var usage: [LibraryUsage]
  var quota: LibraryQuota?
  var freeBytes: UInt64?
  var problem: Problem?

  init(_ library: LibraryStatus) {
    usage = library.usage
    quota = library.quota
    freeBytes = library.freeBytes
    problem = library.quotaProblem
  }
}
