import Testing

@testable import CameraWeb

@Suite(.timeLimit(.minutes(1)))
struct NewestSlotTests {
  @Test func `A newer element takes the place of one that waits`() async throws {
    let slot = NewestSlot<Int>()
    #expect(!slot.put(1))
    #expect(slot.put(2))
    #expect(try await slot.next() == 2)
    #expect(!slot.put(3))
    #expect(try await slot.next() == 3)
  }

  @Test func `A reader that waits gets the next element`() async throws {
    let slot = NewestSlot<Int>()
    async let next = slot.next()
    slot.put(1)
    #expect(try await next == 1)
  }

  @Test func `The end comes behind what is there, and says why`() async throws {
    let slot = NewestSlot<Int>()
    slot.put(1)
    slot.end(.noSuchPage)
    slot.put(2)
    #expect(try await slot.next() == 1)
    await #expect(throws: HTTPFailure.noSuchPage) { try await slot.next() }
  }

  @Test func `A cancelled reader does not wait`() async throws {
    let slot = NewestSlot<Int>()
    let reading = Task { try await slot.next() }
    reading.cancel()
    #expect(try await reading.value == nil)
  }
}
