import EventLoop
import Glibc
import OperatingSystem

/// Waits until there is no file at a path, whose folder there is.
package func deletion(of path: String) async throws {
  let loop = EventLoop(name: "deletion")
  defer { loop.stop() }
  let changes = Recorded<FileChanges.Change>()
  let watch = try await loop.run {
    let watch = try FileChanges(on: loop) { for change in $0 { changes.add(change) } }
    try watch.watch(Folder.parent(of: path), for: UInt32(IN_DELETE))
    return watch
  }
  // What was deleted before is not told.
  if (try? FileStatus(at: path)) != nil {
    await changes.wait { $0.contains { path.hasSuffix("/\($0.name)") } }
  }
  await loop.run { watch.cancel() }
}
