from ludus.core.seeds import drawn_seed


def test_drawn_seeds_cannot_be_found_by_trying_all() -> None:
    drawn = [drawn_seed() for _ in range(100)]
    assert len(set(drawn)) == 100
    assert max(drawn) > 2**50
    assert max(drawn) < 2**53, "JavaScript knows larger numbers roughly"
