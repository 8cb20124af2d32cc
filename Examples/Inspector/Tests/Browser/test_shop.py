"""The page of a running program: the browser changes the program, and the program changes the page."""

import json
import os
import unittest

from cases import PageCase
from shop_process import ShopProcess


def add(number):
    return {"cart": {"_0": {"add": {"id": number}}}}


class ShopCase(PageCase):
    arguments = ["--still"]

    def setUp(self):
        self.shop = ShopProcess(*self.arguments)
        self.addCleanup(self.shop.end)
        self.tab = self.visit(self.shop.address)
        self.wait_until_live(self.tab)

    def wait_until_live(self, tab):
        tab.wait_for("byId('connection').textContent === 'Live' && page.recording.name === 'Shop'", "it did not connect")

    def wait_for_count(self, count, tab=None):
        tab = tab or self.tab
        tab.wait_for(f"page.recording.length === {count}", f"{count} entries did not arrive")
        tab.settle()

    def dispatch(self, action, tab=None):
        """Types an action as JSON, and dispatches it."""
        tab = tab or self.tab
        if tab.evaluate("byId('dispatch').hidden"):
            tab.click("#dispatch-open")
        tab.type("#dispatch-text", action if isinstance(action, str) else json.dumps(action))
        tab.click("#dispatch .primary")

    def fill_cart(self):
        """Dispatches three actions, and waits until the page and the shop show them."""
        for count, number in enumerate([3, 4, 3], 1):
            self.dispatch(add(number))
            self.wait_for_count(count)
        self.shop.wait_for("cart: 2 × Coffee, 1 × Honey", "total 25.00 €")

    def state(self, *path, tab=None):
        """The value at a path in the root's state, as the page shows it."""
        root = "String([...page.recording.stores.values()].find((store) => store.parent === null).id)"
        tab = tab or self.tab
        return tab.evaluate(f"valueAt(page.recording.states.at(page.position), [{root}, ...{json.dumps(path)}])")


