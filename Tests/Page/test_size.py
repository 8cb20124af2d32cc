"""Long recordings open and scroll, and the document doesn't grow with them."""

import json

from cases import PageCase
from recordings import long
from states import state_at


class SizeTests(PageCase):
    def check(self, entries):
        recording = long(entries)
        length = len(recording["entries"])
        text = json.dumps(recording)
        tab = self.open(text)
        opening = tab.script_seconds()
        self.assertEqual(tab.text("#count"), f"{length:,} actions")
        most = 0

        def count():
            nonlocal most
            most = max(most, tab.evaluate("document.querySelectorAll('.row').length"))

        scrolled = tab.script_seconds()
        for step in range(40):
            tab.evaluate(f"byId('list').scrollTop = byId('list').scrollHeight * {step} / 39")
            tab.settle()
            count()
        self.assertIn(recording["entries"][-1]["text"], self.rows(tab)[-1])
        scrolled = tab.script_seconds() - scrolled
        dragged = tab.script_seconds()
        for step in range(60):
            position = (step * 7919 * length // 60) % length
            tab.evaluate(f"byId('slider').value = {position}; byId('slider').dispatchEvent(new Event('input'))")
            tab.settle()
            count()
        dragged = tab.script_seconds() - dragged
        searched = tab.script_seconds()
        tab.type("#search", "honey")
        tab.type("#path", "cart.items.*.count")
        count()
        searched = tab.script_seconds() - searched
        tab.click("#clear")
        tab.click("#grouped")
        count()
        tab.evaluate(f"page.show({length // 2 + 17})")
        self.assertEqual(json.loads(tab.evaluate("JSON.stringify(page.recording.states.at(page.position))")),
                         state_at(recording, length // 2 + 17))
        print(f"\n  {length:,} entries, {len(text) / 1e6:.1f} MB: opened with {opening * 1e3:.0f} ms of script, a screen of scrolling "
              f"{scrolled / 40 * 1e3:.1f} ms, a move of the slider {dragged / 60 * 1e3:.1f} ms, two searches {searched * 1e3:.0f} ms; "
              f"at most {most} rows in the document")
        self.assertGreater(most, 20)
        self.assertLessEqual(most, 200)

    def test_10_000_entries(self):
        self.check(10_000)

    def test_100_000_entries(self):
        self.check(100_000)

    def test_a_tall_window_has_no_more_rows(self):
        self.height = 12_000
        tab = self.open(long(2_000))
        tab.evaluate("page.recording.base['1'].wide = Array.from({length: 500}, (_, place) => place)")
        tab.evaluate("page.show(0); page.reveal(['1', 'wide', 0])")
        self.assertGreater(tab.evaluate("page.tree.count"), 200)
        self.assertGreater(tab.evaluate("document.querySelectorAll('#state .row').length"), 80)
        self.assertLessEqual(tab.evaluate("document.querySelectorAll('.row').length"), 200)
        self.assertGreater(tab.evaluate("document.querySelectorAll('#list .row').length"), 80)
