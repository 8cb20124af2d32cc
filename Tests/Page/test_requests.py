"""The tab of requests: it shows the caches in the state, and sends actions to them."""

from cases import PageCase
from live_server import LiveServer
from recordings import requests, shop
from test_access import contrasts, cut, wide


class RequestCase(PageCase):
    def choose(self, tab, name):
        """Selects the row that begins with a name."""
        place = [text.startswith(name) for text in self.rows(tab, "#requests")].index(True)
        tab.click(f"#requests .row:nth-child({place + 1})")


class RequestTests(RequestCase):
    def test_the_tab_is_there_only_if_there_is_a_cache(self):
        self.assertTrue(self.open(shop(), "without").evaluate("byId('tab-requests').hidden"))
        tab = self.open(requests())
        self.assertFalse(tab.evaluate("byId('tab-requests').hidden"))
        tab.evaluate("byId('tab-tasks').click(); byId('tab-tasks').focus()")
        tab.press("ArrowRight")
        self.assertEqual(tab.evaluate("document.activeElement.id"), "tab-requests")

    def test_each_request_is_a_row_with_its_status_age_observers_cause_and_failure(self):
        for description in (False, True):
            tab = self.open(requests(description), f"requests-{description}")
            tab.click("#tab-requests")
            self.assertEqual(self.rows(tab, "#requests"), [
                "#1 requests online, active ",
                "album(7) stale, fetching 10 s ago · 1 observer · started by invalidation",
                "album(8) loading no answer · 2 observers · started by observer",
                "album(9) waiting no answer · 0 observers",
                "album(10) failed no answer · 0 observers · started by interval · timedOut: no answer within 5 seconds",
                "change favorite c0ffee sending {id: 7, isOn: true}",
                "#1 part.offline offline, active ",
            ])

    def test_rows_show_the_selected_moment(self):
        tab = self.open(requests())
        tab.click("#tab-requests")
        tab.evaluate("page.show(2)")
        self.assertEqual(self.rows(tab, "#requests")[1], "album(7) loaded 0 ns ago · 1 observer · started by observer")
        tab.evaluate("page.show(0)")
        self.assertEqual(len(self.rows(tab, "#requests")), 2)

    def test_the_selected_request_shows_its_value_as_a_tree(self):
        tab = self.open(requests())
        tab.click("#tab-requests")
        self.choose(tab, "album(7)")
        self.assertIn("title: \"Low!\"", "".join(self.rows(tab, "#requests-value")))
        self.assertIn("label: redacted", "".join(self.rows(tab, "#requests-value")))
        self.assertIn("Started by\ninvalidation", tab.text("#requests-facts"))
        tab.evaluate("page.show(2)")
        self.assertIn("title: \"Low\"", "".join(self.rows(tab, "#requests-value")))
        self.assertTrue(tab.evaluate("byId('requests-commands').hidden"))
        self.choose(tab, "#1 requests")
        self.assertIn("lastFetch: 1", "".join(self.rows(tab, "#requests-value")))

    def test_without_a_time_of_the_cache_the_age_is_a_time_of_its_clock(self):
        recording = requests()
        for entry in recording["entries"]:
            del entry["action"]
        tab = self.open(recording)
        tab.click("#tab-requests")
        self.assertIn("at 2 s of the cache’s clock", self.rows(tab, "#requests")[1])

    def test_damaged_caches_do_no_harm(self):
        recording = requests()
        recording["base"]["1"]["requests"] = {
            "entries": {"a": None, "b": {"id": {"name": {}, "argument": []}, "failure": {"kind": {}}, "answeredAt": [{}, "x"], "cause": 5}},
            "observers": None, "changes": [None, {"id": {}, "name": {}, "status": 4}], "fetches": 0,
        }
        tab = self.open(recording)
        tab.click("#tab-requests")
        for position in range(len(recording["entries"]) + 1):
            tab.evaluate(f"page.show({position})")
            for row in range(len(self.rows(tab, "#requests"))):
                tab.click(f"#requests .row:nth-child({row + 1})")
        self.assertGreater(len(self.rows(tab, "#requests")), 4)


