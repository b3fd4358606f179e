import Imaging
import OperatingSystem
import TestSupport

@testable import Capture

extension BracketTests {
  /// A picture of a bracket.
  struct Picture {
    var resolved: ResolvedPhoto
    var bytes: [UInt8]

    var shot: ResolvedShot? { resolved.shot }
    var exposure: Int64? { resolved.metadata.facts.exposure }

    /// How much brighter it is than another one, by its pixels that are neither too bright nor too
    /// dark, of the part that does not move. The picture must be grey.
    func ratio(to other: Picture) -> Double {
      var (sum, otherSum) = (0.0, 0.0)
      for (pixel, otherPixel) in zip(bytes, other.bytes).prefix(bytes.count * 2 / 5)
      where (32..<250).contains(pixel) {
        sum += Double(pixel)
        otherSum += Double(otherPixel)
      }
      return otherSum > 0 ? sum / otherSum : .nan
    }
  }

  func pictures(_ steps: [PhotoRequest.Step]) -> [Picture] {
    steps.compactMap { step in
      guard case .processed(let resolved, let file, _) = step else { return nil }
      return Picture(
        resolved: resolved,
        bytes: file.withBytes { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } })
    }.sorted { $0.resolved.picture < $1.resolved.picture }
  }

  func request(
    _ shots: Int, within wait: Duration, _ steps: Recorded<PhotoRequest.Step>
  ) -> PhotoRequest {
    var order = PhotoOrder([PhotoFileOrder(.raw)])
    order.pictures = shots
    return PhotoRequest(
      ticket: 1, timing: .next, asked: .now, deadline: .now + wait, order: order
    ) { steps.add($0) }
  }

  /// Takes a bracket, and waits for its end.
  func bracket(
    _ shots: [BracketShot], of camera: TestCamera, within wait: Duration = .seconds(60),
    _ steps: Recorded<PhotoRequest.Step> = Recorded(),
    onBegin: @escaping @Sendable (ShotHandle) -> Void = { _ in }
  ) async throws -> [PhotoRequest.Step] {
    let plan = try await camera.session.plan(shots)
    await camera.session.take(
      plan, for: request(shots.count, within: wait, steps), onBegin: onBegin)
    await steps.wait { $0.count(where: \.isFile) == shots.count || $0.contains(where: \.isFailed) }
    return steps.events
  }

  func values(_ camera: TestCamera) async throws -> [ControlValue?] {
    try await camera.session.controls().map(\.value)
  }

  /// Lets what was set before show.
  func letSettle(_ camera: TestCamera) async {
    for _ in 0..<8 { _ = await camera.photo(.next) }
  }

  func putBacks(_ camera: TestCamera) -> Int {
    camera.events.events.count { if case .controlsPutBack = $0 { true } else { false } }
  }
}
