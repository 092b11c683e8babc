"""Answers from stored episodes: tables, ratings, results, studies."""