class LiveRequestTests(RequestCase):
    def setUp(self):
        self.server = LiveServer(requests())
        self.addCleanup(self.server.close)
        self.tab = self.visit(self.server.address)
        self.tab.wait_for("byId('connection').textContent === 'Live' && page.recording.length > 0", "it did not connect")
        self.tab.settle()
        self.tab.click("#tab-requests")

    def sent(self, command):
        self.tab.wait_for(f"page.recording.length > {len(requests()['entries']) + len(self.actions)}", "no action was dispatched")
        self.actions.append(command)
        self.assertEqual([command["action"] for command in self.server.commands], self.actions)

    def enabled(self):
        return self.tab.evaluate("[...document.querySelectorAll('#requests-commands button:enabled')].map((button) => button.id)")

    def test_the_buttons_send_actions_to_the_cache(self):
        tab, self.actions = self.tab, []
        album = lambda number: {"name": "album", "argument": str(number)}
        self.assertEqual(self.enabled(), [])
        self.choose(tab, "album(7)")
        self.assertEqual(self.enabled(), ["requests-refetch", "requests-stale", "requests-fail"])
        tab.click("#requests-refetch")
        self.sent({"requests": {"_0": {"refetch": {"_0": album(7)}}}})
        tab.click("#requests-stale")
        self.sent({"requests": {"_0": {"invalidateEntry": {"_0": album(7)}}}})
        self.choose(tab, "album(10)")
        self.assertEqual(self.enabled(), ["requests-refetch", "requests-stale"])
        self.choose(tab, "change favorite")
        self.assertEqual(self.enabled(), ["requests-cancel"])
        tab.click("#requests-cancel")
        self.sent({"requests": {"_0": {"cancelChange": {"_0": "c0ffee"}}}})
        self.choose(tab, "#1 requests")
        self.assertEqual(self.enabled(), [])

    def test_a_fetch_fails_with_a_written_reason(self):
        tab, self.actions = self.tab, []
        self.choose(tab, "album(8)")
        tab.click("#requests-fail")
        self.assertTrue(tab.evaluate("byId('fail').matches(':modal')"))
        tab.press("Escape")
        self.assertEqual(self.server.commands, [])
        tab.click("#requests-fail")
        tab.type("#fail-reason", "out of albums")
        tab.press("Enter")
        failure = {"kind": "thrown", "reason": "out of albums"}
        album = lambda number: {"name": "album", "argument": str(number)}
        # Entry 7 was accepted 15 seconds after the tree was made, and 12 after the first use of the cache.
        self.sent({"requests": {"_0": {"failed": {"fetch": 2, "_1": album(8), "_2": failure, "at": [0, 12 * 10**18]}}}})

    def test_the_selected_request_stays_selected_while_others_come(self):
        self.choose(self.tab, "album(8)")
        entry = {"id": {"name": "album", "argument": "0"}, "isStale": False, "isWaiting": False}
        self.server.append([{"text": "more", "changes": [[["1", "requests", "entries", "a first one"], entry], [["1", "requests", "entries", "album(7)"]]]}])
        self.tab.wait_for(f"page.recording.length > {len(requests()['entries'])}", "the entry did not arrive")
        self.tab.settle()
        self.assertTrue(self.tab.text("#requests .row.active").startswith("album(8)"))
        self.assertIn("album(8)", self.tab.text("#requests-facts"))


class RequestAccessTests(RequestCase):
    def test_texts_have_enough_contrast_and_fit_into_a_narrow_window(self):
        server = LiveServer(requests())
        self.addCleanup(server.close)
        tab = self.visit(server.address)
        tab.wait_for("page.recording.length > 0", "no entries arrived")
        tab.click("#tab-requests")
        self.choose(tab, "album(7)")
        for scheme in ("light", "dark"):
            tab.prefer(scheme)
            found = tab.evaluate(contrasts)
            self.assertEqual({name: contrast for name, contrast in found.items() if contrast < 4.5}, {}, scheme)
        tab.resize(320, 700)
        tab.settle()
        self.assertEqual([tab.evaluate(wide), tab.evaluate(cut)], [[], []])
        tab.click("#requests-fail")
        self.assertLessEqual(tab.evaluate("byId('fail').getBoundingClientRect().right"), 320)
