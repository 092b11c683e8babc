from contests.speed.agents.test_escaping import laid_out
from contests.speed.drawn import drawn
from ludus.contests.speed.agents.chaining import landing, weigh_spaces
from ludus.contests.speed.agents.escaping import look_around
from ludus.contests.speed.agents.walking import place_of
from ludus.contests.speed.game import DOWN, RIGHT, UP

# Player 1 can jump to the right, and from there again, or down, where a somewhat larger space leads nowhere.
ROOMS = (
    ("1" + "." * 7 + "*" + "." * 10 + "*" + "." * 20 + "\n")
    + ("." * 8 + "*" + "." * 10 + "*" + "." * 20 + "\n") * 7
    + ("*" * 40 + "\n")
    + ("." * 8 + "*" * 32 + "\n") * 12
    + ("*" * 39 + "2")
)
PLAYERS = ("0,0,right,1", "39,21,left,1")


def test_a_space_is_worth_more_if_others_can_be_reached_from_it() -> None:
    ground, escape, heads = laid_out(drawn(ROOMS, *PLAYERS))
    look_around(ground, escape, heads, 0)
    weigh_spaces(ground, escape)

    def worth(x: int, y: int) -> int:
        return int(escape.worths[escape.spaces[place_of(ground, x, y)]])

    assert worth(2, 12) == 96
    assert worth(12, 3) == 80 + 0.8 * 160
    assert worth(30, 3) == 160 + 0.8 * 80
    assert worth(2, 2) == 0, "where the player is itself"


def test_a_jump_lands_behind_the_wall_where_it_can_slow_down() -> None:
    ground, _, _ = laid_out(drawn(ROOMS, *PLAYERS))
    assert landing(ground, place_of(ground, 4, 3), RIGHT, 3) == place_of(ground, 9, 3)
    assert landing(ground, place_of(ground, 3, 3), RIGHT, 3) == 0, "on the wall"
    assert landing(ground, place_of(ground, 6, 3), RIGHT, 3) == 0, "no room to speed up"
    assert landing(ground, place_of(ground, 2, 4), DOWN, 3) == place_of(ground, 2, 9)
    assert landing(ground, place_of(ground, 2, 4), UP, 3) == 0, "beyond the edge"
