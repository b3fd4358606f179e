/// A picture as separate planes of luma and chroma, in memory that somebody else keeps alive.
@unsafe struct Planes {
  /// How many luma samples share a chroma sample.
  struct Subsampling: Hashable {
    var horizontal: Int
    var vertical: Int
    var isGrey = false

    static let grey = Subsampling(horizontal: 1, vertical: 1, isGrey: true)
    static let yuv422 = Subsampling(horizontal: 2, vertical: 1)
    static let yuv420 = Subsampling(horizontal: 2, vertical: 2)

    func chromaSize(_ size: ImageSize) -> ImageSize {
      ImageSize(
        width: (size.width + horizontal - 1) / horizontal,
        height: (size.height + vertical - 1) / vertical
      )
    }
  }

  @safe struct Plane {
    var start: UnsafePointer<UInt8>
    var stride: Int
  }

  var size: ImageSize
  var subsampling: Subsampling
  /// Luma, then Cb and Cr unless grey.
  var luma: Plane
  var blue: Plane?
  var red: Plane?

  /// Planes without padding in `scratch`, to be written through the pointers given to `fill`.
  static func make(
    _ size: ImageSize,
    _ subsampling: Subsampling,
    in scratch: Scratch,
    fill: (
      _ luma: UnsafeMutablePointer<UInt8>, _ blue: UnsafeMutablePointer<UInt8>,
      _ red: UnsafeMutablePointer<UInt8>
    ) -> Void
  ) -> Planes {
    let chroma = subsampling.isGrey ? ImageSize(width: 0, height: 0) : subsampling.chromaSize(size)
    let lumaCount = size.width * size.height
    let chromaCount = chroma.width * chroma.height
    let luma = unsafe scratch.bytes(lumaCount + 2 * chromaCount)
    let blue = unsafe luma + lumaCount
    let red = unsafe blue + chromaCount
    unsafe fill(luma, blue, red)
    return unsafe Planes(
      size: size,
      subsampling: subsampling,
      luma: Plane(start: luma, stride: size.width),
      blue: subsampling.isGrey ? nil : Plane(start: blue, stride: chroma.width),
      red: subsampling.isGrey ? nil : Plane(start: red, stride: chroma.width)
    )
  }
}
