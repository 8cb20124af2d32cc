"""A headless browser, controlled through a pipe with JSON messages that each end with a zero byte."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """A running chromium. Its profile is a temporary folder that is removed at the end."""

    def __init__(self):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise RuntimeError("chromium is not on the path; run apt-get install --no-install-recommends chromium")
        self.profile = tempfile.TemporaryDirectory(prefix="arbor-page-", ignore_cleanup_errors=True)
        command_read, self.command = os.pipe()
        self.answer, answer_write = os.pipe()
        # The browser reads from descriptor 3 and writes to descriptor 4.
        script = f'exec "$@" 3<&{command_read} 4>&{answer_write}'
        arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--force-device-scale-factor=1",
            f"--user-data-dir={self.profile.name}", "about:blank",
        ]
        self.process = subprocess.Popen(
            ["bash", "-c", script, "browser", *arguments], pass_fds=(command_read, answer_write),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(command_read)
        os.close(answer_write)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.answers = {}

    def send(self, method, session=None, **parameters):
        """Sends a command, and returns its number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.command, data):]
        return self.number

    def call(self, method, session=None, seconds=120, **parameters):
        """Sends a command, and waits for its answer."""
        number = self.send(method, session, **parameters)
        self.read_until(lambda: number in self.answers, f"{method} was not answered", seconds)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error'].get('message')}")
        return answer.get("result", {})

    def read_until(self, condition, failure, seconds=120):
        """Reads messages of the browser until a condition holds."""
        end = time.monotonic() + seconds
        while not condition():
            ready, _, _ = select.select([self.answer], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(failure)
            read = os.read(self.answer, 1 << 20)
            if not read:
                raise RuntimeError(f"the browser ended: {failure}")
            *messages, self.buffer = (self.buffer + read).split(b"\0")
            for text in messages:
                message = json.loads(text)
                if "id" in message:
                    self.answers[message["id"]] = message
                else:
                    self.events.append(message)

    def close(self):
        try:
            self.call("Browser.close", seconds=10)
        except (RuntimeError, TimeoutError, OSError):
            self.process.kill()
        self.process.wait()
        os.close(self.command)
        os.close(self.answer)
        self.profile.cleanup()


class Tab:
    """A page in a browser, with its errors and warnings."""

    def __init__(self, browser, width=1440, height=900):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance", "Accessibility"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        """Sets the color scheme of the system: "light" or "dark"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        first = len(self.browser.events)
        self.call("Page.navigate", url=address)
        loaded = lambda: any(
            event["method"] == "Page.loadEventFired" and event.get("sessionId") == self.session
            for event in self.browser.events[first:]
        )
        self.browser.read_until(loaded, f"{address} did not load")
        self.settle()

    def evaluate(self, expression):
        """Returns the value of an expression in the page. If it is a promise, waits for it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def settle(self):
        """Waits until the page has drawn twice, so that all work scheduled for a frame is done."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def wait_for(self, expression, failure, seconds=30):
        """Waits until an expression in the page is true. It is evaluated in every frame."""
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise AssertionError(failure)
            self.settle()

    def press(self, key, text=None):
        codes = {"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27, "Tab": 9,
                 "Home": 36, "End": 35, "PageDown": 34, "PageUp": 33}
        parameters = {"key": key, "windowsVirtualKeyCode": codes.get(key, 0)}
        if text is None and len(key) == 1:
            text = key
        if key == "Enter":
            text = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)
        self.settle()

    def type(self, selector, text):
        """Replaces the text in a field."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select?.()")
        if text:
            self.call("Input.insertText", text=text)
        else:
            self.evaluate(f"{{const f = document.querySelector({json.dumps(selector)}); f.value = ''; f.dispatchEvent(new Event('input'))}}")
        self.settle()

    def click(self, selector):
        """Clicks in the middle of an element."""
        box = self.evaluate(f"""(() => {{
            const found = document.querySelector({json.dumps(selector)});
            if (!found) return null;
            found.scrollIntoView({{block: "nearest"}});
            const box = found.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")
        if not box:
            raise AssertionError(f"there is no {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.settle()

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def complaints(self):
        """The page's console messages, exceptions and dialogs."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description") or "an exception")
            elif method == "Runtime.consoleAPICalled":
                found.append(f"console.{parameters['type']}")
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                found.append(f"dialog: {parameters['message']}")
        return found

    def requests(self):
        """The addresses that the page has requested."""
        return [
            event["params"]["request"]["url"] for event in self.browser.events
            if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"
        ]

    def script_seconds(self):
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration")

    def screenshot(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        self.browser.events = [event for event in self.browser.events if event.get("sessionId") != self.session]
