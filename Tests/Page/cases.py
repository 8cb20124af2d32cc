"""The common parts of the page's tests: one browser, and the pages opened in it."""

import atexit
import os
import tempfile
import unittest

from assembling import assembled
from browser import Browser, Tab


class Shared:
    browser = None
    folder = None


def browser():
    if Shared.browser is None:
        Shared.browser = Browser()
        Shared.folder = tempfile.TemporaryDirectory(prefix="arbor-page-")
        atexit.register(Shared.browser.close)
    return Shared.browser


class PageCase(unittest.TestCase):
    """A test of a page that is opened from a file. It fails if the page has reported an error or a warning."""

    width, height = 1440, 900
    expects_complaints = False

    def open(self, recording, name="recording"):
        browser()
        path = os.path.join(Shared.folder.name, f"{name}.html")
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(assembled(recording))
        return self.visit(f"file://{path}")

    def visit(self, address):
        tab = Tab(browser(), self.width, self.height)
        self.addCleanup(self.finish, tab)
        tab.open(address)
        return tab

    def finish(self, tab):
        complaints = tab.complaints()
        tab.close()
        if not self.expects_complaints:
            self.assertEqual(complaints, [])

    def rows(self, tab, container="#list"):
        """The texts of a list's rows that are in the document."""
        return tab.evaluate(f"[...document.querySelectorAll('{container} .row')].map(row => row.textContent)")
