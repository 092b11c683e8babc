"""A bot that is odd in one way: `python3 misbehaving.py KIND`, a function a kind; most play tic-tac-toe or Nim.

What misbehaves does so at its second turn, where nothing else is said. The number of every process is kept in the file
`pids` of its folder. Nothing here goes on for ever, in case nobody ends it.
"""

import contextlib
import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable

LONG = 60
"""Seconds: longer than anybody waits."""
MB = 10**6
CELLS = [letter + number for number in "123" for letter in "abc"]

Answer = Callable[[int, str], str | bytes]
"""The answer, given the number of the turn and a legal move."""

told: dict[str, str] = {}
"""Information received by INFO."""


def say(text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


def complain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def note_pid() -> None:
    with open("pids", "a") as file:
        file.write(f"{os.getpid()}\n")


def legal_move(turn: int, taken: list[str]) -> str:
    """The first one: a free cell, a card, or one object from the first pile that has one."""
    if told["game"] == "tic-tac-toe":
        return next(cell for cell in CELLS if cell not in taken)
    if told["game"] == "goofspiel":
        return str(turn)
    piles = [int(pile) for pile in told["piles"].split("-")]
    for move in taken:
        pile, take = map(int, move.split("-"))
        piles[pile - 1] -= take
    return f"{next(number for number, pile in enumerate(piles, 1) if pile)}-1"


def start_board() -> list[str]:
    """The cells that are taken when the episode begins."""
    if "initial_board" not in told:
        return []
    with open(told["initial_board"]) as file:
        letters = file.read().strip().replace("/", "")
    return [cell for cell, letter in zip(CELLS, letters, strict=True) if letter != "."]


def play(answer: Answer = lambda turn, move: f"{move}\n", ready: str = "OK\n") -> None:
    """Play; `ready` is said when the last of INFO has come."""
    taken: list[str] = []
    own: list[str] = []
    turn = 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "INFO":
            key, _, told[key] = rest.partition(" ")
            if key == "replaced":
                own = [told[key]]
            say(ready if key == "match_name" else "OK\n")
        elif word == "END":
            return
        else:
            if ":" in rest:  # all moves since its last turn, its own included
                taken += [move.partition(":")[2] for move in rest.split()]
            else:
                taken += [*own, *rest.replace(";", " ").split()]
            turn += 1
            taken += start_board() if turn == 1 else []
            move = legal_move(turn, taken)
            own = [move]
            say(answer(turn, move))


def second(trick: Callable[[str], str | bytes]) -> None:
    """Play, and do this at the second turn, given a legal move."""
    play(lambda turn, move: trick(move) if turn == 2 else f"{move}\n")


def first(trick: Callable[[str], str | bytes]) -> None:
    """Play, and do this at the first turn."""
    play(lambda turn, move: trick(move) if turn == 1 else f"{move}\n")


def stay(state: str) -> None:
    """Note that nothing more will come of this process, which stays in this state."""
    with open("stays", "w") as file:
        file.write(f"{os.getpid()} {state}")


def wait(_move: str = "") -> str:
    stay("sleeping")
    time.sleep(LONG)
    return ""


def note(file: str) -> None:
    with open(file, "w"):
        pass


def wait_for(file: str) -> None:
    until = time.monotonic() + LONG
    while not os.path.exists(file) and time.monotonic() < until:
        time.sleep(0.001)


def say_and_wait(text: str) -> str:
    say(text)
    return wait()


# --- Nothing to complain of, or little ------------------------------------------------------------------------------


def computes() -> None:
    def trick(move: str) -> str:
        begun = time.process_time()
        while time.process_time() < begun + 0.2:
            pass
        return f"{move}\n"

    first(trick)


def good() -> None:
    play()


def blank_lines_and_crlf() -> None:
    play(lambda turn, move: f"\r\n\n  {move} \r\n", ready="\r\nOK\r\n")


def says_error_and_moves() -> None:
    second(lambda move: f"ERROR I am confused\n{move}\n")


def says_two_moves() -> None:
    second(lambda move: f"{move}\nc3\n")


def says_two_moves_at_the_end() -> None:
    play(lambda turn, move: f"{move}\nc3\n" if turn == 4 else f"{move}\n")


def answers_before_it_is_asked() -> None:
    play(ready="OK\nb2\n")


def waits_for_the_other() -> None:
    """At each turn, until the other one in its folder has been asked too."""

    def answer(turn: int, move: str) -> str:
        note(f"turn{turn}-seat{told['seat']}")
        wait_for(f"turn{turn}-seat{1 - int(told['seat'])}")
        return f"{move}\n"

    play(answer)


def _wait_until_the_other_is_gone() -> None:
    """One whose folder is beside this one's and is called `hungry`."""
    with open("../hungry/pids") as file:
        other = int(file.read())
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        try:
            os.kill(other, 0)
        except ProcessLookupError:
            return
        time.sleep(0.001)


def waits_until_the_other_is_gone() -> None:
    def trick(move: str) -> str:
        _wait_until_the_other_is_gone()
        return f"{move}\n"

    first(trick)


def gets_ready_when_the_other_is_gone() -> None:
    _wait_until_the_other_is_gone()
    play()


def waits_for_a_sign() -> None:
    """Thinks until there is a file called `go` in its folder, and has a daemon beside it."""

    def trick(move: str) -> str:
        _leave(_become_a_daemon)
        wait_for("go")
        return f"{move}\n"

    first(trick)


def waits_for_company() -> None:
    """Does not move before another one of its kind is playing."""

    def trick(move: str) -> str:
        with open("company", "a") as file:
            file.write("x")
        until = time.monotonic() + LONG
        while os.path.getsize("company") < 2 and time.monotonic() < until:
            time.sleep(0.001)
        return f"{move}\n"

    first(trick)


def stops_up_its_input() -> None:
    """Answers, and fills its own standard input, so that nothing more can be said to it."""

    def trick(move: str) -> str:
        full = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(full, b"x" * 4096)
        return say_and_wait(f"{move}\n")

    first(trick)


def takes_its_time() -> None:
    def answer(turn: int, move: str) -> str:
        time.sleep(0.1)
        return f"{move}\n"

    play(answer)


def says_metrics() -> None:
    play(lambda turn, move: f"METRIC depth {turn}\nMETRIC line {move} and on\nMETRIC value 0.5\nMETRIC\n{move}\n")


def writes_metrics() -> None:
    def answer(turn: int, move: str) -> str:
        with open(f"{told['match_name']}.csv", "a") as file:
            file.write(f"Turn;Nodes\n{move};1\n" if turn == 1 else f"{move};{turn}\n")
        return f"{move}\n"

    play(answer)


def tells_its_log() -> None:
    def answer(turn: int, move: str) -> str:
        complain(f"turn {turn}: {move}")
        return f"{move}\n"

    play(answer)
    complain("farewell")


def tells_what_it_was_told() -> None:
    def trick(move: str) -> str:
        complain("\n".join(f"{key} {value}" for key, value in told.items()))
        if "initial_board" in told:
            with open(told["initial_board"]) as file:
                complain(f"board {file.read()!r}")
        return f"{move}\n"

    first(trick)


def brain(*, at_restart: str = "OK\n") -> None:
    """Speaks the protocol of the Gomocup, and fills the board from the top left."""
    taken: set[str] = set()
    size = 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        complain(line.strip())
        if word in ("START", "RESTART"):
            size = int(rest or size)
            taken.clear()
            say("OK\n" if word == "START" else at_restart)
        elif word in ("BEGIN", "TURN"):
            taken.add(rest)
            cells = (f"{x},{y}" for y in range(size) for x in range(size))
            move = next(cell for cell in cells if cell not in taken)
            taken.add(move)
            say(f"{move}\n")
        elif word == "END":
            return


def brain_without_restart() -> None:
    brain(at_restart="UNKNOWN command\n")


def brain_silent_at_restart() -> None:
    brain(at_restart="")


def floods_its_log() -> None:
    def answer(turn: int, move: str) -> str:
        for number in range(50_000):
            sys.stderr.write(f"turn {turn}, line {number}: {'x' * 20}\n")
        return f"{move}\n"

    play(answer)
    complain("the last line")


def ignores_the_end() -> None:
    play()
    wait()


def talks_after_the_end() -> None:
    play()
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        say("a1\n" * 1000)


def _leave(then: Callable[[], None]) -> None:
    """Start a process that goes on for long."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        then()
        note_pid()
        os.close(theirs)
        wait()
        os._exit(0)
    os.close(theirs)
    os.read(ours, 1)  # until it has noted its pid
    os.close(ours)


def _fork_again() -> None:
    if os.fork():
        os._exit(0)


def _become_a_daemon() -> None:
    os.setsid()
    _fork_again()
    for stream in range(3):
        os.close(stream)
    os.environ.clear()


def _leaving(then: Callable[[], None]) -> None:
    def trick(move: str) -> str:
        _leave(then)
        return f"{move}\n"

    second(trick)


def leaves_a_child() -> None:
    _leaving(lambda: None)


def leaves_a_grandchild() -> None:
    _leaving(_fork_again)


def leaves_a_daemon() -> None:
    _leaving(_become_a_daemon)


def must_be_alone() -> None:
    """Fails unless it is the only one to hold the lock in its folder while it plays."""
    with open("lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            complain("another one of me is playing")
            sys.exit(4)

        def answer(turn: int, move: str) -> str:
            time.sleep(0.002)
            return f"{move}\n"

        play(answer)


# --- Ends by itself -------------------------------------------------------------------------------------------------


def exits_at_once() -> None:
    complain("no model file")
    sys.exit(3)


def exits_in_mid_game() -> None:
    def trick(move: str) -> str:
        raise ValueError("I have no idea")

    second(trick)


def exits_after_its_move() -> None:
    def trick(move: str) -> str:
        say(f"{move}\n")
        sys.exit(0)

    first(trick)


def exits_after_its_last_move() -> None:
    def answer(turn: int, move: str) -> str:
        say(f"{move}\n")
        return sys.exit(0) if turn == 4 else ""

    play(answer)


def exits_and_leaves_a_child() -> None:
    def trick(move: str) -> str:
        _leave(lambda: None)
        os._exit(5)

    second(trick)


def kills_itself() -> None:
    def trick(move: str) -> str:
        complain("farewell")
        os.kill(os.getpid(), signal.SIGSEGV)
        return wait()

    second(trick)


def closes_its_output() -> None:
    def trick(move: str) -> str:
        os.close(1)
        return wait()

    second(trick)


def closes_its_input() -> None:
    def trick(move: str) -> str:
        os.close(0)
        say(f"{move}\n")
        return wait()

    first(trick)


# --- Says no move ---------------------------------------------------------------------------------------------------


def plays_an_illegal_move() -> None:
    def trick(move: str) -> str:
        complain("a1 looks fine")
        return "a1\n"

    second(trick)


def talks_nonsense() -> None:
    second(lambda move: "xyzzy \x1b[2J\n")


def talks_much_nonsense() -> None:
    second(lambda move: "x" * 200_000 + "\n")


def says_what_is_no_text() -> None:
    second(lambda move: b"\xff\xfe\xc0\n")


def says_a_line_of_100_mb() -> None:
    def trick(move: str) -> str:
        for _ in range(100):
            say(b"x" * MB)
        return "\n"

    second(trick)


def says_metrics_without_end() -> None:
    def trick(move: str) -> str:
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            say("METRIC depth 1\n" * 1000)
        return ""

    second(trick)


def says_blank_lines_without_end() -> None:
    def trick(move: str) -> str:
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            say("\n" * 10_000)
        return ""

    second(trick)


# --- Late -----------------------------------------------------------------------------------------------------------


def never_gets_ready() -> None:
    wait()


def is_silent() -> None:
    first(wait)


def thinks_without_end() -> None:
    def trick(move: str) -> str:
        complain("thinking")
        stay("running")
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            pass
        return ""

    first(trick)


def is_a_little_late() -> None:
    def trick(move: str) -> str:
        granted = min(int(told[key]) for key in ("timeout_turn", "timeout_game") if key in told)
        time.sleep((granted + int(told["timeout_grace"]) + 10) / 1000)
        return f"{move}\n"

    first(trick)


def says_error_and_waits() -> None:
    first(lambda move: say_and_wait("ERROR I am lost\n"))


def says_error_until_it_is_asked_again() -> None:
    """At each turn, an error in answer to the first message, and a move in answer to the second."""

    def answer(turn: int, move: str) -> str:
        say("ERROR say that again\n")
        return f"{move}\n" if sys.stdin.readline().strip() else ""

    play(answer)


def says_error_again_and_again() -> None:
    for line in sys.stdin:
        say("OK\n" if line.startswith("INFO") else f"ERROR I am lost after {line.strip()}\n")


def says_half_a_line() -> None:
    first(lambda move: say_and_wait(move[:1]))


def stops_itself() -> None:
    def trick(move: str) -> str:
        stay("stopped")
        os.kill(os.getpid(), signal.SIGSTOP)
        return f"{move}\n"

    first(trick)


def kills_its_manager() -> None:
    def trick(move: str) -> str:
        os.kill(os.getppid(), signal.SIGKILL)
        return wait()

    second(trick)


def kills_its_manager_by_a_child() -> None:
    def trick(move: str) -> str:
        manager = os.getppid()
        if os.fork() == 0:
            os.kill(manager, signal.SIGKILL)
            os._exit(0)
        return wait()

    second(trick)


# --- Takes too much -------------------------------------------------------------------------------------------------


def eats_memory() -> None:
    def trick(move: str) -> str:
        hoard = []
        for _ in range(15):
            hoard.append(b"x" * 10 * MB)
            time.sleep(0.01)
        return wait()

    second(trick)


def eats_memory_after_its_move() -> None:
    def trick(move: str) -> str:
        say(f"{move}\n")
        hoard = b"x" * 200 * MB
        wait_for("never")
        return str(len(hoard))

    first(trick)


def eats_memory_when_ready() -> None:
    for _ in range(100):
        line = sys.stdin.readline()
        say("OK\n")
        if line.startswith("INFO match_name"):
            break
    hoard = b"x" * 200 * MB
    wait_for("never" * bool(hoard))


def computes_after_its_move() -> None:
    """Answers once the other one in its folder has been asked, which waits for it."""

    def trick(move: str) -> str:
        say(f"{move}\n")
        wait_for("asked")
        until = time.process_time() + 0.5
        while time.process_time() < until:
            pass
        note("computed")
        return ""

    first(trick)


def waits_while_the_other_computes() -> None:
    def trick(move: str) -> str:
        note("asked")
        wait_for("computed")
        return f"{move}\n"

    first(trick)


def fills_memory_with_files() -> None:
    def trick(move: str) -> str:
        name = f"/dev/shm/ludus-test-{os.getpid()}"
        with open(name, "wb", buffering=0) as file:
            os.unlink(name)
            for _ in range(64):
                file.write(b"x" * MB)
            return wait()

    second(trick)


def eats_cpu() -> None:
    def trick(move: str) -> str:
        while time.process_time() < LONG:
            pass
        return ""

    second(trick)


def forks_and_forks() -> None:
    def trick(move: str) -> str:
        for _ in range(300):
            if os.fork() == 0:
                note_pid()
                wait()
                os._exit(0)
        return wait()

    second(trick)


def fills_a_file() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python would ignore it

    def trick(move: str) -> str:
        with open("large", "wb", buffering=0) as file:
            for _ in range(64):
                file.write(b"x" * MB)
        return wait()

    second(trick)


def fills_many_files() -> None:
    def trick(move: str) -> str:
        for number in range(64):
            with open(f"file{number}", "wb") as file:
                file.write(b"x" * MB)
        return wait()

    second(trick)


def makes_many_files() -> None:
    def trick(move: str) -> str:
        os.mkdir("many")
        for number in range(20_000):
            with open(f"many/{number}", "wb"):
                pass
        return wait()

    second(trick)


def makes_many_files_move_by_move() -> None:
    def answer(turn: int, move: str) -> str:
        for number in range(500):
            with open(f"{turn}-{number}", "wb"):
                pass
        return f"{move}\n"

    play(answer)


def keeps_helpers_busy() -> None:
    """Computes for long in a child, and in one that has left its session; answers meanwhile."""

    def spin() -> None:
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            pass

    def trick(move: str) -> str:
        for leaves in (False, True):
            ours, theirs = os.pipe()
            if os.fork() == 0:
                os.close(ours)
                if leaves:
                    os.setsid()
                note_pid()
                os.close(theirs)
                spin()
                os._exit(0)
            os.close(theirs)
            os.read(ours, 1)
            os.close(ours)
        return f"{move}\n"

    first(trick)


def opens_many_files() -> None:
    def trick(move: str) -> str:
        files = [open("pids") for _ in range(1000)]  # noqa: SIM115
        return f"{move} {len(files)}\n"

    second(trick)


if __name__ == "__main__":
    note_pid()
    globals()[sys.argv[1]]()
