import pytest

from rooflinestudio.ui.inspector.detail_words import detail_rows


def said(**details):
    return {one.label: one.value for one in detail_rows(details)}


@pytest.mark.parametrize(
    ("key", "value", "label", "text"),
    [
        ("tokens_per_s", 23.64, "tokens per second", "23.6"),
        ("fits", False, "fits into memory", "no"),
        ("fits", True, "fits into memory", "yes"),
        ("max_batch", 138.0, "largest batch that fits", "138"),
        ("weight_bytes", 139_006_066_688.0, "weights read", "139.0 GB"),
        ("kv_bytes_per_token", 327_680.0, "KV cache per token", "327.7 kB"),
        ("parameters", 70_553_706_496, "model parameters", "70.6 billion"),
        ("time_to_first_token_s", 0.034, "time to first token", "34.00 ms"),
        ("time_s_best_routing", 0.0002, "time, best routing", "200.0 µs"),
    ],
)
def test_known_figures_have_words_and_units(key, value, label, text):
    assert said(**{key: value}) == {label: text}


@pytest.mark.parametrize(
    ("key", "value", "label", "text"),
    [
        ("scratch_bytes", 2048.0, "scratch", "2.048 kB"),
        ("warm_up_s", 0.5, "warm up", "500.0 ms"),
        ("gather_bytes_per_s", 1.5e12, "gather", "1.500 TB/s"),
        ("table_flop", 3e9, "table", "3.000 GFLOP"),
        ("frames_per_s", 60.0, "frames", "60/s"),
        ("page_bytes_per_token", 16.0, "page bytes per token", "16.00 B"),
        ("hash_rounds", 12_345, "hash rounds", "12\u202f345"),
        ("occupancy", 0.625, "occupancy", "0.625"),
        ("paged", True, "paged", "yes"),
        ("kernel", "split", "kernel", "split"),
    ],
)
def test_figures_of_strangers_are_shown_by_their_plain_names(key, value, label, text):
    assert said(**{key: value}) == {label: text}


def test_what_cannot_be_said_in_a_line_is_left_out():
    assert said(nested={"a": 1}, listed=[1, 2], missing=None, steps=4) == {"steps": "4"}


def test_known_figures_come_first_and_a_batch_that_does_not_fit_is_marked():
    rows = detail_rows({"own": 1, "devices": 8, "fits": False, "tokens_per_s": 5.0})
    assert [one.key for one in rows] == ["tokens_per_s", "fits", "devices", "own"]
    assert [one.token for one in rows] == ["text", "warn", "text", "text"]


def test_numbers_that_are_no_numbers_do_not_break_it():
    assert said(ratio=float("inf"), other=float("nan")) == {"ratio": "∞", "other": "–"}
