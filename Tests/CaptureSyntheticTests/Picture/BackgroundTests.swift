import Imaging
import Testing

@testable import CaptureSynthetic

/// The still part of the picture, in RGB at 320×192.
struct BackgroundTests {
  private static let size = ImageSize(width: 320, height: 192)

  private func paint(_ change: (inout PictureSettings) -> Void = { _ in }) throws -> Canvas {
    var settings = PictureSettings()
    change(&settings)
    var canvas = try Canvas(Self.size, .rgb24)
    canvas.paint { raster, memory in Background(settings, raster: raster).paint(into: &memory) }
    return canvas
  }

  @Test func `The bars are the eight 75 % colours from white to black, and reversed below`() throws
  {
    let canvas = try paint()
    let names: [RGB] = [
      RGB(grey: 191), RGB(red: 191, green: 191, blue: 0), RGB(red: 0, green: 191, blue: 191),
      RGB(red: 0, green: 191, blue: 0), RGB(red: 191, green: 0, blue: 191),
      RGB(red: 191, green: 0, blue: 0), RGB(red: 0, green: 0, blue: 191), .black,
    ]
    for (bar, color) in names.enumerated() {
      for x in [bar * 40, bar * 40 + 39] {
        #expect(canvas.rgb(x, 0) == color)
        #expect(canvas.rgb(x, 143) == color)
        #expect(canvas.rgb(319 - x, 144) == color)
        #expect(canvas.rgb(319 - x, 191) == color)
      }
    }
  }

  @Test func `The other patterns match their names`() throws {
    let ramp = try paint { $0.pattern = .greyRamp }
    #expect((0..<160).allSatisfy { ramp.rgb($0 * 2, 90).red <= ramp.rgb($0 * 2 + 1, 90).red })
    #expect(ramp.rgb(0, 90) == .black && ramp.rgb(319, 90).red >= 254)
    #expect(try paint { $0.pattern = .black }.bytes.allSatisfy { $0 == 0 })
    #expect(try paint { $0.pattern = .white }.bytes.allSatisfy { $0 == 255 })
    let checkers = try paint { $0.pattern = .checkers }
    #expect(checkers.rgb(0, 0) == .white && checkers.rgb(20, 0) == .black)
    #expect(checkers.rgb(0, 30) == .black && checkers.rgb(20, 30) == .white)
  }

  @Test func `Zoom enlarges around the centre`() throws {
    let (plain, zoomed) = (try paint(), try paint { $0.zoom = 2 })
    for x in stride(from: 0, to: 320, by: 2) {
      #expect(zoomed.rgb(x, 96) == plain.rgb(80 + x / 2, 96))
    }
    for y in stride(from: 0, to: 192, by: 2) {
      #expect(zoomed.rgb(10, y) == plain.rgb(85, 48 + y / 2))
    }
  }

  @Test func `Flips mirror the picture`() throws {
    let plain = try paint()
    let (mirrored, turned) = (
      try paint { $0.flipsHorizontally = true }, try paint { $0.flipsVertically = true }
    )
    for x in 0..<320 {
      #expect(mirrored.rgb(x, 50) == plain.rgb(319 - x, 50))
      #expect(turned.rgb(x, 10) == plain.rgb(x, 181))
    }
  }

  @Test func `Blur mixes the neighbours of an edge and leaves other pixels`() throws {
    let blurred = try paint { $0.blur = 0.05 }
    // Green changes from yellow to magenta only at bar 4; red from white/yellow to cyan at bar 2.
    #expect(blurred.rgb(60, 60).red == 191)
    #expect((100..<190).contains(Int(blurred.rgb(76, 60).red)))
    #expect((1..<100).contains(Int(blurred.rgb(86, 60).red)))
    #expect(blurred.rgb(100, 60).red == 0)
    // The edge between the bands is at 144 of 192.
    let edge = (120..<168).map { Int(blurred.rgb(20, $0).red) }
    #expect(edge.first == 191 && edge.last == 0 && Set(edge).count > 5)
  }

  @Test func `Light, contrast and brightness apply in this order`() {
    var settings = PictureSettings()
    #expect(
      settings.expose(RGB(red: 1, green: 100, blue: 255)) == RGB(red: 1, green: 100, blue: 255)
    )
    settings.light = 2
    #expect(settings.expose(RGB(grey: 100)) == RGB(grey: 200))
    #expect(settings.expose(RGB(grey: 200)) == .white)
    settings.contrast = 0.5
    #expect(settings.expose(RGB(grey: 100)) == RGB(grey: 164))
    settings.brightness = -200
    #expect(settings.expose(RGB(grey: 100)) == .black)
    settings = PictureSettings()
    settings.darkCurrent = 30
    #expect(settings.expose(.black) == RGB(grey: 30))
  }
}

extension Canvas {
  fileprivate func rgb(_ x: Int, _ y: Int) -> RGB {
    let start = y * layout.bytesPerLine + 3 * x
    return RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }
}