class ShopTests(ShopCase):
    def test_a_typed_action_changes_the_program_and_the_page(self):
        self.fill_cart()
        self.assertEqual(self.tab.evaluate("page.position"), 3)
        self.assertEqual([line["count"] for line in self.state("cart", "lines")], [2, 1])
        self.assertIn("cart", "".join(self.rows(self.tab)))

    def test_traveling_shows_an_earlier_state_and_resuming_restores_the_present(self):
        tab = self.tab
        self.fill_cart()
        tab.evaluate("page.show(1)")
        tab.settle()
        tab.click("#travel")
        self.shop.wait_for("cart: 1 × Coffee |")
        tab.wait_for("byId('program').textContent === 'The program is at 1 of 3, showing an earlier moment.'",
                     "the program's position is not shown")
        tab.click("#step-forward")
        self.shop.wait_for("cart: 1 × Coffee, 1 × Honey")
        tab.click("#step-back")
        self.shop.wait_for("cart: 1 × Coffee |")
        tab.wait_for("page.programPosition === 1", "the program did not step")
        self.dispatch(add(6))
        tab.wait_for("byId('program').textContent.includes('1 action waiting')", "the waiting action is not shown")
        self.shop.wait_for("cart: 1 × Coffee |")
        tab.click("#resume")
        self.shop.wait_for("cart: 2 × Coffee, 1 × Honey, 1 × Cup")
        self.wait_for_count(4)
        tab.wait_for("byId('program').textContent === 'The program is at 4 of 4.'", "the program does not resume")

    def test_the_program_continues_from_an_earlier_moment(self):
        tab = self.tab
        self.fill_cart()
        tab.evaluate("page.show(1)")
        tab.settle()
        tab.click("#travel")
        tab.wait_for("!byId('continue').disabled", "the program does not travel")
        tab.click("#continue")
        self.assertTrue(tab.text("#drop-text").startswith("2 actions are dropped"))
        tab.click("#drop-continue")
        self.wait_for_count(1)
        self.dispatch(add(6))
        self.shop.wait_for("cart: 1 × Coffee, 1 × Cup")
        self.wait_for_count(2)

    def test_an_action_is_left_out_of_the_past_and_included_again(self):
        tab = self.tab
        self.fill_cart()
        tab.evaluate("page.show(1)")
        tab.settle()
        tab.click("#toggle")
        self.shop.wait_for("cart: 1 × Honey, 1 × Coffee")
        tab.wait_for("page.entry?.skipped === true || page.recording.entries[0].skipped === true", "the action is not left out")
        tab.evaluate("page.show(1)")
        tab.settle()
        tab.click("#toggle")
        self.shop.wait_for("cart: 2 × Coffee, 1 × Honey")
        tab.wait_for("page.recording.entries[0].skipped !== true", "the action is not included again")
        tab.click("#resume")
        tab.wait_for("byId('resume').disabled", "the program does not resume")

    def test_an_epoch_is_left_out_with_everything_it_caused(self):
        tab = self.tab
        self.dispatch({"search": {"_0": {"type": {"_0": "honey"}}}})
        self.shop.wait_for("search “honey”: 1 found")
        self.wait_for_count(2)
        self.assertEqual(tab.evaluate("page.recording.entries[1].cause.kind"), "task")
        self.assertEqual(tab.evaluate("[...page.recording.tasks.values()].map((task) => task.outcome).join()"), "finished")
        tab.evaluate("page.show(1)")
        tab.settle()
        tab.click("#toggle-epoch")
        self.shop.wait_for("search “”: 0 found")
        tab.wait_for("page.recording.entries.every((entry) => entry.skipped)", "part of the epoch is not left out")

    def test_during_a_pause_new_entries_wait(self):
        tab = self.tab
        self.dispatch(add(1))
        self.wait_for_count(1)
        tab.click("#pause")
        self.dispatch(add(2))
        self.shop.wait_for("Black tea")
        tab.wait_for("byId('program').textContent.includes('not shown yet')", "the number of hidden events is not shown")
        self.assertEqual(tab.evaluate("page.recording.length"), 1)
        tab.click("#pause")
        self.wait_for_count(2)

    def test_following_ends_with_a_selection_and_can_be_resumed(self):
        tab = self.tab
        self.fill_cart()
        tab.evaluate("byId('list').focus()")
        tab.press("Home")
        self.assertFalse(tab.evaluate("byId('follow').checked"))
        self.dispatch(add(6))
        self.wait_for_count(4)
        self.assertEqual(tab.evaluate("page.position"), 1)
        tab.click("#follow")
        self.assertEqual(tab.evaluate("page.position"), 4)

    def test_two_browsers_show_the_same(self):
        other = self.visit(self.shop.address)
        self.wait_until_live(other)
        # A page in the background draws nothing.
        self.tab.call("Page.bringToFront")
        self.fill_cart()
        other.call("Page.bringToFront")
        self.wait_for_count(3, other)
        other.evaluate("page.show(2)")
        other.settle()
        other.click("#travel")
        self.shop.wait_for("cart: 1 × Coffee, 1 × Honey")
        self.tab.call("Page.bringToFront")
        self.tab.wait_for("page.programPosition === 2", "the first browser did not receive the position")

    def test_requests_are_fetched_again_marked_stale_and_failed(self):
        tab = self.tab
        row = "[...document.querySelectorAll('#requests .row')].find((row) => row.textContent.startsWith('stock({})'))"

        def wait_for_stock(number, text):
            tab.wait_for(f"{row.format(number)}?.textContent.includes({json.dumps(text)})", f"stock({number}) is not {text}")
            tab.settle()

        for number in (3, 5):
            self.dispatch({"requests": {"_0": {"prefetch": {"_0": {"name": "stock", "argument": str(number)}}}}})
        tab.click("#tab-requests")
        wait_for_stock(3, "loaded")
        tab.evaluate(f"{row.format(3)}.click()")
        self.assertIn("value: 9", "".join(self.rows(tab, "#requests-value")))
        tab.click("#requests-stale")
        wait_for_stock(3, "stale")
        tab.click("#requests-refetch")
        wait_for_stock(3, "loaded")
        self.assertIn("started by refetch", tab.evaluate(f"{row.format(3)}.textContent"))
        wait_for_stock(5, "loading")
        tab.evaluate(f"{row.format(5)}.click()")
        tab.click("#requests-fail")
        tab.type("#fail-reason", "out of teapots")
        tab.press("Enter")
        wait_for_stock(5, "thrown: out of teapots")
        self.assertTrue(tab.evaluate("byId('requests-fail').disabled"))

    def test_no_answer_contains_a_secret(self):
        number = "4929 7128 6620 1734"
        self.dispatch({"payment": {"_0": {"pay": {"amount": 100, "card": {"number": number}}}}})
        self.shop.wait_for("payment done")
        self.tab.wait_for("page.recording.entries.some((entry) => entry.text.includes('succeeded'))", "the payment did not end")
        shown = self.tab.evaluate("JSON.stringify([page.recording.entries, page.recording.base])")
        self.assertNotIn("4929", shown)
        self.assertIn("redacted", shown)

    def test_no_other_machine_is_contacted(self):
        self.fill_cart()
        own = self.shop.address
        self.assertEqual([request for request in self.tab.requests() if not request.startswith((own, "data:"))], [])


