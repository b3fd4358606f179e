import Foundation
@testable import HEIFEncoding
import Imaging
import OperatingSystem
@testable import PhotoEncoding
import TestSupport
import Testing

struct PhotoEncoderTests {
  @Test(arguments: HEIFFormat.allCases)
  func `The process makes the same files as its encoder`(format: HEIFFormat) throws {
    let encoder = PhotoEncoder()
    for (width, subsampling) in [(320, ChromaSubsampling.yuv420), (33, .yuv422), (1, .grey)] {
      let picture = PlanarPicture.patches(ImageSize(width: width, height: 31), subsampling)
      let job = try PhotoJob(
        picture, as: format, quality: 70, exif: Array("II*\0\u{8}\0\0\0\0\0".utf8), xmp: [65, 66])
      #expect(try encoder.encode(job) == HEIFEncoder.encode(job))
    }
  }

  @Test func `One process serves some jobs, and then another one takes over`() throws {
    let encoder = PhotoEncoder { $0.maximumJobs = 3 }
    var processes: [pid_t?] = []
    for _ in 0..<7 {
      _ = try encoder.encode(.small())
      processes.append(encoder.processID)
    }
    #expect(processes.map { $0 == nil } == [false, false, true, false, false, true, false])
    #expect(processes[0] == processes[1] && processes[3] == processes[4])
    #expect(Set(processes.compactMap(\.self)).count == 3)
  }

  @Test func `A process whose memory has grown is renewed`() throws {
    let encoder = PhotoEncoder { $0.maximumMemory = 1 << 20 }
    _ = try encoder.encode(.small())
    #expect(encoder.processID == nil)
  }

  @Test func `A process that was idle for long is renewed`() throws {
    let encoder = PhotoEncoder { $0.longestPause = .zero }
    _ = try encoder.encode(.small())
    let first = try #require(encoder.processID)
    _ = try encoder.encode(.small())
    #expect(encoder.processID != first)
    #expect(!SystemProcess.isRunning(first))
  }

  @Test(.enabled(if: ProcessFacts.memoryIsTrue))
  func `Two hundred HEICs leave no memory behind`() throws {
    let encoder = PhotoEncoder()
    var (processes, largest) = (Set<pid_t>(), 0)
    for _ in 0..<200 {
      _ = try encoder.encode(.small(.heic))
      guard let process = encoder.processID else { continue }
      processes.insert(process)
      largest = max(largest, try ProcessFacts.resident(process))
    }
    #expect(processes.count == 4)
    #expect(largest < 160 << 20, "\(largest >> 20) MB")
  }

  @Test func `An encoder's refusal is an error, and its process stays`() throws {
    let encoder = PhotoEncoder(
      script: #"head -c 24 >/dev/null; printf 'CPR1\0\0\0\0\004\0\0\0\0\0\0\0oops' >&0; sleep 60"#)
    let error = #expect(throws: ImagingError.self) { try encoder.encode(.small()) }
    #expect(error == ImagingError(.codecFailed, "oops"))
    #expect(encoder.processID != nil)
  }

  // MARK: The process fails

  @Test func `A process that is killed fails its job, and the next job gets another`() async throws
  {
    let encoder = PhotoEncoder()
    async let result = encoder.result(.large())
    let process = try await encoder.busyProcess()
    kill(process, SIGKILL)
    guard case .failure(let error) = try await result else {
      Issue.record("the job should fail")
      return
    }
    #expect(error.code == .encoderLost)
    #expect(error.message.contains("was ended by SIGKILL"))
    #expect(encoder.processID == nil)
    #expect(try !encoder.encode(.small()).isEmpty)
  }

  @Test func `A process that was killed while it was idle fails no job`() async throws {
    let encoder = PhotoEncoder()
    _ = try encoder.encode(.small())
    let process = try #require(encoder.processID)
    kill(process, SIGKILL)
    // Its connection is closed before the last of its threads has ended.
    while try !ProcessFacts.text(process, "stat").contains(" Z ")
      || ProcessFacts.threadCount(process) > 1
    {
      await Task.yield()
    }
    #expect(try !encoder.encode(.small()).isEmpty)
    #expect(encoder.processID != process)
  }

  @Test(arguments: [
    ("kill -SEGV $$", "was ended by SIGSEGV before"),
    ("kill -ABRT $$", "was ended by SIGABRT before"),
    ("exit 3", "ended with status 3 before"),
    ("exec 0>&-; exec sleep 60", "was ended by SIGKILL before"),
    ("head -c 1000 >/dev/null; printf CPR1 >&0", "ended with status 0 before"),
  ])
  func `The error says how the process ended`(script: String, words: String) throws {
    let encoder = PhotoEncoder(script: script)
    let error = #expect(throws: ImagingError.self) { try encoder.encode(.small()) }
    #expect(error?.code == .encoderLost)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "head -c 4000 /dev/zero", "head -c 4000 /dev/urandom", "yes", "echo usage: sh [OPTION] FILE",
  ])
  func `A process that answers nonsense is ended`(command: String) throws {
    let encoder = PhotoEncoder(script: "head -c 24 >/dev/null; \(command) >&0; exec sleep 60")
    let error = #expect(throws: ImagingError.self) { try encoder.encode(.small()) }
    #expect(error?.code == .encoderLost)
    #expect(error?.message.contains("nonsense") == true)
    #expect(encoder.processID == nil)
  }

  /// A small job fits into the connection. A large one does not, so that it cannot be sent.
  @Test(arguments: ImageSize.each((64, 48), (640, 480)))
  func `A process that never answers is ended in time`(size: ImageSize) throws {
    let encoder = PhotoEncoder {
      $0.program = "/bin/sh"
      $0.arguments = ["-c", "exec sleep 60"]
      $0.patience = .milliseconds(300)
      $0.patiencePerMegapixel = .seconds(1)
    }
    let start = MonotonicTime.now
    let error = #expect(throws: ImagingError.self) {
      try encoder.encode(PhotoJob(.noise(size), as: .avif, quality: 80))
    }
    #expect(error?.code == .encoderLost)
    #expect(error?.message.contains("was silent") == true)
    #expect(MonotonicTime.now - start >= .milliseconds(300))
    #expect(MonotonicTime.now - start < .seconds(20))
    #expect(encoder.processID == nil)
  }

  @Test func `A program that is not there is an error`() throws {
    let encoder = PhotoEncoder { $0.program = "/nowhere/camerad" }
    let error = #expect(throws: ImagingError.self) { try encoder.encode(.small()) }
    #expect(error?.code == .encoderLost)
    #expect(error?.message.contains("start /nowhere/camerad: No such file") == true)
  }

  // MARK: The end

  @Test func `Stopping ends the process and fails its job and all later ones`() async throws {
    let encoder = PhotoEncoder()
    async let result = encoder.result(.large())
    let process = try await encoder.busyProcess()
    // A process that went on would finish the job.
    encoder.stop()
    guard case .failure(let error) = try await result else {
      Issue.record("the job should fail")
      return
    }
    #expect(error.code == .stopped)
    #expect(!SystemProcess.isRunning(process))
    let later = #expect(throws: ImagingError.self) { try encoder.encode(.small()) }
    #expect(later?.code == .stopped)
    #expect(encoder.processID == nil)
  }

  @Test func `The process ends with its encoder`() throws {
    var encoder: PhotoEncoder? = PhotoEncoder()
    _ = try encoder?.encode(.small())
    let process = try #require(encoder?.processID)
    encoder = nil
    #expect(!SystemProcess.isRunning(process))
  }
}
