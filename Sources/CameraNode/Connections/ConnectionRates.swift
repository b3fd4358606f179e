import OperatingSystem

/// Decides how fast connections may begin: each machine has a bucket of tokens for each endpoint,
/// takes one for a connection, and gets ``ConnectionLimits/rate`` back every second. Pure.
struct ConnectionRates {
  private struct Key: Hashable {
    let origin: String
    let endpoint: WatchedEndpoint
  }

  private struct Bucket {
    var tokens = ConnectionLimits.burst
    var filled: MonotonicTime
  }

  private var buckets: [Key: Bucket] = [:]

  /// - Returns: Whether the connection may stay.
  mutating func take(_ endpoint: WatchedEndpoint, from origin: String, at now: MonotonicTime)
    -> Bool
  {
    forgetFull(at: now)
    let key = Key(origin: origin, endpoint: endpoint)
    var bucket = buckets[key] ?? Bucket(filled: now)
    bucket.tokens = tokens(of: bucket, at: now)
    bucket.filled = now
    let mayStay = bucket.tokens >= 1
    if mayStay { bucket.tokens -= 1 }
    buckets[key] = bucket
    return mayStay
  }

  private func tokens(of bucket: Bucket, at now: MonotonicTime) -> Double {
    let seconds = Double(now.nanoseconds - bucket.filled.nanoseconds) / 1e9
    return min(ConnectionLimits.burst, bucket.tokens + seconds * ConnectionLimits.rate)
  }

  /// A full bucket says as much as none.
  private mutating func forgetFull(at now: MonotonicTime) {
    guard buckets.count >= 1000 else { return }
    buckets = buckets.filter { tokens(of: $0.value, at: now) < ConnectionLimits.burst }
  }
}