class RefusalTests(ShopCase):
    """Refused requests, which the browser itself reports in its console."""

    expects_complaints = True

    def test_an_invalid_action_is_reported_in_a_sentence(self):
        self.dispatch('{"cart": {"_0": {"add": {"id": "three"}}}}')
        self.tab.wait_for("byId('notice-text').textContent.startsWith('This is not an action of the program: ')",
                          "the refusal is not shown")
        self.assertIn("cart._0.add.id", self.tab.text("#notice-text"))
        self.shop.wait_for("cart: empty")

    def test_another_address_is_refused(self):
        secret = self.shop.address.rstrip("/").split("/")[-1]
        other = self.visit(self.shop.address.replace(secret, secret[::-1]))
        self.assertIn("There is nothing at this address.", other.text("body"))


class CustomerTests(ShopCase):
    """The shop with a customer, who acts without the browser."""

    arguments = []

    def test_the_page_follows_a_running_program(self):
        tab = self.tab
        tab.wait_for("page.recording.entries.some((entry) => entry.text.startsWith('payment(.succeeded'))",
                     "no payment has succeeded")
        tab.wait_for("[...page.recording.stores.values()].some((store) => store.gone !== undefined)",
                     "no child store was released")
        failures = tab.evaluate("page.recording.entries.filter((entry) => entry.text.startsWith('payment(.failed')).length")
        self.assertGreaterEqual(failures, 2)
        first = tab.evaluate("page.position")
        tab.wait_for(f"page.position > {first}", "the page does not follow")


@unittest.skipUnless(os.environ.get("ARBOR_SCREENSHOTS"), "ARBOR_SCREENSHOTS is not set")
class ScreenshotTests(ShopCase):
    arguments = []

    def test_screenshots(self):
        folder = os.environ["ARBOR_SCREENSHOTS"]
        tab = self.tab
        tab.wait_for("page.recording.length > 30", "the shop has stopped")
        for name, scheme, width, height in [
            ("light", "light", 1440, 900), ("dark", "dark", 1440, 900), ("narrow", "light", 320, 2400),
        ]:
            tab.prefer(scheme)
            tab.resize(width, height)
            tab.settle()
            tab.screenshot(os.path.join(folder, f"{name}.png"))
        tab.prefer("light")
        tab.resize(1440, 900)
        tab.evaluate("page.show(12)")
        tab.settle()
        tab.click("#travel")
        tab.wait_for("!byId('resume').disabled", "the program does not travel")
        tab.click("#dispatch-open")
        tab.settle()
        tab.screenshot(os.path.join(folder, "travelling.png"))
        tab.resize(320, 1400)
        tab.settle()
        tab.screenshot(os.path.join(folder, "travelling-narrow.png"))
        tab.resize(1440, 900)
        for name in ["stores", "tasks", "requests", "metrics"]:
            tab.click(f"#tab-{name}")
            if name == "requests":
                tab.click("#requests .row:nth-child(2)")
            tab.settle()
            tab.screenshot(os.path.join(folder, f"{name}.png"))


if __name__ == "__main__":
    unittest.main()
