/// The words of the command line as the system gives them, which may be any bytes.
package enum ArgumentText {
  /// What is wrong with an argument that is no text. Swift would replace its bytes, and a path
  /// would then be that of another file.
  package static var mistake: String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      let shown = unsafe UserCharacters.printable(String(cString: argument))
      return
        "'\(shown)' is not in UTF-8, and another file would be meant: give the file or folder a name in UTF-8"
    }
    return nil
  }
}
