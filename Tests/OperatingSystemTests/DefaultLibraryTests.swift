import Testing

@testable import OperatingSystem

@Suite struct DefaultLibraryTests {
  @Test(arguments: [
    (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data/camerabus"),
    (["XDG_DATA_HOME": "", "HOME": "/home/me"], "/home/me/.local/share/camerabus"),
    (["XDG_DATA_HOME": "relative", "HOME": "/home/me"], "/home/me/.local/share/camerabus"),
    (["HOME": ""], "/var/lib/camerabus"),
    ([:], "/var/lib/camerabus"),
  ])
  func `The default library is in the user's folder for data, or the system's`(
    environment: [String: String], path: String
  ) {
    #expect(DefaultLibrary.path { environment[$0] } == path)
  }
}
