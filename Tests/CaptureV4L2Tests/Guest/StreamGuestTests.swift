import Capture
import EventLoop
import Imaging
import OperatingSystem
import Testing

@testable import CaptureV4L2

extension GuestTests {
  @Suite struct Streams {
    private static let small = FormatRequest("YUYV", 320, 180, 10)
    private let panel: ControlPanel

    init() throws {
      panel = try ControlPanel(camera)
    }

    @Test("Frames have increasing numbers, and times in the order of their stages")
    func stages() async throws {
      let running = try RunningCamera(camera, Self.small)
      var last: UInt64 = 0
      for _ in 0..<5 {
        let frame = try await running.nextFrame().metadata
        #expect(frame.sequence > last)
        #expect(frame.dequeued <= frame.copied && frame.copied <= .now)
        #expect(frame.wallClock.offset > 1_000_000_000_000_000_000)
        last = frame.sequence
      }
    }

    @Test("Waiting buffers are drained to the newest, and older ones are counted")
    func drain() async throws {
      let running = try RunningCamera(camera, Self.small, isAttached: false)
      try await frames(3)
      running.attach()
      var skipped = 0
      var missing = 0
      let frame = try await running.next { (happening) -> Frame? in
        switch happening {
        case .lost(let count, .skipped): skipped += count
        case .lost(let count, .camera): missing += count
        case .frame(let frame): return frame
        default: break
        }
        return nil
      }
      #expect(skipped >= 2)
      #expect(frame.metadata.sequence == UInt64(skipped + missing + 1))
    }

    @Test("Frames lost by the camera are counted and leave a gap in the numbering")
    func lost() async throws {
      let running = try RunningCamera(camera, Self.small)
      var last = try await running.nextFrame().metadata.sequence
      defer { try? panel.set("percentage_of_dropped_buffers", .integer(0)) }
      try panel.set("percentage_of_dropped_buffers", .integer(60))
      var (lost, gap): (UInt64, UInt64) = (0, 0)
      while lost < 3 {
        let frame = try await running.next { (happening) -> Frame? in
          switch happening {
          case .lost(let count, .camera):
            lost += UInt64(count)
            gap += UInt64(count)
          case .lost(let count, _): gap += UInt64(count)
          case .frame(let frame): return frame
          default: break
          }
          return nil
        }
        #expect(frame.metadata.sequence == last + gap + 1)
        (last, gap) = (frame.metadata.sequence, 0)
      }
    }

    @Test("A buffer that the driver flags as bad is counted and queued again")
    func corrupted() async throws {
      let running = try RunningCamera(camera, Self.small)
      _ = try await running.nextFrame()
      // Repeat this more often than there are buffers. A buffer that was not queued again would end
      // the stream.
      for _ in 0..<6 {
        try panel.press("inject_v4l2_buf_flag_error")
        #expect(try await running.nextLoss(.corrupted) == 1)
        _ = try await running.nextFrame()
      }
    }

    @Test("A timestamp marks the start of exposure or the end of the frame, as the driver says")
    func marks() async throws {
      defer { try? panel.set("timestamp_source", .integer(0)) }
      for (source, mark) in [(0, TimestampMark.frameEnd), (1, .exposureStart)] {
        try panel.set("timestamp_source", .integer(Int64(source)))
        let running = try RunningCamera(camera, Self.small)
        #expect(try await running.nextFrame().metadata.marks == mark)
      }
    }

    @Test("With a wrong driver clock a frame gets the time of dequeueing")
    func wrongClock() async throws {
      defer { try? panel.set("wrap_timestamp", .integer(0)) }
      try panel.set("wrap_timestamp", .integer(1))
      let running = try RunningCamera(camera, Self.small)
      let frame = try await running.nextFrame().metadata
      #expect(frame.marks == .dequeue)
      #expect(frame.timestamp == frame.dequeued)
    }

    @Test("The numbering continues when the driver's numbers wrap")
    func wrappedNumbers() async throws {
      defer { try? panel.set("wrap_sequence_number", .boolean(false)) }
      try panel.set("wrap_sequence_number", .boolean(true))
      let running = try RunningCamera(camera, FormatRequest("GREY", 320, 180, 60))
      var last = try await running.nextFrame().metadata.sequence
      // vivid starts 128 frames before the end of its numbers.
      while last < 140 {
        let sequence = try await running.nextFrame().metadata.sequence
        #expect(sequence > last && sequence < last + 100)
        last = sequence
      }
    }

    @Test("The format can change between two streams while the device is open")
    func reconfigured() async throws {
      let running = try RunningCamera(camera, Self.small)
      _ = try await running.nextFrame()
      running.stop()
      let format = try running.device.configure(FormatRequest("NV12", 640, 360))
      #expect(format.layout.size.width == 640)
    }

    /// Waits until the first camera has made `count` frames, which one of vivid's controls counts.
    private func frames(_ count: Int) async throws {
      let loop = EventLoop(name: "counter")
      defer { loop.stop() }
      let node = try DeviceNode(path: camera)
      let events = EventQueue(of: node, controls: ControlCatalog(of: node))
      for _ in 0..<count {
        var isCounted = false
        while !isCounted {
          try await loop.ready(node.descriptor, for: .priority)
          while let event = events.next() {
            if event == .controlChanged(ControlID(rawValue: "read_only_integer_32_bits")) {
              isCounted = true
            }
          }
        }
      }
    }
  }
}
