"""Screenshots for people: light, dark and narrow. They are made only if ARBOR_SCREENSHOTS names a folder."""

import os
import unittest

from cases import PageCase
from live_server import LiveServer
from recordings import hostile, requests, shop


@unittest.skipUnless(os.environ.get("ARBOR_SCREENSHOTS"), "ARBOR_SCREENSHOTS is not set")
class Screenshots(PageCase):
    def take(self, tab, name):
        tab.settle()
        path = os.path.join(os.environ["ARBOR_SCREENSHOTS"], f"{name}.png")
        tab.screenshot(path)
        self.assertGreater(os.path.getsize(path), 10_000)

    def test_light_dark_and_narrow(self):
        tab = self.open(shop(400))
        for scheme in ("light", "dark"):
            tab.prefer(scheme)
            tab.resize(1440, 900)
            tab.click("#tab-actions")
            tab.evaluate("page.select(200); page.reveal(['1', 'cart', 'items', 2, 'count']); byId('list').focus(); page.timeline.draw()")
            self.take(tab, f"actions-{scheme}")
            tab.type("#path", "cart.items[2]")
            self.take(tab, f"search-{scheme}")
            tab.click("#clear")
            for view in ("stores", "tasks", "metrics"):
                tab.click(f"#tab-{view}")
                if view != "metrics":
                    tab.click(f"#{view} .row:nth-child(2)")
                self.take(tab, f"{view}-{scheme}")
            tab.press("?")
            self.take(tab, f"help-{scheme}")
            tab.press("Escape")
            tab.resize(900, 1400)
            tab.click("#tab-actions")
            self.take(tab, f"medium-{scheme}")
            tab.resize(320, 2600)
            self.take(tab, f"narrow-{scheme}")
            tab.click("#tab-tasks")
            self.take(tab, f"narrow-tasks-{scheme}")
            tab.click("#tab-metrics")
            self.take(tab, f"narrow-metrics-{scheme}")

    def test_requests(self):
        server = LiveServer(requests())
        self.addCleanup(server.close)
        tab = self.visit(server.address)
        tab.wait_for("page.recording.length > 0", "no entries arrived")
        tab.click("#tab-requests")
        for scheme in ("light", "dark"):
            tab.prefer(scheme)
            for name, width, height in (("requests", 1440, 900), ("narrow-requests", 320, 1400)):
                tab.resize(width, height)
                tab.click("#requests .row:nth-child(2)")
                self.take(tab, f"{name}-{scheme}")
        tab.click("#requests-fail")
        self.take(tab, "requests-fail")

    def test_live(self):
        server = LiveServer(shop(200))
        self.addCleanup(server.close)
        tab = self.visit(server.address)
        tab.wait_for("page.recording.length >= 200", "no entries arrived")
        server.move(120, True, 3)
        tab.wait_for("page.programPosition === 120", "the program did not move")
        tab.click("#dispatch-open")
        for scheme in ("light", "dark"):
            tab.prefer(scheme)
            tab.resize(1440, 900)
            tab.evaluate("page.select(121); byId('dispatch-copy').click()")
            self.take(tab, f"live-{scheme}")
            tab.resize(320, 1600)
            self.take(tab, f"live-narrow-{scheme}")

    def test_hostile(self):
        tab = self.open(hostile())
        tab.evaluate("page.select(0)")
        self.take(tab, "hostile")
