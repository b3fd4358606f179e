import CameraProtocol
import Capture
import MediaLibrary

/// What a request for photos asks for.
struct CaptureOrder {
  enum Flash { case off, on, auto }

  /// Empty for the only one.
  var camera: String
  var timing: PhotoTiming
  var photos: PhotoOrder
  /// What the depth camera's frames become that go with the pictures; nil if none are wanted.
  var depth: PhotoOrder?
  var flash: Flash
  /// The pictures of a bracket; empty for other photos.
  var bracket: [BracketShot]
  /// Whether the photo is to be of the largest size that the camera has.
  var isLargest: Bool
  /// Whether a movie is made of what is around the frame.
  var isLive: Bool
  /// Whether the files are sent only, and the library keeps none.
  var isTransient: Bool
  var labels: AssetLabels
  /// Files of at most so many bytes come with the steps of the request.
  var inlineByteCount: Int

  func isInline(_ file: PhotoFile) -> Bool { file.byteCount <= inlineByteCount }
}

/// A request for photos on its way: what is asked for, and of which cameras.
struct CaptureJob {
  let call: Call
  let camera: Camera
  /// The depth camera that goes with it.
  let depth: Camera?
  var order: CaptureOrder
  /// How long an idle camera took to start, nanoseconds: no earlier frame is taken.
  var start: Int64 = 0

  init(_ order: CaptureOrder, of camera: Camera, depth: Camera?, _ call: Call) {
    self.order = order
    self.camera = camera
    self.depth = depth
    self.call = call
  }

  var cameras: [Camera] { [camera] + [depth].compactMap(\.self) }

  /// - Parameter what: What changes the camera, as the error names it.
  /// - Throws: `frameUnavailable` for a moment, of which a camera that is changed has no frame.
  func requireNoMoment(because what: String, else remedy: String) throws(WireError) {
    guard !order.timing.isOfNoMoment else { return }
    throw WireError(
      .frameUnavailable, "\(what), so it has no frame of a certain moment: ask for \(remedy)",
      field: RequestField.Capture.when)
  }
}
