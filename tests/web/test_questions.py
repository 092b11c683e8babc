import subprocess
import threading
from typing import Any

import pytest

from ludus.core.errors import BusyError, InvalidError
from ludus.web.questions import AT_ONCE, ask
from support.seer import record_of

pytestmark = pytest.mark.slow


def question(**changed: Any) -> dict[str, Any]:
    record = record_of("tic-tac-toe", "random", "random")
    asked = {"record": record, "place": 0, "steps": [], "seat": 0, "agent": "random", "time": 10**8}
    return {**asked, **changed}


def test_a_process_answers_with_a_move() -> None:
    assert ask("Anna", question())["move"] in {f"{column}{row}" for column in "abc" for row in "123"}


@pytest.mark.parametrize("changed", [{"seat": 1}, {"steps": [["z9"]]}, {"agent": "nobody"}, {"place": 999}])
def test_a_question_without_an_answer_is_refused_in_a_sentence(changed: dict[str, Any]) -> None:
    with pytest.raises(InvalidError, match=r"^[A-Z'].*"):
        ask("Anna", question(**changed))


def test_a_visitor_waits_for_one_answer_and_all_visitors_share_few(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, done = threading.Semaphore(0), threading.Event()
    run = subprocess.run

    def slow(*arguments: Any, **options: Any) -> Any:
        begun.release()
        done.wait()
        return run(*arguments, **options)

    monkeypatch.setattr(subprocess, "run", slow)
    threads = [threading.Thread(target=ask, args=(f"visitor {n}", question())) for n in range(AT_ONCE)]
    for thread in threads:
        thread.start()
        begun.acquire()
    with pytest.raises(BusyError, match="for you"):
        ask("visitor 0", question())
    with pytest.raises(BusyError, match="for others"):
        ask("another visitor", question())
    done.set()
    for thread in threads:
        thread.join()
    assert ask("visitor 0", question())["move"]


def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.web.questions._START", -4.999)
    with pytest.raises(BusyError, match="took too long"):
        ask("Anna", question())
