/// The still part of the scene.
///
/// Every pattern has at most two kinds of lines, upper and lower ones, so that few lines need to be
/// computed for a picture of any height. Positions are shares of the picture: 0 at the left and
/// top, 1 at the right and bottom.
package enum TestPattern: Int64, CaseIterable, Sendable {
  /// The eight 75 % colour bars. In the lower quarter they run in reverse order.
  case bars
  case greyRamp
  case black
  case white
  case checkers

  package static let barColors: [RGB] = {
    let on: UInt8 = 191
    return [7, 6, 3, 2, 5, 4, 1, 0].map { bits in
      RGB(red: bits & 4 > 0 ? on : 0, green: bits & 2 > 0 ? on : 0, blue: bits & 1 > 0 ? on : 0)
    }
  }()

  var name: String {
    switch self {
    case .bars: "75% Colour Bars"
    case .greyRamp: "Grey Ramp"
    case .black: "Black"
    case .white: "White"
    case .checkers: "Checkers"
    }
  }

  /// Whether the line at `y` is a lower one.
  func isLower(_ y: Double) -> Bool {
    switch self {
    case .bars: y >= 0.75
    case .checkers: Int(y * 9).isMultiple(of: 2) == false
    case .greyRamp, .black, .white: false
    }
  }

  /// The colour at `x` on a lower or upper line.
  func color(at x: Double, lower: Bool) -> RGB {
    switch self {
    case .bars:
      let bar = min(max(Int(x * 8), 0), 7)
      return Self.barColors[lower ? 7 - bar : bar]
    case .greyRamp: return RGB(grey: UInt8(min(max(x * 256, 0), 255)))
    case .black: return .black
    case .white: return .white
    case .checkers: return Int(x * 16).isMultiple(of: 2) == lower ? .black : .white
    }
  }
}
