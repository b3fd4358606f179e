import CameraClient
import CameraProtocol
import Testing

struct DownloadWindowTests {
  @Test func `Consecutive chunks fill the window`() throws {
    var window = DownloadWindow(total: 5)
    try window.take(offset: 0, count: 3, total: 5)
    #expect(!window.isComplete)
    try window.take(offset: 3, count: 2, total: 5)
    #expect(window.isComplete)
  }

  @Test func `Kept chunks earn credit for several at once, and a chunk without credit is refused`()
    async throws
  {
    var window = DownloadWindow(total: 100)
    for offset in 0..<DownloadWindow.credit {
      try window.take(offset: UInt64(offset), count: 1, total: 100)
    }
    func excess() async -> CameraBusError? {
      var window = window
      return await failure { () throws(CameraBusError) in
        try window.take(offset: window.offset, count: 1, total: 100)
      }
    }
    for _ in 1..<DownloadWindow.grant { #expect(window.keep() == nil) }
    #expect(await excess()?.code == .protocolViolation)
    #expect(window.keep() == DownloadWindow.grant)
    #expect(await excess() == nil)
    window.beginRequest()
    for offset in 0..<DownloadWindow.credit {
      try window.take(offset: UInt64(DownloadWindow.credit + offset), count: 1, total: 100)
    }
    #expect(await excess()?.code == .protocolViolation)
  }

  @Test func `An empty asset is complete at once`() {
    #expect(DownloadWindow(total: 0).isComplete)
  }

  @Test(
    arguments: [(2, 1, 5), (4, 1, 5), (3, 3, 5), (3, 0, 5), (3, 1, 6)] as [(UInt64, Int, UInt64)])
  func `A chunk out of order breaks the protocol`(
    offset: UInt64, count: Int, total: UInt64
  ) async throws {
    var window = DownloadWindow(total: 5)
    try window.take(offset: 0, count: 3, total: 5)
    let error = await failure { () throws(CameraBusError) in
      try window.take(offset: offset, count: count, total: total)
    }
    #expect(error?.code == .protocolViolation)
    #expect(window.offset == 3)
  }
}
