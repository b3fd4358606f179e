import Capture
import Imaging
import Testing

@testable import CaptureV4L2

/// Cameras whose pictures are others than their drivers say.
struct PictureHabitsTests {
  private let large = ImageSize(width: 640, height: 480)
  private let small = ImageSize(width: 320, height: 240)
  private let habits = PictureHabits()

  private func offer(_ format: PixelFormat, _ size: ImageSize) -> CameraFormat {
    CameraFormat(pixelFormat: format, size: size, frameRates: [], summary: "")
  }

  private func driver(_ size: ImageSize) -> DriverFormat {
    DriverFormat(size: size, pixelFormat: .mjpeg)
  }

  @Test func `Eight pictures in a row that differ in the same way are a habit`() {
    var search = HabitSearch()
    func count(_ habit: PictureHabits.Habit?, _ times: Int) -> Int {
      (0..<times).count { _ in search.next(habit) }
    }
    #expect(count(.size(small), 7) == 0)
    #expect(count(nil, 20) == 0)
    #expect(count(.size(small), 7) == 0)
    #expect(count(.fields, 7) == 0)
    #expect(count(.size(small), 8) == 1)
  }

  @Test func `Offers have the sizes of the pictures, and the driver is told its own`() {
    habits.learn(.size(small), of: driver(large))
    let listed = [offer(.mjpeg, large), offer(.mjpeg, small), offer(.yuyv, large)]
    let offers = habits.offers(listed)
    #expect(offers == [offer(.yuyv, large), offer(.mjpeg, small)])
    #expect(habits.driverSize(for: small, .mjpeg) == large)
    #expect(habits.driverSize(for: large, .yuyv) == large)
    let wanted = FormatRequest(pixelFormat: .mjpeg, size: large)
    #expect(habits.refusal(of: wanted)?.message.hasSuffix("request 320x240") == true)
    #expect(habits.refusal(of: FormatRequest(pixelFormat: .yuyv, size: large)) == nil)
    #expect(habits.refusal(of: FormatRequest(size: small)) == nil)
  }

  @Test func `A camera that sends its driver's size again is as listed`() {
    habits.learn(.size(small), of: driver(large))
    habits.learn(.size(large), of: driver(large))
    #expect(habits.offers([offer(.mjpeg, large)]) == [offer(.mjpeg, large)])
    #expect(habits.habit(of: .mjpeg, large) == nil)
  }

  @Test func `Woven fields are a raw picture of the whole size`() throws {
    let conversion = try StreamConversion(of: driver(large), rate: nil, habit: .fields)
    #expect(conversion.stream.layout.size == large)
    #expect(conversion.stream.layout.pixelFormat == .rgb24)
    #expect(conversion.stream.devicePixelFormat == .mjpeg)
    let other = try StreamConversion(of: driver(small), rate: nil, habit: .size(large))
    #expect(other.stream.layout == .compressed(.mjpeg, size: large))
    #expect(other.stream.maximumByteCount >= large.pixelCount)
  }
}
