"""Pages in a real browser, with everything that they complained of."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield launched
        finally:
            launched.close()


class Visit:
    """A page that was opened; `complaints` are its errors and warnings, `asked` the addresses that it asked for."""

    def __init__(self, browser: Browser, width: int = 1280, *, dark: bool = False, offline: bool = False) -> None:
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        self.page.set_default_timeout(60_000)  # milliseconds: a machine may be slow
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        if offline:
            self.page.context.set_offline(True)

    def is_wider_than_its_window(self) -> bool:
        """True if the page has to be scrolled sideways."""
        found = self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        return bool(found)
