extension [String] {
  /// The options of a node with one camera that listens on free ports.
  static let oneCamera = [
    "--camera", "cam=synthetic:320x240@10", "--control", "tcp://127.0.0.1:*", "--events",
    "tcp://127.0.0.1:*", "--frames", "tcp://127.0.0.1:*", "--pressure", "off",
  ]
}
