"""The login: a browser shows the token once and gets a cookie."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ludus.web.access import COOKIE
from ludus.web.rendering import page

router = APIRouter()


@router.get("/login", include_in_schema=False)
def show_login(request: Request, next: str = "/") -> Response:
    """Ask for the token."""
    return page(request, "login.html", "Log in", json="", next=_own_path(next), sentence="")


@router.post("/login", include_in_schema=False)
def log_in(
    request: Request, token: Annotated[str, Form(max_length=500)] = "", next: Annotated[str, Form()] = "/"
) -> Response:
    """Check the token, and return to the page that was asked for."""
    access = request.app.state.site.access
    if not access.admits(token.strip()):
        sentence = "This is not the token of this site: 'ludus serve' printed the token when it started."
        return page(request, "login.html", "Log in", status=403, json="", next=_own_path(next), sentence=sentence)
    answer = RedirectResponse(_own_path(next), 303)
    answer.set_cookie(COOKIE, access.pass_for_browser(), httponly=True, samesite="strict", path="/")
    return answer


def _own_path(path: str) -> str:
    """The path, if it is one of this site: nobody may be led elsewhere."""
    is_own = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_own and path.isprintable() else "/"
