import CZeroMQ
import OperatingSystem

extension SocketCore {
  func integer<Value: FixedWidthInteger>(_ name: Int32, as type: Value.Type) -> Value {
    value { raw throws(SystemError) in try raw.option(name, as: type) }
  }

  /// Returns nil for -1, with which libzmq means the system's default.
  func size(_ name: Int32) -> Int? {
    let size = integer(name, as: Int32.self)
    return size < 0 ? nil : Int(size)
  }

  /// Converts libzmq's milliseconds.
  func duration(_ name: Int32) -> Duration {
    .milliseconds(integer(name, as: Int32.self))
  }

  func bytes(_ name: Int32, capacity: Int) -> [UInt8] {
    value { raw throws(SystemError) in try raw.bytes(name, capacity: capacity) }
  }

  func set(_ name: Int32, _ value: some FixedWidthInteger) {
    self.value { raw throws(SystemError) in try raw.setOption(name, value) }
  }

  func set(_ name: Int32, _ duration: Duration) {
    precondition(duration >= .zero, "a socket cannot wait a negative time")
    set(name, Int32(clamping: duration.wholeNanoseconds / 1_000_000))
  }

  func set(_ name: Int32, _ bytes: [UInt8]) {
    value { raw throws(SystemError) in try raw.setOption(name, bytes) }
  }

  /// Traps on errors: properties cannot throw, and options fail only for programming errors.
  private func value<R>(_ body: (RawSocket) throws(SystemError) -> R) -> R {
    do throws(ZeroMQError) {
      return try call("use an option", body)
    } catch {
      preconditionFailure(error.message)
    }
  }
}
