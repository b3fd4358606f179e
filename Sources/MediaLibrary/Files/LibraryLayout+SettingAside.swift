import OperatingSystem

extension LibraryLayout {
  /// Moves a file from the incoming folder to the folder for unusable movies.
  /// - Returns: Its new absolute path.
  @discardableResult
  func setAside(_ name: String) throws(SystemError) -> String {
    let path = "\(Self.setAside)/\(name)"
    try Folder.create(Self.setAside, below: folder)
    try Folder.move("\(incoming)/\(name)", to: path, below: folder)
    return "\(folder)/\(path)"
  }
}
