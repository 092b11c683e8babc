import numpy as np
import pytest

from ludus.stats.ratings.sprt import Model, Sprt
from sequential import Setting, coverage, games, run


@pytest.mark.parametrize("trinomial", [False, True])
@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize("truth", [-200, 0, 60])
def test_simulated_test_stops_where_a_real_one_does(truth: float, model: Model, trinomial: bool) -> None:
    setting = Setting(100, truth, 0.3, trinomial, model)
    for seed in range(3):
        real = Sprt(0, 100, model=model, trinomial=trinomial)
        for pair in np.random.default_rng(seed).choice(3, (400, 2), p=games(setting)).tolist():
            real.add(*pair)
        simulated = run(setting, games(setting), np.random.default_rng(seed))
        assert (simulated.verdict, simulated.bins) == (real.verdict, real.bins)
        assert simulated.estimate == real.estimate


def test_truth_of_the_normalised_model_is_in_deviations_of_a_game() -> None:
    lost, tied, won = games(Setting(40, 40, 0.4, model="normalised"))
    mean = won + tied / 2
    assert tied == pytest.approx(0.4)
    assert lost + tied + won == pytest.approx(1)
    assert (mean - 0.5) / np.sqrt(won + tied / 4 - mean**2) * 800 / np.log(10) == pytest.approx(40)


def test_coverage_of_a_test_that_cannot_end_is_that_of_the_plain_interval() -> None:
    found = coverage(Setting(5, 0, 0.3, most=20), 20, np.random.default_rng(1))
    assert (found.undecided, found.pairs) == (1, 20)
    assert found.plain == found.corrected > 0.8
