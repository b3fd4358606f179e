import CFuzzer
import Foundation

// A fuzzer: Fuzz NAME [OPTION of libFuzzer...] [FOLDER of inputs...]
//
// libFuzzer changes inputs and keeps those that reach new code. A trap, a hang and growing memory
// are what it looks for. `run` builds and starts it.

let names = Fuzzer.all.keys.sorted().joined(separator: ", ")
guard let name = CommandLine.arguments.dropFirst().first, let fuzzer = Fuzzer.all[name] else {
  print("usage: Fuzz NAME [OPTION...] [FOLDER...]; the names are \(names)")
  exit(EX_USAGE)
}
if CommandLine.arguments.dropFirst(2).first == "--seeds" {
  try fuzzer.writeSeeds(to: CommandLine.arguments[3])
  exit(EXIT_SUCCESS)
}
unsafe Fuzzer.chosen = fuzzer
// libFuzzer would take the name for a folder.
var arguments = unsafe CommandLine.unsafeArgv + 1
unsafe arguments[0] = unsafe CommandLine.unsafeArgv[0]
var count = CommandLine.argc - 1
let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
  let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size)
  unsafe Fuzzer.chosen?.run(bytes.bytes)
  return 0
}
exit(status)
