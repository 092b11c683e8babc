from pathlib import Path

import ludus


def test_ladder_is_a_frame_of_one_game_or_of_all(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    for game in ("nim", "tic-tac-toe"):
        ludus.tournament(game, ["random", "mc:iterations=5"], episodes=2, workers=0, store=store)
    found = ludus.ladder("nim", store=store)
    assert found["agent"].to_list() == ludus.ladder(tournaments=[1], store=store)["agent"].to_list()
    assert len(found) == 2
    assert len(ludus.ladder(store=store, tau=1.2)) == 4
