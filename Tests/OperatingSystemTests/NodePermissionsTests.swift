import Foundation
import OperatingSystem
import TestSupport
import Testing

struct NodePermissionsTests {
  private let folder: TemporaryFolder
  private let node: String

  init() throws {
    folder = try TemporaryFolder()
    node = try folder.write("", to: "video0")
  }

  @Test("A user without permission learns which group has it and how to join")
  func group() throws {
    let group = try groupThatIsNotRoot()
    try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: node)
    let remedy = NodePermissions.remedy(for: node)
    #expect(remedy.contains("the group \(group)"))
    #expect(remedy.contains("sudo usermod -aG \(group) $USER"))
  }

  @Test("The advice for a node without group access is to give it to a group")
  func ownerOnly() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: node)
    let remedy = NodePermissions.remedy(for: node)
    #expect(remedy.contains("sudo chgrp video \(node) && sudo chmod 660 \(node)"))
  }

  /// Root gives the file to the group of cameras. Other users have a group of their own.
  private func groupThatIsNotRoot() throws -> String {
    if geteuid() == 0 {
      try FileManager.default.setAttributes([.groupOwnerAccountName: "video"], ofItemAtPath: node)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: node)
    return try #require(attributes[.groupOwnerAccountName] as? String)
  }
}
