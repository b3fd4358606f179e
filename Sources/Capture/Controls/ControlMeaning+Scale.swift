extension ControlMeaning.Scale {
  /// The values in the unit that a driver's control has; nil if its range has no meaning on this
  /// scale.
  func values(of control: ControlDescription, unit: String) -> ControlDescription.Scale? {
    let numbers = control.numbers
    guard let lowest = numbers.first, let highest = numbers.last, lowest < highest,
      self != .multiple || lowest > 0
    else { return nil }
    let ends = [lowest, highest].map { value(of: $0, lowest, highest) }.sorted()
    let standard = min(max(control.defaultNumber ?? lowest, lowest), highest)
    let isEven = control.kind != .integerMenu
    return ControlDescription.Scale(
      range: ends[0]...ends[1],
      step: isEven ? distance(of: max(control.step, 1), Double(lowest), Double(highest)) : 0,
      defaultValue: value(of: standard, lowest, highest),
      unit: unit
    )
  }

  /// How far apart two values are in the unit of which the driver's differ by `step`.
  private func distance(of step: Int64, _ lowest: Double, _ highest: Double) -> Double {
    let step = min(Double(step), highest - lowest)
    return switch self {
    case .perUnit(let count): step / count
    case .share, .reversedShare: step / (highest - lowest)
    case .multiple: step / lowest
    }
  }

  /// What a driver's value is in the unit.
  func value(of raw: ControlValue?, in control: ControlDescription) -> Double? {
    let numbers = control.numbers
    guard let lowest = numbers.first, let highest = numbers.last,
      let number = raw.flatMap(control.number)
    else { return nil }
    return value(of: number, lowest, highest)
  }

  /// The driver's value that is nearest a value in the unit.
  func raw(for value: Double, in control: ControlDescription) -> ControlValue? {
    let numbers = control.numbers
    guard let lowest = numbers.first, let highest = numbers.last else { return nil }
    if control.kind == .integerMenu {
      let items = control.menu.filter { Int64($0.name) != nil }
      let distance = { (item: ControlDescription.MenuItem) -> Double in
        abs(self.value(of: Int64(item.name) ?? 0, lowest, highest) - value)
      }
      return items.min { distance($0) < distance($1) }.map { .integer($0.index) }
    }
    let number = number(for: value, lowest, highest).rounded()
    guard number > Double(lowest) else { return .integer(lowest) }
    guard number < Double(highest) else { return .integer(highest) }
    return .integer(Int64(number))
  }

  private func value(of number: Int64, _ lowest: Int64, _ highest: Int64) -> Double {
    let (number, low, high) = (Double(number), Double(lowest), Double(highest))
    return switch self {
    case .perUnit(let count): number / count
    case .share: (number - low) / (high - low)
    case .reversedShare: (high - number) / (high - low)
    case .multiple: number / low
    }
  }

  private func number(for value: Double, _ lowest: Int64, _ highest: Int64) -> Double {
    let (low, high) = (Double(lowest), Double(highest))
    return switch self {
    case .perUnit(let count): value * count
    case .share: low + value * (high - low)
    case .reversedShare: high - value * (high - low)
    case .multiple: value * low
    }
  }
}

extension ControlDescription {
  /// The lowest and the highest number, or all numbers of a menu in order; empty for other kinds.
  fileprivate var numbers: [Int64] {
    switch kind {
    case .integer, .integer64: minimum <= maximum ? [minimum, maximum] : []
    case .integerMenu: menu.compactMap { Int64($0.name) }.sorted()
    default: []
    }
  }

  fileprivate var defaultNumber: Int64? { number(.integer(defaultValue)) }

  /// The number that a value stands for: of an integer menu that of its item.
  fileprivate func number(_ value: ControlValue) -> Int64? {
    guard case .integer(let number) = value else { return nil }
    guard kind == .integerMenu else { return number }
    return menu.first { $0.index == number }.flatMap { Int64($0.name) }
  }
}
