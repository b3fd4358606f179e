extension ControlMeanings {
  /// Whether the facts of frames depend on this control.
  package static func decideFacts(_ control: StandardControl) -> Bool {
    meaningsOfFacts.contains { meaning in
      guard case .number(let sources, _, _) = meaning.form else { return false }
      return sources.contains(control) || meaning.needs.joined().contains { $0.control == control }
    }
  }

  private static let meaningsOfFacts = FrameFacts.Fact.allCases.compactMap { fact in
    ControlMeaning.all.first { $0.id == fact.control }
  }

  /// How frames are taken with these values of the driver's controls. What an automatic of the
  /// device decides is not known.
  package func facts(_ value: (ControlID) -> ControlValue?) -> FrameFacts {
    var facts = FrameFacts()
    for (fact, meaning) in zip(FrameFacts.Fact.allCases, Self.meaningsOfFacts) {
      facts[fact] = number(of: meaning, value)
    }
    return facts
  }

  /// The facts that a change of these controls decides anew, with the values that they get.
  /// - Parameter saysFacts: Whether the device says them. The node always says its own zoom.
  func wanted(
    after changed: [ControlID], saysFacts: Bool, _ value: (ControlID) -> ControlValue?
  ) -> [EffectSearch.WantedFact] {
    zip(FrameFacts.Fact.allCases, Self.meaningsOfFacts).compactMap { fact, meaning in
      guard let control = controls.first(where: { $0.id == meaning.id }),
        isShown(control, saysFacts), decisive(for: control).contains(where: changed.contains)
      else { return nil }
      let step = control.scale?.step ?? 0
      return EffectSearch.WantedFact(
        fact: fact, value: number(of: meaning, value), tolerance: step > 0 ? step / 2 : 1e-6)
    }
  }

  /// Whether a picture must show the change of these controls, because no fact does.
  /// - Parameter evenIfUnlikely: Also of controls that are not known to shape the picture.
  func needPicture(_ changed: [ControlID], saysFacts: Bool, evenIfUnlikely: Bool) -> Bool {
    let facts = Set(FrameFacts.Fact.allCases.map(\.control))
    let shown = Set(
      controls.filter { facts.contains($0.id) && isShown($0, saysFacts) }.flatMap(decisive))
    let seen = device.values.filter { $0.standard?.isSeen == true }.map(\.id)
    return changed.contains { id in
      !shown.contains(id) && (evenIfUnlikely || seen.contains(id))
    }
  }

  private func isShown(_ control: ControlDescription, _ saysFacts: Bool) -> Bool {
    saysFacts || control.sources == [.crop]
  }

  /// The controls that decide a fact.
  private func decisive(for control: ControlDescription) -> [ControlID] {
    control.sources == [.crop] ? [control.id] : control.sources
  }

  private func number(of meaning: ControlMeaning, _ value: (ControlID) -> ControlValue?) -> Double?
  {
    if meaning.isMadeByNode(on: device) {
      guard case .number(let number)? = value(meaning.id) else { return nil }
      return number
    }
    guard case .number(let candidates, let scale, _) = meaning.form,
      let source = device.first(of: candidates),
      source.flags.isDisjoint(with: [.writeOnly, .inactive]),
      meaning.needs.allSatisfy({ isMet($0, value) }),
      let number = scale.value(of: value(source.id), in: source)
    else { return nil }
    // A driver that says 0 for a duration does not know it.
    return meaning.id == FrameFacts.Fact.exposure.control && number <= 0 ? nil : number
  }

  /// Whether one of these steps is done, or the device can do none of them.
  private func isMet(
    _ alternatives: [ControlMeaning.Step], _ value: (ControlID) -> ControlValue?
  ) -> Bool {
    let known = alternatives.filter { device[$0.control] != nil }
    return known.isEmpty || known.contains { $0.isDone(on: device, value) }
  }
}
