"""The running demo: its address and its output lines."""

import os
import subprocess
import threading

here = os.path.dirname(os.path.abspath(__file__))
program = os.environ.get("INSPECTOR") or os.path.join(here, "..", "..", ".build", "debug", "inspector")


class ShopProcess:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.address = self.process.stdout.readline().strip()
        self.lines = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()

    def wait_for(self, *texts, seconds=30):
        """Waits until the newest line contains all these texts."""
        shows = lambda: self.lines and all(text in self.lines[-1] for text in texts)
        with self.changed:
            if not self.changed.wait_for(shows, seconds):
                raise AssertionError(f"the shop shows {self.lines[-1:]} instead of {texts}")

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
