/// Removes the Huffman tables from a JPEG, as some cameras do in motion JPEG.
package func withoutHuffmanTables(_ jpeg: [UInt8]) -> [UInt8] {
  var (result, index) = (Array(jpeg[..<2]), 2)
  while jpeg[index + 1] != 0xda {
    let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
    if jpeg[index + 1] != 0xc4 { result += jpeg[index..<end] }
    index = end
  }
  return result + jpeg[index...]
}
