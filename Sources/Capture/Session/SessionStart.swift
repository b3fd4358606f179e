/// What a session's own device is meant to be like when it is opened for the first time. Whatever
/// of it the device refuses, it starts all the same.
package struct SessionStart: Sendable {
  /// A control and its value as a person writes it.
  package struct Control: Hashable, Sendable {
    package var id: ControlID
    package var text: String

    package init(_ id: ControlID, to text: String) { (self.id, self.text) = (id, text) }
  }

  /// Without an input and without settings.
  package var change = SessionConfiguration()
  /// In the order in which they are set.
  package var controls: [Control] = []

  package init() {}
}

/// Something that was wanted of a device when it was opened, and that it did not take.
package struct Refusal: Hashable, Sendable {
  /// The name of a control, or of a field of `configure` ("preset", "format").
  package var setting: String
  /// A sentence for people.
  package var reason: String

  package init(_ setting: String, _ reason: String) {
    (self.setting, self.reason) = (setting, reason)
  }
}
