"""Tests that the client reads and writes the golden messages with the meaning that they state."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, TypeVar, Union

from google.protobuf import descriptor_pb2, json_format
from google.protobuf.message import Message

from camerabus import CameraBusError, Code, messages
from camerabus.framing import (
    Malformed, Topic, read_publication, read_reply, read_request, write_publication, write_reply, write_request)
from camerabus.v1 import camera_pb2, common_pb2, publication_pb2, request_pb2
from expecting import present
from golden import PROTOCOL, parts_of, vectors

M = TypeVar("M", bound=Message)


class Vectors(unittest.TestCase):
    maxDiff = None

    def assert_means(self, message: M, meaning: dict[str, Any], kind: Callable[[], M]) -> None:
        self.assertEqual(without_unknown(message), json_format.ParseDict(meaning, kind()))

    def test_requests_mean_what_is_said(self) -> None:
        for vector in vectors("requests"):
            with self.subTest(vector["name"]):
                self.assert_means(read_request(parts_of(vector)), vector["meaning"], messages.Request)

    def test_requests_are_written_so_that_they_mean_the_same(self) -> None:
        for vector in vectors("requests"):
            with self.subTest(vector["name"]):
                request = json_format.ParseDict(vector["meaning"], messages.Request())
                written = write_request(request)
                self.assertEqual(written[0], parts_of(vector)[0])
                self.assertEqual(read_request(written), without_unknown(read_request(parts_of(vector))))

    def test_replies_mean_what_is_said(self) -> None:
        for vector in vectors("replies"):
            with self.subTest(vector["name"]):
                reply, attachment = read_reply(parts_of(vector))
                self.assert_means(reply, vector["meaning"], messages.Reply)
                attachments = [bytes.fromhex(part) for part in vector.get("attachments", [])]
                self.assertEqual([] if attachment is None else [attachment], attachments)
                self.assertEqual(read_reply(write_reply(reply, attachment)), (reply, attachment))

    def test_an_error_has_its_code_and_one_of_the_future_is_internal(self) -> None:
        for vector in vectors("replies"):
            if "error" not in vector["meaning"]:
                continue
            with self.subTest(vector["name"]):
                reply, _ = read_reply(parts_of(vector))
                error = CameraBusError.from_wire(reply.error)
                known = isinstance(vector["meaning"]["error"]["code"], str)
                self.assertEqual(
                    error.code,
                    Code[vector["meaning"]["error"]["code"].removeprefix("ERROR_CODE_")] if known else Code.INTERNAL)
                self.assertEqual(error.message, vector["meaning"]["error"]["message"])
                self.assertEqual(error.field, vector["meaning"]["error"].get("field", ""))
                self.assertEqual(error.retryable, vector["meaning"]["error"].get("retryable", False))

    def test_every_code_of_the_protocol_has_its_name(self) -> None:
        names = {name.removeprefix("ERROR_CODE_"): number for name, number in messages.ErrorCode.items() if number}
        self.assertEqual({code.name: code.value for code in Code if code > 0}, names)

    def test_publications_mean_what_is_said(self) -> None:
        for vector in vectors("publications"):
            with self.subTest(vector["name"]):
                publication = present(read_publication(parts_of(vector)))
                self.assertEqual(publication.topic.text, vector["topic"])
                self.assert_means(publication.header, vector["header"], messages.Header)
                payload: Union[Message, bytes]
                if "event" in vector:
                    payload = present(publication.event)
                    self.assert_means(payload, vector["event"], messages.Event)
                elif "heartbeat" in vector:
                    payload = present(publication.heartbeat)
                    self.assert_means(payload, vector["heartbeat"], messages.Heartbeat)
                else:
                    payload = present(publication.frame)
                    self.assertEqual(payload, bytes.fromhex(vector["frame"]))
                again = read_publication(write_publication(vector["topic"], publication.header, payload))
                self.assertEqual(again, publication)

    def test_bytes_behind_a_stray_end_mark_are_malformed(self) -> None:
        reply = messages.Reply(id=b"i" * 16, epoch=b"e" * 16, final=True).SerializeToString()
        with self.assertWarns(RuntimeWarning), self.assertRaises(Malformed):
            read_reply([b"CB1", reply + b"\x0c" + reply])

    def test_what_no_node_can_read_no_client_can_either(self) -> None:
        for vector in vectors("refused"):
            parts = parts_of(vector)
            if vector.get("dropped") or vector["error"]["code"] != "ERROR_CODE_MALFORMED":
                continue  # only nodes check the number of parts and the values
            if vector.get("repeats"):
                continue  # this implementation of Protobuf merges repetitions at no cost
            if vector["name"] == "a field numbered 0":
                continue  # some Protobuf versions for Python take it for the end of the message
            with self.subTest(vector["name"]), self.assertRaises(Malformed):
                read_request(parts)

    def test_topics_name_what_is_said(self) -> None:
        for vector in vectors("topics")["valid"]:
            with self.subTest(vector["text"]):
                topic = Topic.parse(vector["text"].encode())
                self.assertEqual(topic, Topic(
                    vector["text"], vector["kind"], vector.get("camera", ""), vector.get("name", "")))

    def test_other_bytes_are_no_topics(self) -> None:
        for text in vectors("topics")["invalid"]:
            with self.subTest(text):
                self.assertIsNone(Topic.parse(bytes.fromhex(text)))
                self.assertIsNone(read_publication([bytes.fromhex(text), b"", b""]))

    def test_a_publication_of_too_few_parts_is_malformed(self) -> None:
        with self.assertRaises(Malformed):
            read_publication([b"heartbeat/", b""])


class Generated(unittest.TestCase):
    def test_the_messages_kept_here_are_those_of_the_proto_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "set"
            protos = sorted(str(path) for path in PROTOCOL.glob("camerabus/v1/*.proto"))
            subprocess.run(["protoc", "-I", str(PROTOCOL), f"--descriptor_set_out={output}", *protos], check=True)
            files = descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes()).file
        kept = {module.DESCRIPTOR.name: module.DESCRIPTOR
                for module in (camera_pb2, common_pb2, publication_pb2, request_pb2)}
        self.assertEqual(set(kept), {file.name for file in files})
        for file in files:
            with self.subTest(file.name):
                here = descriptor_pb2.FileDescriptorProto()
                kept[file.name].CopyToProto(here)
                for side in (file, here):
                    for message in side.message_type:
                        forget_json_names(message)
                self.assertEqual(here, file, "run Protocol/python/generate")

    def test_the_types_kept_here_are_those_of_the_proto_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            protos = sorted(str(path) for path in PROTOCOL.glob("camerabus/v1/*.proto"))
            subprocess.run(["protoc", "-I", str(PROTOCOL), f"--mypy_out=quiet:{folder}", *protos], check=True)
            for made in Path(folder).glob("camerabus/v1/*.pyi"):
                with self.subTest(made.name):
                    kept = PROTOCOL / "python" / "camerabus" / "v1" / made.name
                    self.assertEqual(kept.read_text(), made.read_text(), "run Protocol/python/generate")

    def test_the_swift_that_follows_from_the_proto_files_is_kept(self) -> None:
        check = subprocess.run([sys.executable, str(PROTOCOL / "derive"), "--check"], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stderr)


def forget_json_names(message: descriptor_pb2.DescriptorProto) -> None:
    """Removes JSON names, because protoc writes them into descriptor sets but not into its Python
    code.
    """
    for field in message.field:
        field.ClearField("json_name")
    for nested in message.nested_type:
        forget_json_names(nested)


def without_unknown(message: M) -> M:
    message.DiscardUnknownFields()
    return message


if __name__ == "__main__":
    unittest.main()
