extension CaptureError {
  /// The device has no such control; names the one that was probably meant.
  package static func noSuchControl(
    _ id: ControlID,
    among known: some Sequence<ControlID>
  ) -> CaptureError {
    let ranked = known.map { (id: $0, distance: editDistance($0.rawValue, id.rawValue)) }
    let nearest = ranked.min { $0.distance < $1.distance }
    let remedy: String
    if let nearest, nearest.distance <= max(2, id.rawValue.count / 3) {
      remedy = "did you mean \(nearest.id)?"
    } else if nearest != nil {
      remedy = "list the controls to see what it has"
    } else {
      remedy = "it has none"
    }
    return CaptureError(
      .noSuchControl,
      "the camera has no control '\(id.rawValue.prefix(60))': \(remedy)",
      field: id.rawValue
    )
  }

  /// The fewest insertions, deletions and replacements that turn one text into the other
  /// (Levenshtein distance).
  private static func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (right[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
