extension Collection<String> {
  /// The word that a misspelt one probably stands for, or nil if none is near enough.
  ///
  /// One letter of three may be missing, extra, wrong, or swapped with its neighbour. The beginning
  /// of only one word, of three letters or more, stands for that word.
  package func nearest(to misspelt: String) -> String? {
    let near = map { (word: $0, distance: editDistance(from: misspelt, to: $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= Swift.max(1, misspelt.count / 3),
      near.distance < near.word.count
    else { return wordBeginning(with: misspelt) }
    return near.word
  }

  private func wordBeginning(with start: String) -> String? {
    let words = filter { $0.hasPrefix(start) }
    return start.count >= 3 && words.count == 1 ? words.first : nil
  }
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbours to turn
/// one word into the other (optimal string alignment).
private func editDistance(from source: String, to target: String) -> Int {
  let (source, target) = (Array(source), Array(target))
  var beforeLast: [Int] = []
  var last = Array(0...target.count)
  for row in source.indices {
    var current = [row + 1]
    for column in target.indices {
      let isSame = source[row] == target[column]
      var distance = Swift.min(
        last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
        distance = Swift.min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    (beforeLast, last) = (last, current)
  }
  return last[target.count]
}
