import Foundation
import TestSupport

@testable import CaptureV4L2

/// A camera with a clock of its own behind a bus, for `DeviceClock`.
struct SimulatedCamera {
  /// What its numbers of USB frames, and those of the host, are worth.
  enum Numbers: CaseIterable {
    case bus, noHost, noDevice, none, constant, own, random
  }

  struct Frame {
    var captured: UInt32
    var reading: UVCMetadata.Reading
    var firstArrival: Int64
    /// The moment of the capture, nanoseconds.
    var truth: Double
  }

  let numbers: Numbers
  /// Seconds between frames.
  let interval: Double
  private var generator: SeededGenerator
  private let begin: Double
  private let frequency: Double
  private let busRate: Double
  private let ownOffset: Int
  private var offset: Double
  private var moment = 0.0
  private var lastArrival = 0.0
  private var index = 0

  init(_ numbers: Numbers, _ generator: inout SeededGenerator) {
    self.numbers = numbers
    interval = 1 / .random(in: 8...40, using: &generator)
    begin = .random(in: 0...100_000, using: &generator)
    let nominal = [90e3, 1e6, 15e6, 48e6, 150e6].randomElement(using: &generator) ?? 1e6
    frequency = nominal * (1 + .random(in: -100e-6...100e-6, using: &generator))
    busRate = 1000 * (1 + .random(in: -400e-6...400e-6, using: &generator))
    ownOffset = .random(in: 11...1500, using: &generator)
    offset = .random(in: 0...4e9, using: &generator)
    self.generator = SeededGenerator(seed: generator.next())
  }

  /// The clock stops for longer than the camera's pictures, and goes on elsewhere.
  mutating func jump() {
    let seconds = Double.random(in: 1...5, using: &generator)
    offset += frequency * (Bool.random(using: &generator) ? seconds : -seconds)
  }

  /// No frames come for these seconds.
  mutating func pause(_ seconds: Double) { moment += seconds }

  /// The next frame. One of four packets may be late, and some frames are lost.
  mutating func next() -> Frame {
    repeat {
      moment += interval
      index += 1
    } while Double.random(in: 0...1, using: &generator) < 0.05
    let read = moment + .random(in: 0.001...interval, using: &generator)
    let most = index % 4 == 0 ? min(0.24, 2 * interval) : 0.018
    let arrival = max(lastArrival + 1e-6, read + .random(in: 0...most, using: &generator))
    let firstArrival = max(lastArrival, .random(in: moment...read, using: &generator))
    lastArrival = arrival
    return Frame(
      captured: ticks(moment),
      reading: UVCMetadata.Reading(
        ticks: ticks(read), deviceFrame: deviceFrame(read, arrival),
        hostFrame: numbers == .noHost || numbers == .none ? 0 : busFrame(arrival + 10e-6),
        hostTime: Int64((begin + arrival) * 1e9)),
      firstArrival: Int64(((begin + firstArrival) * 1e9).rounded(.up)),
      truth: (begin + moment) * 1e9)
  }

  /// The crystal wanders by 20 ppm within a minute.
  private func ticks(_ moment: Double) -> UInt32 {
    let wander = 20e-6 * 60 / (2 * .pi) * sin(moment * 2 * .pi / 60)
    return UInt32(truncatingIfNeeded: Int64(offset + frequency * (moment + wander)))
  }

  private func busFrame(_ moment: Double) -> UInt16 {
    UInt16(truncatingIfNeeded: Int((begin + moment) * busRate) & 2047)
  }

  private mutating func deviceFrame(_ read: Double, _ arrival: Double) -> UInt16 {
    switch numbers {
    case .bus, .noHost: busFrame(read)
    case .noDevice, .none: 0
    case .constant: busFrame(0)
    case .own: (busFrame(read) &- UInt16(ownOffset)) & 2047
    case .random: UInt16.random(in: 0...2047, using: &generator)
    }
  }
}
