import Words

extension ControlDescription {
  /// The value that a person means: a menu's item by its name or its index, a number also with its
  /// unit, a truth also as on or off, elements and points with commas.
  /// - Throws: `invalidControlValue`, naming the values that it takes.
  func value(of text: String) throws(CaptureError) -> ControlValue {
    let value: ControlValue? =
      switch kind {
      case .integer, .integer64, .bitmask: ValueText.wholeNumber(text).map(ControlValue.integer)
      case .number: ValueText.number(text, unit: scale?.unit ?? "").map(ControlValue.number)
      case .point:
        ValueText.point(text).map { .point(PointOfInterest(x: $0.x, y: $0.y)) }
      case .boolean: ValueText.boolean(text).map(ControlValue.boolean)
      case .menu, .integerMenu: item(text).map { .integer($0.index) }
      case .array: ValueText.elements(text).map(ControlValue.array)
      case .string, .compound: nil
      case .button: .press
      }
    return try checked(value ?? .string(text))
  }

  private func item(_ text: String) -> MenuItem? {
    // The items of an integer menu have numbers as names, so names are tried before indices.
    menu.first { $0.name.lowercased() == text.lowercased() }
      ?? menu.first { String($0.index) == text }
  }
}
