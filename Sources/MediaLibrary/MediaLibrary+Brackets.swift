import Glibc
import OperatingSystem

/// What brackets of photos have changed on cameras and not put back yet, in the node's own words.
/// It is on the disk before a control changes, so that the next start can put it back.
extension MediaLibrary {
  /// Keeps a note of a camera's bracket, in the place of an earlier one.
  package func keepBracket(_ note: [UInt8], ofCamera name: String) throws(MediaLibraryError) {
    let path = try layout.bracket(ofCamera: name)
    try layout.requireFolder()
    try layout.onDisk { () throws(SystemError) in
      try Folder.create(LibraryLayout.brackets, below: folder)
      let part = try FileDescriptor(
        "\(folder)/\(path).part", O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      try unsafe part.write(note.span.bytes)
      try part.publish(as: "\(folder)/\(path)")
    }
  }

  /// The note of a camera's bracket; nil if there is none.
  package func bracket(ofCamera name: String) throws(MediaLibraryError) -> [UInt8]? {
    let path = try layout.bracket(ofCamera: name)
    return try layout.onDisk { () throws(SystemError) in
      do throws(SystemError) {
        let file = try FileDescriptor.openFile("\(folder)/\(path)")
        return try file.read(at: 0, count: min(try file.status().byteCount, Self.longestNote))
      } catch {
        guard error.errno == ENOENT else { throw error }
        return nil
      }
    }
  }

  /// Removes the note of a camera's bracket, if there is one.
  package func removeBracket(ofCamera name: String) throws(MediaLibraryError) {
    let path = try layout.bracket(ofCamera: name)
    try layout.onDisk { () throws(SystemError) in
      try Folder.removeFile(path, below: folder)
    }
  }

  /// More than the values of all controls of a request have as text.
  private static let longestNote = 32 << 20
}
