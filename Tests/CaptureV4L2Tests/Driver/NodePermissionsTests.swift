import Foundation
import TestSupport
import Testing

@testable import CaptureV4L2

@Suite struct NodePermissionsTests {
  private let folder: TemporaryFolder
  private let node: String

  init() throws {
    folder = try TemporaryFolder()
    node = try folder.write("", to: "video0")
  }

  @Test("Who lacks permission is told the group that has it and how to join")
  func group() throws {
    let group = try groupThatIsNotRoot()
    try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: node)
    let remedy = NodePermissions.remedy(for: node)
    #expect(remedy.contains("the group \(group)"))
    #expect(remedy.contains("sudo usermod -aG \(group) $USER"))
  }

  @Test("A node that no group may use is to be given to one")
  func ownerOnly() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: node)
    let remedy = NodePermissions.remedy(for: node)
    #expect(remedy.contains("sudo chgrp video \(node) && sudo chmod 660 \(node)"))
  }

  /// Root gives the file to the group of cameras; anybody else has one of their own.
  private func groupThatIsNotRoot() throws -> String {
    if geteuid() == 0 {
      try FileManager.default.setAttributes([.groupOwnerAccountName: "video"], ofItemAtPath: node)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: node)
    return try #require(attributes[.groupOwnerAccountName] as? String)
  }
}
