from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Openings, Tournament
from ludus.web.links import SiteLinks


def cup(plies: int = 0) -> Tournament:
    return make_tournament("tic-tac-toe", ["random", "mcts"], opening_plies=plies)


def test_names_are_safe_in_addresses() -> None:
    links = SiteLinks(3, cup())
    assert links.agent("a/b?c#d <e>") == "/agents/a%2Fb%3Fc%23d%20%3Ce%3E"
    assert links.episodes(agent="a&b=c") == "/history?tournament=3&agent=a%26b%3Dc"
    assert links.episode("3/1.2") == "/episodes/3/1.2"


def test_first_seat_is_asked_for_where_it_begins() -> None:
    assert SiteLinks(3, cup()).episodes(agent="a", first="a") == "/history?tournament=3&agent=a&first=a"
    assert Openings(plies=1) == cup(1).openings
    assert SiteLinks(3, cup(1)).episodes(agent="a", first="a") == "/history?tournament=3&agent=a"
