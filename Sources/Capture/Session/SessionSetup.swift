/// What a session asks of its device. It changes as a whole or not at all.
struct SessionSetup {
  var request: FormatRequest
  /// The format in which the device ran last. It is set again when the device comes back.
  var lastFormat: StreamFormat?
  var configuration = ActiveConfiguration()

  /// Asks for another format than before.
  mutating func ask(for wanted: FormatRequest) {
    (request, lastFormat) = (wanted, nil)
  }
}
