"""The tested page is the one that the library writes."""

import os
import re
import unittest

from assembling import template, web


class AssemblingTests(unittest.TestCase):
    def test_the_swift_file_contains_the_tested_page(self):
        with open(os.path.join(web, "..", "PageTemplate.swift"), encoding="utf-8", newline="") as file:
            parts = re.findall(r'StaticString = ###"""\n(.*?)\n"""###', file.read(), re.DOTALL)
        self.assertEqual(len(parts), 3)
        self.assertEqual(parts, list(template()))

    def test_files_are_short(self):
        for name in os.listdir(web):
            with open(os.path.join(web, name), encoding="utf-8") as file:
                self.assertLessEqual(len(file.readlines()), 300, name)
