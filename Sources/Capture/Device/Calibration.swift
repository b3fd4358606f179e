package import Imaging

/// The geometry of a camera: the result of its calibration.
package struct Calibration: Hashable, Sendable {
  /// Changes with every byte of the calibration.
  package var id: String
  /// The size of the pictures it was made with.
  package var size: ImageSize
  /// Row by row, 3 × 3, in pixels.
  package var cameraMatrix: [Double]
  package var distortionModel: String
  package var distortion: [Double]
  /// Row by row, 3 × 3; empty if there is none.
  package var rectification: [Double]
  /// Row by row, 3 × 4; empty if there is none.
  package var projection: [Double]

  package init(
    id: String, size: ImageSize, cameraMatrix: [Double], distortionModel: String,
    distortion: [Double], rectification: [Double] = [], projection: [Double] = []
  ) {
    self.id = id
    self.size = size
    self.cameraMatrix = cameraMatrix
    self.distortionModel = distortionModel
    self.distortion = distortion
    self.rectification = rectification
    self.projection = projection
  }
}
