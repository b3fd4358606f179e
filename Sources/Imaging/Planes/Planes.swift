/// Rows of samples in borrowed memory.
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
  /// Nil if and only if the picture is grey.
  var chroma: (blue: Plane, red: Plane)?

  /// A strip of the picture. Its first row begins a whole chroma sample.
  func rows(_ rows: Range<Int>) -> Planes {
    let part = unsafe ImageSize(width: size.width, height: rows.count)
    func cut(_ plane: Plane, _ size: ImageSize, from y: Int) -> Plane {
      unsafe Plane(size: size, start: plane.row(y), stride: plane.stride)
    }
    let (chromaSize, down) = unsafe (subsampling.chromaSize(part), subsampling.vertical)
    return unsafe Planes(
      size: part,
      subsampling: subsampling,
      luma: cut(luma, part, from: rows.lowerBound),
      chroma: chroma.map {
        unsafe (
          blue: cut($0.blue, chromaSize, from: rows.lowerBound / down),
          red: cut($0.red, chromaSize, from: rows.lowerBound / down)
        )
      }
    )
  }
}

/// A writable plane.
@unsafe struct MutablePlane {
  var size: ImageSize
  var start: UnsafeMutablePointer<UInt8>
  var stride: Int

  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe start + y * stride }
  var readable: Plane { unsafe Plane(size: size, start: start, stride: stride) }

  /// Fills the area beyond `written` by repeating its last column and row.
  func pad(beyond written: ImageSize) {
    for y in 0..<written.height {
      let row = unsafe row(y)
      for x in unsafe written.width..<size.width { unsafe row[x] = row[written.width - 1] }
    }
    for y in unsafe written.height..<size.height {
      unsafe row(y).update(from: row(written.height - 1), count: size.width)
    }
  }
}

/// Writable planes.
@unsafe struct MutablePlanes {
  var size: ImageSize
  var subsampling: ChromaSubsampling
  /// Has room for whole chroma samples beyond the picture's edges, because libturbojpeg writes
  /// there.
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
}
