import CameraProtocol
import Foundation
import OperatingSystem

/// What a node gives to the group that may use it.
extension NodeConfiguration {
  /// Runs `body` with the group that may use the node's files, if there is one.
  func share(
    _ body: (FileGroup) throws(SystemError) -> Void
  ) throws(ConfigurationError) {
    guard let name = group, let group = fileGroup else { return }
    do throws(SystemError) {
      try body(group)
    } catch {
      throw ConfigurationError(
        "nothing can be given to the group \(name) (\(error)): let user \(geteuid()) own it")
    }
  }

  /// The node's endpoints in `folder`, which is made if it is not there.
  func ipcEndpoints(in folder: String) throws(ConfigurationError) -> NodeEndpoints {
    let present = try? FileStatus(at: folder)
    if present?.isFolder != true {
      do throws(SystemError) {
        try Folder.create(folder, for: fileGroup)
      } catch {
        throw ConfigurationError(
          "--ipc \(folder) cannot be made: make it, or name a folder that you may write to")
      }
    }
    // A folder that others may enter, such as /tmp, is not the node's alone and stays as it is.
    if present?.isFolder != true || present?.isForThisUserAlone == true {
      try share { (group) throws(SystemError) in
        try group.take(folder: folder, depth: 0)
      }
    }
    return NodeEndpoints(ipcFolder: folder)
  }
}
