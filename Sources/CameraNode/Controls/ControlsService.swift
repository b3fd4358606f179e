import CameraProtocol
import Capture
import SwiftProtobuf

/// Lists, reads and sets the cameras' controls.
@ControlLoop final class ControlsService {
  private let cameras: CameraDirectory
  private let leases: LeaseService
  private let memories: MemoryService

  init(cameras: CameraDirectory, leases: LeaseService, memories: MemoryService) {
    self.cameras = cameras
    self.leases = leases
    self.memories = memories
  }

  func list(_ body: WireControlsListRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    finish(call, try await camera.work(for: call) { session in try session.controls() })
  }

  func get(_ body: WireControlsGetRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    let ids = body.ids.map(ControlID.init)
    finish(call, try await camera.work(for: call) { session in try session.controls(ids) })
  }

  func set(_ body: WireControlsSetRequest, _ call: Call) async throws {
    let camera = try cameras.named(body.camera, for: call.access)
    try leases.require(camera, for: call)
    let settings = body.settings.map { CaptureSession.Setting($0) }
    // It waits for nothing, also while another request has its turn.
    if body.stopRamp, settings.isEmpty {
      try await call.work(on: camera) { $0.stopRamp() }
    }
    if body.hasRampRate {
      try camera.requireStream()
      let states = try await memories.change(camera, settings, for: call) { session in
        try session.set(settings, ramp: body.rampRate)
      }
      call.isDone = true
      await memories.settled(camera.name)
      return finish(call, states)
    }
    let search = EffectReport(isWanted: body.hasFindEffect ? body.findEffect : nil, call)
    let states = try await camera.inTurn(for: call) {
      try await memories.change(camera, settings, for: call) { session in
        let states = try session.set(settings, effect: search.request)
        if body.stopRamp { session.stopRamp() }
        return states
      }
    }
    call.isDone = true
    await memories.settled(camera.name)
    finish(call, states, await search.effect)
  }

  private func finish(_ call: Call, _ states: [ControlState], _ effect: ControlEffect? = nil) {
    call.finish(
      .controls(
        .with {
          $0.controls = states.map(WireControl.init)
          if let effect { $0.effect = WireControlEffect(effect) }
        }))
  }
}
