import CVideo4Linux

/// The encoding of an array control's elements: numbers of one width, in the machine's byte order.
struct ArrayCoding: Hashable {
  /// The size of an element in bytes: 1, 2, 4 or 8.
  let elementSize: Int
  let isSigned: Bool

  /// Returns nil for types whose elements are not numbers.
  init?(type: v4l2_ctrl_type, elementSize: Int) {
    switch type {
    case V4L2_CTRL_TYPE_U8, V4L2_CTRL_TYPE_U16, V4L2_CTRL_TYPE_U32, V4L2_CTRL_TYPE_BITMASK:
      isSigned = false
    case V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_INTEGER64, V4L2_CTRL_TYPE_BOOLEAN:
      isSigned = true
    default: return nil
    }
    guard [1, 2, 4, 8].contains(elementSize) else { return nil }
    self.elementSize = elementSize
  }

  func encode(_ elements: [Int64]) -> [UInt8] {
    elements.flatMap { element in
      (0..<elementSize).map { UInt8(truncatingIfNeeded: element >> (8 * $0)) }
    }
  }

  func decode(_ bytes: ArraySlice<UInt8>) -> [Int64] {
    stride(from: bytes.startIndex, to: bytes.endIndex - elementSize + 1, by: elementSize).map {
      let bits = bytes[$0..<$0 + elementSize].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let unused = Int64.bitWidth - 8 * elementSize
      return isSigned ? (bits << unused) >> unused : bits
    }
  }
}
