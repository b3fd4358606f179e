/// How large a photo is to be.
public enum PhotoSize: String, Hashable, Sendable, Codable, CaseIterable {
  /// As the frames of the camera's stream.
  case stream
  /// As the largest of all the camera's formats. The camera changes its format for that, if need
  /// be: its streams have no frames meanwhile (``ResolvedCapture/gapNanoseconds``), and no moment
  /// can be chosen. It is refused while the camera records.
  case maximum
}
