package import CameraClient

/// What Prometheus learns of nodes: what their status says.
package enum NodeMetrics {
  /// - Parameter statuses: How each node is, or why that is not known, by the names by which the
  ///   program knows them.
  package static func families(
    of statuses: [(name: String, status: Result<NodeStatus, CameraBusError>)]
  ) -> [MetricFamily] {
    var up = MetricFamily("node_up", .gauge, "Whether the node answers.")
    var nodes: [(name: String, status: NodeStatus)] = []
    for (name, status) in statuses {
      switch status {
      case .success(let status):
        up.add(true, ["node": name])
        nodes.append((name, status))
      case .failure: up.add(false, ["node": name])
      }
    }
    return [up] + ofNodes(nodes) + ofLibraries(nodes) + ofCameras(nodes) + ofFrames(nodes)
      + ofStreams(nodes) + ofRecordings(nodes)
  }

  private typealias Nodes = [(name: String, status: NodeStatus)]

  private static func ofNodes(_ nodes: Nodes) -> [MetricFamily] {
    var info = MetricFamily("node_info", .gauge, "The node's own name and version.")
    var start = MetricFamily("node_start_time_seconds", .gauge, "When the node started.")
    var requests = MetricFamily(
      "node_refused_requests_total", .counter,
      "Requests that the node refused: unreadable or with a wrong value, too many, or not allowed.")
    var connections = MetricFamily(
      "node_refused_connections_total", .counter,
      "Connections that the node refused for want of an authorized key.")
    var replies = MetricFamily(
      "node_undelivered_replies_total", .counter,
      "Replies that were dropped because their client was gone or too slow.")
    var events = MetricFamily(
      "node_dropped_events_total", .counter, "Events that a monitor was too slow for.")
    var turns = MetricFamily(
      "node_longest_turn_seconds", .gauge,
      "The longest time since the node's start in which a thread did not look for new work.")
    var pressure = MetricFamily(
      "node_pressure_level", .gauge, "How hard the node's machine is pressed: 1 for the level.")
    var waiting = MetricFamily(
      "node_waiting_ratio", .gauge,
      "The part of the last ten seconds in which programs waited for the processor, and all for memory or the disk."
    )
    var clock = MetricFamily(
      "node_clock_error_seconds", .gauge,
      "The bound of the error of the node's wall clock, where it is known.")
    for (name, node) in nodes {
      info.add(true, ["node": name, "name": node.name, "version": node.version])
      let age = node.now.monotonic - node.started
      start.add(.nanoseconds((node.now.wall - age).nanoseconds), ["node": name])
      requests.add(node.malformedRequests, ["node": name, "reason": "malformed"])
      requests.add(node.busyReplies, ["node": name, "reason": "busy"])
      requests.add(node.forbiddenRequests, ["node": name, "reason": "forbidden"])
      connections.add(node.refusedConnections, ["node": name])
      replies.add(node.undeliverableReplies, ["node": name])
      events.add(node.eventsDropped, ["node": name])
      for loop in node.loops { turns.add(loop.longestTurn, ["node": name, "loop": loop.name]) }
      clock.add(node.now.wallError, ["node": name])
      guard let own = node.pressure else { continue }
      for level in SystemPressure.Level.allCases {
        pressure.add(own.level == level, ["node": name, "level": level.rawValue])
      }
      waiting.add(own.waiting?.cpu, ["node": name, "resource": "cpu"])
      waiting.add(own.waiting?.memory, ["node": name, "resource": "memory"])
      waiting.add(own.waiting?.io, ["node": name, "resource": "io"])
    }
    return [info, start, requests, connections, replies, events, turns, pressure, waiting, clock]
  }

  private static func ofLibraries(_ nodes: Nodes) -> [MetricFamily] {
    var free = MetricFamily(
      "library_free_bytes", .gauge, "What is free on the library's disk, with the reserve.")
    var reserve = MetricFamily(
      "library_reserve_bytes", .gauge, "What the node leaves free on the library's disk.")
    var keeps = MetricFamily("library_keeps", .gauge, "Whether photos taken now would be kept.")
    var assets = MetricFamily("library_assets", .gauge, "The photos and movies of a camera.")
    var used = MetricFamily(
      "library_used_bytes", .gauge, "What the photos and movies of a camera take.")
    var deferred = MetricFamily(
      "library_deferred_photos", .gauge, "The photos whose files are still to be made.")
    var deferredBytes = MetricFamily(
      "library_deferred_bytes", .gauge, "What the photos take whose files are still to be made.")
    var quotaBytes = MetricFamily(
      "library_quota_bytes", .gauge,
      "What the photos and movies of a camera may take, or all together without a camera.")
    var quotaAge = MetricFamily(
      "library_quota_age_seconds", .gauge,
      "How old the photos and movies of a camera may become, or all without a camera.")
    var exceeded = MetricFamily(
      "library_quota_exceeded", .gauge, "Whether the library takes more than its quota.")
    var unlisted = MetricFamily(
      "library_unlisted_files", .gauge, "Files in the library's folders that are no assets.")
    for (name, node) in nodes {
      let library = node.library
      free.add(library.freeBytes, ["node": name])
      reserve.add(library.reserveBytes, ["node": name])
      keeps.add(library.error == nil, ["node": name])
      deferred.add(library.deferredPhotos, ["node": name])
      deferredBytes.add(library.deferredBytes, ["node": name])
      unlisted.add(library.unlistedFiles, ["node": name])
      for usage in library.usage {
        assets.add(usage.assets, ["node": name, "camera": usage.camera])
        used.add(usage.bytes, ["node": name, "camera": usage.camera])
      }
      guard let quota = library.quota else { continue }
      exceeded.add(library.quotaProblem != nil, ["node": name])
      for limit in quota.limits {
        quotaBytes.add(limit.maximumBytes, ["node": name, "camera": limit.camera ?? ""])
        quotaAge.add(limit.maximumAge, ["node": name, "camera": limit.camera ?? ""])
      }
    }
    return [
      free, reserve, keeps, assets, used, deferred, deferredBytes, quotaBytes, quotaAge, exceeded,
      unlisted,
    ]
  }

  private static func ofCameras(_ nodes: Nodes) -> [MetricFamily] {
    var state = MetricFamily(
      "camera_state", .gauge, "The state of the camera's session: 1 for the present one.")
    var since = MetricFamily(
      "camera_state_start_time_seconds", .gauge, "When that state began.")
    var interruption = MetricFamily(
      "camera_interruption", .gauge, "Why the camera is interrupted: 1 for the reason.")
    var readiness = MetricFamily(
      "camera_readiness", .gauge,
      "Whether the camera can take a photo, and why not: 1 for the answer.")
    var attempts = MetricFamily(
      "camera_attempts", .gauge,
      "How often the node tried to get the camera back since it was interrupted or failed.")
    var ring = MetricFamily(
      "camera_ring_seconds", .gauge, "How far back the ring of recent frames reaches.")
    var interval = MetricFamily(
      "camera_frame_interval_seconds", .gauge, "The time from one frame to the next.")
    var deviation = MetricFamily(
      "camera_frame_deviation_seconds", .gauge,
      "How far the times of frames lie from even ones: the root of the mean square.")
    for (name, node) in nodes {
      for camera in node.cameras {
        let own = camera.name
        for other in SessionState.allCases {
          state.add(camera.state == other, ["node": name, "camera": own, "state": other.rawValue])
        }
        since.add(.nanoseconds(camera.since.wall.nanoseconds), ["node": name, "camera": own])
        for reason in InterruptionReason.allCases {
          interruption.add(
            camera.interruption == reason,
            ["node": name, "camera": own, "reason": reason.rawValue])
        }
        for other in Readiness.allCases {
          readiness.add(
            camera.readiness == other,
            ["node": name, "camera": own, "readiness": other.rawValue])
        }
        attempts.add(camera.attempts, ["node": name, "camera": own])
        ring.add(camera.ring, ["node": name, "camera": own])
        interval.add(camera.pace.map { $0.interval / 1e9 }, ["node": name, "camera": own])
        deviation.add(camera.pace.map { $0.deviation / 1e9 }, ["node": name, "camera": own])
      }
    }
    return [state, since, interruption, readiness, attempts, ring, interval, deviation]
  }

  private static func ofFrames(_ nodes: Nodes) -> [MetricFamily] {
    var frames = MetricFamily(
      "camera_frames_total", .counter, "Frames that reached the ring of recent frames.")
    var lost = MetricFamily(
      "camera_lost_frames_total", .counter,
      "Frames lost by the camera, or dropped by the node: damaged, cut short, skipped for newer ones, or without memory."
    )
    var thinned = MetricFamily(
      "camera_thinned_frames_total", .counter,
      "Frames that the node left out to keep to the camera's rate.")
    for (name, node) in nodes {
      for camera in node.cameras {
        let counters = camera.frames
        frames.add(counters.delivered, ["node": name, "camera": camera.name])
        let losses: KeyValuePairs = [
          "camera": counters.lostByCamera, "corrupted": counters.corrupted,
          "truncated": counters.truncated, "skipped": counters.skipped,
          "memory": counters.poolExhausted,
        ]
        for (reason, count) in losses {
          lost.add(count, ["node": name, "camera": camera.name, "reason": reason])
        }
        thinned.add(counters.thinned, ["node": name, "camera": camera.name])
      }
    }
    return [frames, lost, thinned]
  }

  private static func ofStreams(_ nodes: Nodes) -> [MetricFamily] {
    var subscribers = MetricFamily("stream_subscribers", .gauge, "The subscribers of the stream.")
    var encoded = MetricFamily(
      "stream_encoded_frames_total", .counter, "Frames that an encoder made for the stream.")
    var published = MetricFamily(
      "stream_published_frames_total", .counter, "Frames published on the stream.")
    var dropped = MetricFamily(
      "stream_dropped_frames_total", .counter,
      "Frames dropped because encoders were busy, a subscriber was slow, or encoding failed.")
    var thinned = MetricFamily(
      "stream_thinned_frames_total", .counter,
      "Frames left out because of the pressure on the machine, or of the stream's own rate.")
    for (name, node) in nodes {
      for camera in node.cameras {
        for stream in camera.streams {
          let (own, which) = (camera.name, stream.name)
          subscribers.add(
            stream.subscribers, ["node": name, "camera": own, "stream": which])
          encoded.add(stream.encoded, ["node": name, "camera": own, "stream": which])
          published.add(stream.published, ["node": name, "camera": own, "stream": which])
          let drops: KeyValuePairs = [
            "late": stream.droppedLate, "slow": stream.droppedSlow,
            "encoding": stream.encodingFailed,
          ]
          for (reason, count) in drops {
            dropped.add(
              count, ["node": name, "camera": own, "stream": which, "reason": reason])
          }
          thinned.add(
            stream.thinnedByPressure,
            ["node": name, "camera": own, "stream": which, "reason": "pressure"])
          thinned.add(
            stream.thinnedByRate,
            ["node": name, "camera": own, "stream": which, "reason": "rate"])
        }
      }
    }
    return [subscribers, encoded, published, dropped, thinned]
  }

  private static func ofRecordings(_ nodes: Nodes) -> [MetricFamily] {
    var active = MetricFamily("camera_recording", .gauge, "Whether the camera records.")
    var frames = MetricFamily("recording_frames", .gauge, "Frames of the recording so far.")
    var dropped = MetricFamily(
      "recording_dropped_frames", .gauge, "Frames that the recording lost so far.")
    var bytes = MetricFamily("recording_size_bytes", .gauge, "Bytes of the recording so far.")
    var duration = MetricFamily(
      "recording_duration_seconds", .gauge, "The recording's length so far, without pauses.")
    for (name, node) in nodes {
      for camera in node.cameras {
        active.add(camera.recording != nil, ["node": name, "camera": camera.name])
        guard let recording = camera.recording else { continue }
        frames.add(recording.frames, ["node": name, "camera": camera.name])
        dropped.add(recording.dropped, ["node": name, "camera": camera.name])
        bytes.add(recording.bytes, ["node": name, "camera": camera.name])
        duration.add(recording.duration, ["node": name, "camera": camera.name])
      }
    }
    return [active, frames, dropped, bytes, duration]
  }
}
