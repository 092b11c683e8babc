from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ludus.web.access import COOKIE
from support.sites import Served, served

pytestmark = pytest.mark.slow

SECRET = "open sesame"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("local") / "s.db") as site:
        yield site


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("public") / "s.db", "0.0.0.0", SECRET) as site:
        yield site


def log_in(site: Served, token: str, next: str = "/history") -> "tuple[int, str, str]":
    answer = site.ask("POST", "/login", urlencode({"token": token, "next": next}).encode())
    return answer.status, answer.headers.get("Location", ""), answer.headers.get("Set-Cookie", "")


def test_site_for_this_machine_asks_for_no_token(local: Served) -> None:
    assert local.get("/").status == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[", "::"])
def test_site_for_this_machine_refuses_the_names_of_strangers(local: Served, host: str) -> None:
    assert local.get("/", Host=host).status == 421


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1", "[::1]:8000"])
def test_site_for_this_machine_answers_to_its_own_names(local: Served, host: str) -> None:
    assert local.get("/", Host=host).status == 200


def test_page_of_another_site_cannot_send_anything(local: Served) -> None:
    assert local.ask("POST", "/login", b"", Origin="http://evil.example").status == 403
    assert local.ask("POST", "/login", b"", Origin=local.address).status == 303


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/tournaments", "/static/site.css", "/login"])
def test_every_answer_has_the_policy_that_keeps_pages_safe(local: Served, path: str) -> None:
    headers = local.get(path).headers
    assert "script-src 'self';" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_other_address_asks_for_the_token(public: Served) -> None:
    answer = public.get("/history?game=hex")
    assert (answer.status, answer.headers["Location"]) == (303, "/login?next=/history")
    assert public.get("/api/tournaments").status == 401


def test_program_shows_the_token_in_a_header(public: Served) -> None:
    assert public.get("/api/tournaments", Authorization=f"Bearer {SECRET}").status == 200
    assert public.get("/api/tournaments", Authorization="Bearer wrong").status == 401


def test_browser_that_showed_the_token_gets_a_cookie(public: Served) -> None:
    status, location, cookie = log_in(public, SECRET)
    assert (status, location) == (303, "/history")
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert SECRET not in cookie
    assert public.get("/", Cookie=cookie.split(";")[0]).status == 200
    assert public.get("/", Cookie=f"{COOKIE}=wrong").status == 303


def test_wrong_token_gives_no_cookie(public: Served) -> None:
    status, _, cookie = log_in(public, "wrong")
    assert (status, cookie) == (403, "")


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example", "/\\evil.example", "https://evil.example", "/\nSet-Cookie: a=b"]
)
def test_login_leads_to_pages_of_the_site_alone(public: Served, elsewhere: str) -> None:
    assert log_in(public, SECRET, elsewhere)[1] == "/"


def test_new_token_is_drawn_for_another_address(tmp_path: Path) -> None:
    with served(tmp_path / "s.db", "0.0.0.0") as site:
        assert site.access.token_is_new
        assert site.get("/api/tournaments", Authorization=f"Bearer {site.access.token}").status == 200
