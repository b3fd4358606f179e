import Capture
import Imaging
import Testing

@testable import CaptureV4L2

@Suite struct OfferTests {
  private let range = SizeOffer.stepwise(
    minimum: ImageSize(width: 160, height: 120),
    maximum: ImageSize(width: 1280, height: 720),
    step: ImageSize(width: 16, height: 8)
  )

  @Test("A driver's list of sizes is used unchanged")
  func discrete() {
    let sizes = [ImageSize(width: 640, height: 480), ImageSize(width: 320, height: 240)]
    #expect(SizeOffer.discrete(sizes).sizes(including: ImageSize(width: 1, height: 1)) == sizes)
  }

  @Test("A range of sizes offers its ends and the common sizes on its steps")
  func stepwise() {
    #expect(
      range.sizes(including: nil) == [
        ImageSize(width: 160, height: 120), ImageSize(width: 320, height: 240),
        ImageSize(width: 640, height: 360), ImageSize(width: 640, height: 480),
        ImageSize(width: 800, height: 600), ImageSize(width: 1280, height: 720),
      ]
    )
  }

  @Test(
    "A range offers a requested size only inside it and on a step",
    arguments: [
      (ImageSize(width: 176, height: 128), true), (ImageSize(width: 177, height: 128), false),
      (ImageSize(width: 176, height: 121), false), (ImageSize(width: 1296, height: 720), false),
      (ImageSize(width: 144, height: 120), false),
    ]
  )
  func wanted(size: ImageSize, isOffered: Bool) {
    #expect(range.sizes(including: size).contains(size) == isOffered)
  }

  @Test("Rates are listed fastest first, each once")
  func rates() {
    let rates = [FrameRate(15), FrameRate(30), FrameRate(60, over: 2)].compactMap(\.self)
    #expect(RateOffer.discrete(rates).rates(including: nil).map(\.framesPerSecond) == [30, 15])
  }

  @Test("A range of rates offers its ends, the common ones in it and the requested one")
  func rateRange() throws {
    let range = RateOffer.range(
      slowest: try #require(FrameRate(5)),
      fastest: try #require(FrameRate(40))
    )
    #expect(range.rates(including: nil).map(\.framesPerSecond) == [40, 30, 25, 20, 15, 10, 5])
    #expect(range.rates(including: 12.5).map(\.framesPerSecond).contains(12.5))
    #expect(!range.rates(including: 41).map(\.framesPerSecond).contains(41))
  }

  @Test(
    "A rate is written with as many decimals as it needs",
    arguments: [
      (UInt32(30), UInt32(1), "30"), (25, 2, "12.5"), (30000, 1001, "29.97"), (1, 10, "0.1"),
      (1001, 100, "10.01"),
    ]
  )
  func summary(numerator: UInt32, denominator: UInt32, text: String) throws {
    #expect(try #require(FrameRate(numerator, over: denominator)).summary == text)
  }

  @Test("The rates 30 and 29.97 match each other, and 25 is different")
  func matching() throws {
    let television = try #require(FrameRate(30000, over: 1001))
    #expect(television.matches(30))
    #expect(television.matches(29.97))
    #expect(!television.matches(25))
  }

  @Test("An invalid rate has no fraction", arguments: [0, -1, .infinity, .nan, 1e12])
  func noRate(number: Double) {
    #expect(FrameRate(nearest: number) == nil)
  }
}
