import Foundation

/// Everything in a folder: names, bytes and modes, to see whether a program changed any of it.
struct FolderContents: Equatable {
  private var entries: [String: Entry] = [:]

  private struct Entry: Equatable {
    var type: String
    var mode: Int
    var bytes: Data?
    var target: String?
  }

  /// Whether everything of another look is still there, unchanged.
  func contains(_ earlier: FolderContents) -> Bool {
    earlier.entries.allSatisfy { entries[$0.key] == $0.value }
  }

  init(_ folder: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let type = (attributes[.type] as? FileAttributeType) ?? .typeUnknown
      entries[name] = Entry(
        type: type.rawValue,
        mode: (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0,
        bytes: type == .typeRegular ? try Data(contentsOf: URL(filePath: path)) : nil,
        target: type == .typeSymbolicLink
          ? try FileManager.default.destinationOfSymbolicLink(atPath: path) : nil)
    }
  }
}
