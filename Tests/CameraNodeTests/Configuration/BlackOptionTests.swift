import Imaging
import Testing

@testable import CameraNode

struct BlackOptionTests {
  @Test func `A camera's specification may say what black is`() throws {
    for (text, black, rest) in [
      (
        "v4l2:/dev/video0,format=RG10,black=64/1023", BlackLevel(64, ofWhite: 1023),
        "v4l2:/dev/video0,format=RG10"
      ),
      ("auto,black=0/255", BlackLevel(0, ofWhite: 255), "auto"), ("auto", nil, "auto"),
    ] {
      let parsed = try CameraOptions.parse(text)
      #expect(parsed.options.black == black)
      #expect(parsed.rest == rest)
    }
  }

  @Test(arguments: ["64", "64/", "/1023", "64/1000", "1023/1023", "-1/1023", "64/1023/2", "x/255"])
  func `It is below the white of a format`(text: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try CameraOptions.parse("auto,black=\(text)")
    }
    #expect(error?.message.contains("black=64/1023") == true)
  }
}
