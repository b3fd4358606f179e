import CameraProtocol
import Capture
import OperatingSystem
import TestSupport
import Testing

@testable import CameraNode

struct AdoptionBookTests {
  private static let patience = Duration.seconds(5)

  /// A book and the node around it, at a moment that the test sets.
  private struct Scene {
    var book: AdoptionBook
    var now = MonotonicTime(nanoseconds: 0)
    var taken: Set<String> = []
    var names: Set<String> = []

    init(_ rules: String..., limit: Int = 3) throws {
      book = AdoptionBook(
        rules: try rules.map { try AdoptionRule(argument: $0) }, limit: limit,
        patience: AdoptionBookTests.patience)
    }

    mutating func look(_ devices: FoundDevice...) -> [AdoptionBook.Action] { look(at: devices) }

    mutating func look(at devices: [FoundDevice]) -> [AdoptionBook.Action] {
      let (taken, names) = (taken, names)
      return book.look(
        at: devices, now: now, isTaken: { taken.contains($0.description.identity) },
        isNameTaken: names.contains)
    }
  }

  private func device(_ identity: String, driver: String = "uvcvideo") -> FoundDevice {
    FoundDevice(
      DeviceDescription(
        identity: identity, model: "M", location: "/dev/\(identity)", driver: driver))
  }

  private func adopted(_ actions: [AdoptionBook.Action]) -> [String] {
    actions.compactMap {
      if case .adopt(let adoption) = $0 { adoption.device.identity } else { nil }
    }
  }

  private func name(_ actions: [AdoptionBook.Action]) throws -> String {
    guard case .adopt(let adoption)? = actions.first else { throw Unexpected(actions) }
    return adoption.name
  }

  @Test func `Devices that match are adopted once, by the first rule`() throws {
    var scene = try Scene("one-*=identity=a", "usb-*=driver=uvcvideo")
    let actions = scene.look(device("a"), device("b"), device("c", driver: "vivid"))
    #expect(adopted(actions) == ["a", "b"])
    #expect(try name(actions).hasPrefix("one-"))
    #expect(scene.look(device("a"), device("b")) == [])
  }

  @Test func `Other rules remove the cameras of those that are gone, and no others`() throws {
    var scene = try Scene("one-*=identity=a", "usb-*=driver=uvcvideo", "old-*=driver=vivid")
    let actions = scene.look(device("a"), device("b"), device("c", driver: "vivid"))
    let names = actions.compactMap {
      if case .adopt(let adoption) = $0 { adoption.name } else { nil }
    }
    for name in names.dropLast() { scene.book.adopted(name) }
    var rule = try AdoptionRule(argument: "usb-*=driver=uvcvideo")
    rule.start.request.subjectArea = 0.5
    #expect(scene.book.staying(by: [rule])[names[1]]?.new == rule)
    #expect(scene.book.staying(by: [rule]).count == 1)
    #expect(scene.book.take([rule]) == [.remove(names[0])])
    // One that is still on its way goes when it has come.
    #expect(scene.look(device("a"), device("b"), device("c", driver: "vivid")) == [])
    scene.book.adopted(names[2])
    #expect(
      scene.look(device("a"), device("b"), device("c", driver: "vivid")) == [.remove(names[2])])
    // The device of the first one is free for the other rule.
    scene.book.removed(names[0])
    #expect(adopted(scene.look(device("a"), device("b"))) == ["a"])
  }

  @Test func `Devices of other cameras, with problems or without a free name stay`() throws {
    var scene = try Scene("front=driver=uvcvideo")
    scene.taken = ["a"]
    var denied = device("b")
    denied.problem = CaptureError(.permissionDenied, "no")
    #expect(scene.look(device("a"), denied) == [])
    scene.names = ["front"]
    #expect(scene.look(device("c")) == [])
    scene.names = []
    #expect(adopted(scene.look(device("c"), device("d"))) == ["c"])
  }

  @Test func `A camera goes when its device has been gone for a while, and returns`() throws {
    var scene = try Scene("usb-*=driver=*")
    let name = try name(scene.look(device("a")))
    scene.book.adopted(name)
    #expect(scene.look() == [] && scene.book.deadline == scene.now + Self.patience)
    scene.now = scene.now + Self.patience - .nanoseconds(1)
    #expect(scene.look() == [])
    scene.now = scene.now + .nanoseconds(1)
    #expect(scene.look() == [.remove(name)])
    // While it is being removed, nothing happens to it.
    #expect(scene.look(device("a")) == [] && scene.book.deadline == nil)
    scene.book.removed(name)
    #expect(try self.name(scene.look(device("a"))) == name)
  }

  @Test func `A device that comes back in time keeps its camera`() throws {
    var scene = try Scene("usb-*=driver=*")
    scene.book.adopted(try name(scene.look(device("a"))))
    _ = scene.look()
    scene.now = scene.now + .seconds(3)
    #expect(scene.look(device("a")) == [] && scene.book.deadline == nil)
    scene.now = scene.now + .seconds(3)
    #expect(scene.look(device("a")) == [])
  }

  @Test func `The number of cameras is limited, and that is said once`() throws {
    var scene = try Scene("usb-*=driver=*", limit: 2)
    let devices = ["a", "b", "c"].map { device($0) }
    let actions = scene.look(at: devices)
    #expect(adopted(actions) == ["a", "b"])
    #expect(actions.last == .decline(devices[2].description))
    #expect(scene.look(at: devices) == [])
    _ = scene.look(at: Array(devices.prefix(2)))
    #expect(scene.look(at: devices) == [.decline(devices[2].description)])
  }

  @Test func `However devices come and go, the book follows them`() throws {
    var random = SeededGenerator(for: "adoptions")
    var scene = try Scene("usb-*=driver=*", limit: 4)
    let devices = (0..<6).map { device("\($0)") }
    var cameras: [String: String] = [:]
    func perform(_ actions: [AdoptionBook.Action]) {
      for action in actions {
        switch action {
        case .adopt(let adoption):
          #expect(cameras.updateValue(adoption.device.identity, forKey: adoption.name) == nil)
          scene.book.adopted(adoption.name)
        case .remove(let name):
          #expect(cameras.removeValue(forKey: name) != nil)
          scene.book.removed(name)
        case .decline: #expect(cameras.count == 4)
        }
      }
    }
    for _ in 0..<300 {
      let present = devices.filter { _ in Bool.random(using: &random) }
      scene.now = scene.now + .seconds(Int.random(in: 0...7, using: &random))
      perform(scene.look(at: present))
      #expect(cameras.count <= 4)
      // After a while without changes the cameras are those of the devices, if there is room.
      scene.now = scene.now + Self.patience + Self.patience
      for _ in 0..<3 { perform(scene.look(at: present)) }
      #expect(Set(cameras.values).isSubset(of: present.map(\.description.identity)))
      #expect(cameras.count == min(4, present.count))
    }
  }
}
