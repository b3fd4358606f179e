"""Tests every type of vivid's controls with camctl, and checks them with v4l2-ctl."""

import unittest

from programs import Node, v4l2

# For each control: its kind, the value given to camctl, the value in JSON, and the value that
# v4l2-ctl shows.
SETTINGS = {
    "brightness": ("integer", "200", 200, "200"),
    "integer_32_bits": ("integer", "-2147483648", -2147483648, "-2147483648"),
    "integer_64_bits": ("integer64", "9223372036854775807", 9223372036854775807, "9223372036854775807"),
    "boolean": ("boolean", "false", False, "0"),
    "menu": ("menu", "Menu Item 4", 4, "4 (Menu Item 4)"),
    "integer_menu": ("integerMenu", "42", 8, "8 (42 0x2a)"),
    "bitmask": ("bitmask", "0x80402010", 0x80402010, "-2143281136"),
    "string": ("string", "abc", "abc", "'abc'"),
    "u32_1_element_array": ("array", "100", [100], "100"),
}


class Controls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node("cam=v4l2:/dev/video0,640x360@10,format=YUYV"))
        cls.controls = {control["id"]: control for control in cls.node.json("controls", "list")}

    def value(self, name):
        (control,) = self.node.json("controls", "get", name)
        return control["value"]

    def test_set(self):
        """A control is listed with its kind, and a new value takes effect"""
        for name, (kind, words, value, shown) in SETTINGS.items():
            with self.subTest(control=name):
                self.assertEqual(self.controls[name]["kind"], kind)
                self.node.camctl("controls", "set", f"{name}={words}")
                self.assertEqual(v4l2("/dev/video0", "--get-ctrl", name).split(), [f"{name}:", *shown.split()])
                self.assertEqual(self.value(name), value)

    def test_limits(self):
        """A value that the control cannot have is refused and changes nothing"""
        for name, value in [("brightness", "256"), ("menu", "2"), ("boolean", "7"), ("string", "a"),
                            ("bitmask", "1")]:
            with self.subTest(control=name):
                before = self.value(name)
                self.check_refused(name, value)
                self.assertEqual(self.value(name), before)

    def test_not_settable(self):
        """A control that is read-only or does not exist cannot be set"""
        for name in ("read_only_integer_32_bits", "no_such_control"):
            with self.subTest(control=name):
                self.check_refused(name, "1")

    def check_refused(self, name, value):
        result = self.node.try_camctl("controls", "set", f"{name}={value}")
        self.assertIn(result.returncode, (1, 64), result.stderr)
        self.assertIn(name, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_button(self):
        """A button has no value and can be pressed"""
        self.assertEqual(self.controls["button"]["kind"], "button")
        self.assertIsNone(self.controls["button"].get("value"))
        self.node.camctl("controls", "set", "button")

    def test_menu(self):
        """A menu lists its items, whose indices have gaps"""
        items = {item["index"]: item["name"] for item in self.controls["menu"]["menu"]}
        self.assertEqual(items, {1: "Menu Item 1", 3: "Menu Item 3", 4: "Menu Item 4"})

    def test_array(self):
        """An array has its dimensions and all its elements"""
        matrix = self.controls["u16_8x16_matrix"]
        self.assertEqual(matrix["dimensions"], [8, 16])
        self.assertEqual(matrix["value"], [24] * 128)

    def test_all(self):
        """camctl lists every control that v4l2-ctl lists, beside those with a meaning"""
        names = {line.split()[0] for line in v4l2("/dev/video0", "--list-ctrls").splitlines() if " 0x" in line}
        own = {name for name, control in self.controls.items() if not control["sources"]}
        self.assertEqual(own, names)

    def test_events(self):
        """A change by another program appears in camctl events"""
        with self.node.following("events") as events:
            # The snapshot comes first. After it no event is missed.
            next(events)
            v4l2("/dev/video0", "--set-ctrl", "contrast=77")
            change = next(event for event in events if event.get("control", {}).get("id") == "contrast")
            self.assertEqual(change["control"]["value"], 77)
