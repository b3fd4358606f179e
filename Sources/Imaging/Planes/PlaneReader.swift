/// Brings a raw picture into planes for the JPEG encoder: as they lie where that is possible, else by one pass
/// that splits, scales and expands at once.
final class PlaneReader {
  private let split = Scratch()
  private let scaled = Scratch()
  private var sums: [UInt32] = []

  /// - Parameters:
  ///   - source: at least `layout.byteCount` bytes.
  ///   - target: the size wanted, no larger than the layout's.
  /// - Throws: `unsupportedFormat`.
  func planes(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    target: ImageSize
  ) throws(ImagingError) -> Planes {
    let expands = layout.range == .limited
    let isScaled = target != layout.size
    if let order = Deinterleaving.Order422(layout.pixelFormat) {
      let planes = unsafe packed422(source, layout, order, expands: expands && !isScaled)
      return unsafe isScaled ? scale(planes, to: target, expands: expands) : planes
    }
    switch layout.pixelFormat {
    case .nv12, .nv21, .nv16:
      let planes = unsafe semiPlanar(source, layout, expands: expands && !isScaled)
      return unsafe isScaled ? scale(planes, to: target, expands: expands) : planes
    case .yu12, .yv12, .yuv422p, .grey:
      let planes = unsafe direct(source, layout)
      if isScaled || expands { return unsafe scale(planes, to: target, expands: expands) }
      return unsafe planes
    default:
      throw ImagingError(
        .unsupportedFormat,
        "\(layout.pixelFormat) pictures cannot be split into planes"
      )
    }
  }

  /// Scales planes down; to their own size it only expands their range.
  func scale(_ planes: Planes, to target: ImageSize, expands: Bool) -> Planes {
    let subsampling = unsafe planes.subsampling
    if sums.count < target.width { sums = Array(repeating: 0, count: target.width) }
    return unsafe Planes.make(target, subsampling, in: scaled) { luma, blue, red in
      unsafe scale(planes.luma, planes.size, to: luma, target, expands ? .luma : nil)
      guard let sourceBlue = unsafe planes.blue, let sourceRed = unsafe planes.red else { return }
      let (from, to) = unsafe (
        subsampling.chromaSize(planes.size), subsampling.chromaSize(target)
      )
      unsafe scale(sourceBlue, from, to: blue, to, expands ? .chroma : nil)
      unsafe scale(sourceRed, from, to: red, to, expands ? .chroma : nil)
    }
  }

  private func scale(
    _ plane: Planes.Plane,
    _ from: ImageSize,
    to target: UnsafeMutablePointer<UInt8>,
    _ size: ImageSize,
    _ kind: PlaneKind?
  ) {
    guard from != size else {
      for y in 0..<size.height {
        unsafe Deinterleaving.planeRow(
          plane.start + y * plane.stride,
          width: size.width,
          expandsAs: kind,
          into: target + y * size.width
        )
      }
      return
    }
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      unsafe PlaneScaling.scale(plane, from, to: target, size, expandsAs: kind, sums: sums)
    }
  }

  private func packed422(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    _ order: Deinterleaving.Order422,
    expands: Bool
  ) -> Planes {
    let (width, height) = (layout.size.width, layout.size.height)
    let chromaWidth = (width + 1) / 2
    return unsafe Planes.make(layout.size, .yuv422, in: split) { luma, blue, red in
      for y in 0..<height {
        unsafe Deinterleaving.row422(
          source + y * layout.bytesPerLine,
          width: width,
          order: order,
          expands: expands,
          luma: luma + y * width,
          blue: blue + y * chromaWidth,
          red: red + y * chromaWidth
        )
      }
    }
  }

  private func semiPlanar(
    _ source: UnsafePointer<UInt8>,
    _ layout: ImageLayout,
    expands: Bool
  ) -> Planes {
    let subsampling: Planes.Subsampling = layout.pixelFormat == .nv16 ? .yuv422 : .yuv420
    let chroma = subsampling.chromaSize(layout.size)
    let chromaStart = unsafe source + layout.bytesPerLine * layout.size.height
    return unsafe Planes.make(layout.size, subsampling, in: split) { luma, blue, red in
      for y in 0..<layout.size.height {
        unsafe Deinterleaving.planeRow(
          source + y * layout.bytesPerLine,
          width: layout.size.width,
          expandsAs: expands ? .luma : nil,
          into: luma + y * layout.size.width
        )
      }
      let isBlueFirst = layout.pixelFormat != .nv21
      for y in 0..<chroma.height {
        unsafe Deinterleaving.chromaRow(
          chromaStart + y * layout.bytesPerLine,
          width: chroma.width,
          expands: expands,
          first: (isBlueFirst ? blue : red) + y * chroma.width,
          second: (isBlueFirst ? red : blue) + y * chroma.width
        )
      }
    }
  }

  /// Planar formats are planes already.
  private func direct(_ source: UnsafePointer<UInt8>, _ layout: ImageLayout) -> Planes {
    let luma = unsafe Planes.Plane(start: source, stride: layout.bytesPerLine)
    guard layout.pixelFormat != .grey else {
      return unsafe Planes(size: layout.size, subsampling: .grey, luma: luma)
    }
    let subsampling: Planes.Subsampling = layout.pixelFormat == .yuv422p ? .yuv422 : .yuv420
    let chromaStride = layout.bytesPerLine / 2
    let chromaRows = subsampling.chromaSize(layout.size).height
    let first = unsafe Planes.Plane(
      start: source + layout.bytesPerLine * layout.size.height,
      stride: chromaStride
    )
    let second = unsafe Planes.Plane(
      start: first.start + chromaStride * chromaRows,
      stride: chromaStride
    )
    let isBlueFirst = layout.pixelFormat != .yv12
    return unsafe Planes(
      size: layout.size,
      subsampling: subsampling,
      luma: luma,
      blue: isBlueFirst ? first : second,
      red: isBlueFirst ? second : first
    )
  }
}
