from pathlib import Path

from ludus.stats.early_ends import with_early
from ludus.store import open_store
from support.stored_results import play

BROKEN = """
from ludus import Agent, Choice


class Broken(Agent):
    "Breaks at its first move."

    name = "broken"

    def begin(self, game, seat, seed):
        pass

    def choose(self, view, clock):
        raise RuntimeError("broken")
"""


def test_the_fault_of_an_opponent_ends_an_episode_early(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    with open_store(str(tmp_path / "s.db")) as store:
        id = play(store, "tic-tac-toe", ["random", str(tmp_path / "broken.py"), "mc:iterations=2"])
        seats = store.matches(id)["seats"].to_list()
        episodes = store.episodes(id).join(store.matches(id), on=["repetition", "match"], maintain_order="left")
        early = with_early(episodes, store, id)["early"].to_list()
        assert early == [[seated[1] == 1, seated[0] == 1] for seated in seats]
