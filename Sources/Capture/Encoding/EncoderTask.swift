/// Work for the threads of an `EncoderPool`.
protocol EncoderTask: AnyObject, Sendable {
  /// Does the work. Called once, on the worker.
  func run(_ encoder: FrameEncoder)
  /// Hands the result over. Called on the frame loop.
  func end()
}
