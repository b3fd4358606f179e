@testable import CameraProtocol

/// The code of the framing error that `body` throws; nil if it throws none.
func framingCode<R>(_ body: () throws -> R) -> FramingError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? FramingError)?.code
  }
}
