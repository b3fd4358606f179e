import Capture
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import CaptureALSA

/// What needs no device; the guest's case `sound` has the rest.
@Suite struct ALSAMicrophoneTests {
  private func failure(_ device: String) -> SoundError? {
    let loop = EventLoop(name: "microphone test")
    defer { loop.stop() }
    return loop.performAndWait {
      do throws(SoundError) {
        _ = try ALSAMicrophone(device).open(on: loop, onSound: { _ in }, onEnd: { _ in })
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `A card that is not there is disconnected, by its name and by a path`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("no device", to: "by-id")
    for device in ["hw:CARD=NoSuchCard,DEV=0", "\(folder.path)/nothing", file] {
      let error = failure(device)
      #expect(error?.cause == .disconnected, "\(device)")
      #expect(error?.message.contains(device) == true)
    }
  }

  @Test func `A path leads to the card that its link names now`() throws {
    let folder = try TemporaryFolder()
    let link = "\(folder.path)/usb-microphone"
    // The target is there on every Linux, and is no control device of a sound card.
    #expect(unsafe symlink("/dev/null", link) == 0)
    #expect(failure(link)?.cause == .disconnected)
  }

  @Test(arguments: [
    (EBUSY, SoundError.Cause.inUse), (ENODEV, .disconnected), (ENOENT, .disconnected),
    (EACCES, .denied), (EPERM, .denied), (EIO, .failed), (Int32.max, .failed),
  ])
  func `Each error of libasound has its cause, and a remedy`(number: Int32, cause: SoundError.Cause)
  {
    let error = ALSAMicrophone("hw:CARD=A,DEV=0").error(-Int(number), "be opened")
    #expect(error.cause == cause)
    #expect(error.message.contains("hw:CARD=A,DEV=0") && error.message.contains(": "))
  }

  @Test func `The highest bits of the first channels are taken`() {
    let samples: [Int16] = [1, -2, 300, -32768, 32767, 0]
    for encoding in SampleEncoding.allCases {
      let bytes = samples.flatMap { sample -> [UInt8] in
        let high = UInt16(bitPattern: sample)
        let two = [UInt8(truncatingIfNeeded: high), UInt8(high >> 8)]
        return switch encoding {
        case .bits16: two
        case .bits24packed: [0x7F] + two
        case .bits24: [0x7F] + two + [0xFF]
        case .bits32: [0x7F, 0x7F] + two
        }
      }
      #expect(
        encoding.samples(of: bytes, count: 2, channels: 3, taking: 2) == [1, -2, -32768, 32767])
    }
  }
}
