"""Running a plan: interleaved rounds in worker processes, with progress and cancel."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measurement_figures import MeasurementCancelled, MeasurementError
from rooflinestudio.core.measuring.trials import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from rooflinestudio.core.measuring.trials import Trial

__all__ = ["Outcome", "Runs", "run_plan"]

_FEWEST_ROUNDS: Final = 3
_THREAD_VARIABLES: Final = (
    "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Runs:
    """The seconds of one trial, in the order of the rounds."""

    trial: Trial
    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """The highest rate, in byte/s or FLOP/s."""
        return self.trial.amount / min(self.seconds)

    @property
    def median(self) -> float:
        """The rate of the middle run."""
        return self.trial.amount / median(self.seconds)

    @property
    def low(self) -> float:
        """The lowest rate."""
        return self.trial.amount / max(self.seconds)

    @property
    def spread(self) -> float:
        """How far the runs lie apart: (best - lowest) / median."""
        return (self.best - self.low) / self.median


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that was timed, and what went wrong.

    Attributes
    ----------
    rounds
        Whole rounds that were run; fewer than planned where time ran out.
    """

    runs: Mapping[str, Runs]
    rounds: int
    elapsed_s: float
    notes: tuple[str, ...] = field(default=())


class _Worker:
    """A process with a fixed number of BLAS threads."""

    def __init__(self, threads: int) -> None:
        environment = {**os.environ, **dict.fromkeys(_THREAD_VARIABLES, str(threads))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rooflinestudio.core.measuring.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            start_new_session=True,  # Ctrl+C in a terminal is for the one who asks; this one ends with its input
        )  # fmt: skip

    def seconds(self, trial: Trial) -> float | None:
        """Time one trial; None where it could not be run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(trial.to_json()) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise MeasurementError(
                f"The process that measures ended at {trial.key} (code {self._process.wait()}). "
                "Is NumPy sound, and is there memory enough? Nothing was written."
            )
        found = json.loads(line).get("seconds")
        return None if found is None else float(found)

    def close(self) -> None:
        """End the process."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # it has ended by itself
                    stream.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Workers:
    """One worker for each number of threads, ended together."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._made = {count: _Worker(count) for count in counts}

    def __enter__(self) -> Mapping[int, _Worker]:
        return self._made

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._made.values():
            worker.close()


def run_plan(
    trials: Sequence[Trial],
    progress: Callable[[float], bool] | None = None,
    *,
    rounds: int = ROUNDS,
    at_most_s: float = 100.0,
) -> Outcome:
    """Run every trial once per round, round after round.

    Parameters
    ----------
    progress
        Called with the share that is done, 0 to 1; returns False to cancel.
    at_most_s
        After so long no further round is begun, once three are done.

    Raises
    ------
    MeasurementCancelled
        ``progress`` returned False; the workers are gone then.
    MeasurementError
        A worker ended.
    """
    start = time.monotonic()
    found: dict[str, list[float]] = {}
    failed: dict[str, Trial] = {}
    done = 0
    with _Workers(sorted({one.threads for one in trials})) as workers:
        for round_ in range(rounds):
            if round_ >= _FEWEST_ROUNDS and time.monotonic() - start > at_most_s:
                break
            for at, trial in enumerate(trials):
                if progress is not None and not progress(
                    (round_ * len(trials) + at) / (rounds * len(trials))
                ):
                    raise MeasurementCancelled("Measuring was cancelled; nothing was written.")
                seconds = None if trial.key in failed else workers[trial.threads].seconds(trial)
                if seconds is None:
                    failed[trial.key] = trial
                else:
                    found.setdefault(trial.key, []).append(seconds)
            done += 1
    by_key = {one.key: one for one in trials}
    runs = {key: Runs(by_key[key], tuple(seconds)) for key, seconds in found.items()}
    return Outcome(runs, done, time.monotonic() - start, tuple(_notes(failed, done, rounds)))


def _notes(failed: Mapping[str, Trial], done: int, rounds: int) -> list[str]:
    notes = [f"{key} needs more memory than there is; left out." for key in failed]
    if done < rounds:
        notes.append(f"{done} of {rounds} rounds were run: the machine was busy.")
    return notes
