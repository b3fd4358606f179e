/// Samples in rows, in memory that somebody else keeps alive.
@unsafe struct Plane {
  var size: ImageSize
  var start: UnsafePointer<UInt8>
  /// Bytes from one row to the next.
  var stride: Int

  func row(_ y: Int) -> UnsafePointer<UInt8> { unsafe start + y * stride }
}

/// A picture as separate planes of luma and chroma.
@unsafe struct Planes {
  var size: ImageSize
  var subsampling: ChromaSubsampling
  var luma: Plane
  /// Nil exactly where the picture is grey.
  var chroma: (blue: Plane, red: Plane)?

  /// Whether libturbojpeg would read samples beyond the picture's edges: it takes luma in whole chroma samples.
  var needsPadding: Bool { unsafe subsampling.paddedSize(size) != size }
}

/// A plane to be written.
@unsafe struct MutablePlane {
  var size: ImageSize
  var start: UnsafeMutablePointer<UInt8>
  var stride: Int

  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe start + y * stride }
  var readable: Plane { unsafe Plane(size: size, start: start, stride: stride) }
}

/// Planes to be written.
@unsafe struct MutablePlanes {
  var size: ImageSize
  var subsampling: ChromaSubsampling
  /// Has room for whole chroma samples, beyond the picture's edges.
  var luma: MutablePlane
  var chroma: (blue: MutablePlane, red: MutablePlane)?

  var readable: Planes {
    unsafe Planes(
      size: size,
      subsampling: subsampling,
      luma: luma.readable,
      chroma: chroma.map { unsafe (blue: $0.blue.readable, red: $0.red.readable) }
    )
  }

  /// Repeats the last column and row of luma into the room beyond the edges, so that they do not bleed into the picture.
  func pad() {
    let padded = unsafe subsampling.paddedSize(size)
    let lastColumn = unsafe size.width - 1
    for y in unsafe 0..<size.height {
      let row = unsafe luma.row(y)
      for x in unsafe size.width..<padded.width { unsafe row[x] = row[lastColumn] }
    }
    for y in unsafe size.height..<padded.height {
      unsafe luma.row(y).update(from: luma.row(size.height - 1), count: padded.width)
    }
  }
}
