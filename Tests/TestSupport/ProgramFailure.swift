/// A program that a test needs ended with a status other than 0.
package struct ProgramFailure: Error {
  package let program: String
  package let arguments: [String]
  package let status: Int32
}
