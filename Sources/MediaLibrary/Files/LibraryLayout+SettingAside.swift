import OperatingSystem

extension LibraryLayout {
  /// Moves a file from the incoming folder to the folder for unusable movies.
  /// - Returns: Its new absolute path.
  @discardableResult
  func setAside(_ name: String) throws(SystemError) -> String {
    let target = "\(folder)/\(Self.setAside)"
    try Folder.create(target)
    try Folder.move("\(incoming)/\(name)", to: "\(target)/\(name)", replaces: false)
    return "\(target)/\(name)"
  }
}
