"""Tables of spe_ed as in docs/strength.md, from games as `ludus store export --csv` writes them, such as docs/results.

`python benchmarks/speed_strength.py docs/results/spe_ed-rollouts.csv` prints Markdown. Files of several runs count
together, each game once.
"""

import argparse
import statistics
from pathlib import Path
from typing import Any

import polars as pl

from ludus.core.text import interval
from ludus.stats import places, several_players
from ludus.stats.intervals import wilson

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


def games_of(files: list[Path]) -> pl.DataFrame:
    """The games of all files: agents and scores as lists, and the rest."""
    games = pl.concat([pl.read_csv(file) for file in files])
    agents, scores = ([name for name in games.columns if name.startswith(kind)] for kind in ("agent_", "score_"))
    games = games.unique(["seed", *agents], maintain_order=True)  # the seed is that of a board, from whichever seats
    return games.with_columns(agents=pl.concat_list(agents), scores=pl.concat_list(scores))


def duels(games: pl.DataFrame) -> pl.DataFrame:
    """Scores of all agents against combi, with Wilson's intervals."""
    seat = (pl.col("agents").list.get(0) == "speed.combi").cast(pl.Int64)  # that of the other
    lines = (
        games.with_columns(agent=pl.col("agents").list.get(seat), score=(1 + pl.col("scores").list.get(seat)) / 2)
        .group_by("agent")
        .agg(
            pl.col("score").sum().alias("won"),
            pl.len().alias("games"),
            (seat == 0).sum().alias("from the first seat"),
            pl.col("plies").median().alias("rounds, median"),
            (pl.col("ending") != "rules").sum().alias("not by the rules"),
        )
        .sort("won", descending=True)
    )
    low, high = wilson(lines["won"], lines["games"])
    scores = zip((lines["won"] / lines["games"]).to_list(), low.tolist(), high.tolist(), strict=True)
    return lines.with_columns(pl.Series("score", [f"{mean:.3f} ({low:.3f}–{high:.3f})" for mean, low, high in scores]))


def field(games: pl.DataFrame) -> pl.DataFrame:
    """Plackett–Luce ratings, points and places of several players."""
    names = sorted(set(games["agents"].explode()))
    numbers = pl.col("agents").list.eval(pl.element().replace_strict(names, list(range(len(names)))))
    tallies = games.select(
        numbers.cast(pl.List(pl.Int64)).alias("seats"), "scores", "ending", episodes=1, fresh=pl.col("fresh").cast(int)
    )
    placings = places.placings_of(tallies, len(games["agents"][0]))
    table = several_players.standings(len(names), places.results(placings), several_players.fit(len(names), placings))
    return table.select(
        agent=pl.Series([f"`{names[number]}`" for number in table["agent"]]),
        games="episodes",
        rating=pl.Series(
            [" ".join(interval(*row)).strip() for row in table.select("rating", "low", "high").iter_rows()]
        ),
        points=pl.col("points").round(3),
        **{place: f"place_{number}" for number, place in enumerate(PLACES[: placings.seats], 1)},
    )


def main() -> None:
    """Print the table of some files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="`episodes.csv` of `ludus store export ID --csv FOLDER`")
    options: Any = parser.parse_args()
    for file in options.files:
        if not file.is_file():
            parser.error(f"There is no file {file}; 'ludus store export ID --csv FOLDER' writes FOLDER/episodes.csv.")
    games = games_of(options.files)
    table = duels(games) if len(games["agents"][0]) == 2 else field(games)
    with pl.Config(tbl_formatting="MARKDOWN", tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True) as config:
        config.set_tbl_cols(-1).set_tbl_rows(-1).set_tbl_width_chars(1000).set_fmt_str_lengths(100)
        print(table)
    boards, rounds = games["seed"].n_unique(), statistics.median(games["plies"])
    print(f"\n{len(games)} games on {boards} boards, {rounds:.0f} rounds in the median.")


if __name__ == "__main__":
    main()
