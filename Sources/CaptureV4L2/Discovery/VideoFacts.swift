import FoundationEssentials
import OperatingSystem

/// What the kernel and udev say about a video device, without opening it.
struct VideoFacts {
  /// Its device number, such as "81:0".
  let number: String?
  /// The node's number among those of its device, from 0. It is in the names of its links.
  let index: Int?
  /// The folder of the device that the kernel made the node for. For USB this is an interface.
  let parent: String?
  /// The number of that interface, such as "00".
  let interface: String?
  /// The folder of the USB device that the node belongs to.
  let usbDevice: String?
  /// Vendor and product of the USB device, as numbers and in words.
  let products: Set<String>
  /// The serial number as udev writes it into names; nil if the device has none.
  let serial: String?
  let entry: UdevEntry?

  /// - Parameters:
  ///   - folder: The folder in which the kernel describes the video device.
  ///   - udev: udev's folder (/run/udev).
  init(in folder: String, udev: String) {
    let number = Self.text("\(folder)/dev")
    let entry = number.flatMap { UdevEntry(at: "\(udev)/data/c\($0)") }
    let device = "\(folder)/device"
    let parent =
      FileStatus.exists(device) ? URL(filePath: device).resolvingSymlinksInPath().path : nil
    let usbDevice = parent.flatMap(Self.usbDevice)
    func attribute(_ name: String) -> String? {
      usbDevice.flatMap { Self.text("\($0)/\(name)") }
    }
    func pair(_ first: String, _ second: String) -> String? {
      guard let first = attribute(first), let second = attribute(second) else { return nil }
      return "\(first):\(second)"
    }
    (self.number, self.entry, self.parent, self.usbDevice) = (number, entry, parent, usbDevice)
    index = Self.index(in: folder)
    interface = parent.flatMap { Self.text("\($0)/bInterfaceNumber") }
    products = Set(
      [pair("idVendor", "idProduct"), pair("manufacturer", "product")].compactMap(\.self))
    serial = entry?.serial ?? attribute("serial").flatMap(Self.linkText)
  }

  static func index(in folder: String) -> Int? { text("\(folder)/index").flatMap { Int($0) } }

  /// Whether udev would give both the same name in `/dev/v4l/by-id`.
  ///
  /// So it is with two cameras of one kind that have no serial number, or that have the same one,
  /// and with two cameras in one USB device, such as one for depth and one for colour.
  func sharesID(with other: VideoFacts) -> Bool {
    index == other.index && serial == other.serial && !products.isDisjoint(with: other.products)
  }

  /// Whether udev would give both the same name in `/dev/v4l/by-path`, as with two nodes that a
  /// driver without a bus makes for one device.
  func sharesPath(with other: VideoFacts) -> Bool {
    parent != nil && parent == other.parent && index == other.index
  }

  /// The nearest folder above with the attributes of a USB device.
  private static func usbDevice(above parent: String) -> String? {
    var folder = parent[...]
    while !folder.isEmpty {
      if FileStatus.exists("\(folder)/idVendor") { return String(folder) }
      folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    }
    return nil
  }

  private static func text(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let text = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first
    return text.map(String.init)
  }

  /// A text as udev writes it into the names of links: whitespace is one `_`, and so is each other
  /// character that it does not allow (udev's `udev_replace_whitespace` and `udev_replace_chars`).
  private static func linkText(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: "_")
    guard !words.isEmpty else { return nil }
    return String(
      words.map { character in
        let isAllowed =
          !character.isASCII || character.isLetter || character.isNumber
          || "#+-.:=@_".contains(character)
        return isAllowed ? character : "_"
      })
  }
}

/// What udev keeps about a device that it has made the links of (`/run/udev/data`).
struct UdevEntry {
  /// The links that the device asked for, such as "v4l/by-id/usb-…". If several devices ask for
  /// one, the last one gets it.
  let links: Set<String>
  let serial: String?
  /// When it was written, in nanoseconds since 1970.
  let modifiedAt: Int64

  init?(at path: String) {
    guard let status = try? FileStatus(at: path),
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    modifiedAt = status.modifiedAt
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    links = Set(lines.filter { $0.hasPrefix("S:") }.map { String($0.dropFirst(2)) })
    let key = "E:ID_SERIAL_SHORT="
    serial = lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
  }
}
