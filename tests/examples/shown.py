"""An example as the studio shows it: its study opened, placed, and swept through its own panel settings."""

from __future__ import annotations

from functools import cache

from rooflinestudio.core.chains import with_chains
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.examples import load_example, machines_of, with_machines, with_origins
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import settings_of
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.sweep import sweep
from rooflinestudio.core.sweep.axes import SweepAxis
from tests.ui.shell_helpers import registry

H100 = "nvidia-h100-sxm5"


@cache
def shown(id_):
    """Return an example, opened; read once per process."""
    return Shown(id_)


class Shown:
    """What an example shows; ``shown[entry]`` is the placement of an entry on its first machine."""

    def __init__(self, id_):
        study = load_example(id_)
        profiles = [registry().load_profile(one) for one in machines_of(study)]
        self.study = with_origins(with_machines(study, profiles), registry())
        self.placed = place(self.study, {}, registry())

    def __getitem__(self, entry_id):
        return self.row(entry_id).placement

    def row(self, entry_id, machine=None):
        rows = self.placed.rows_of(entry_id)
        return next(row for row in rows if machine in (None, row.machine))

    def on(self, entry_id, machine):
        """Return the placement of an entry on one of its machines."""
        return self.row(entry_id, machine).placement

    def details(self, entry_id):
        return registry().details(self[entry_id])

    @property
    def swept_names(self):
        return tuple(self.study.panels["sweep"]["parameter"].split("="))

    def subject(self, entry_id, names=None):
        """Return an entry as something to sweep, the swept parameters left out."""
        entry = self.study.entry(entry_id)
        names = names or self.swept_names
        fixed = {name: value for name, value in entry.parameters.items() if name not in names}
        source = with_chains(registry(), self.study.chains)
        settings = settings_of(entry, self.study.view)
        profile = self.row(entry_id).profile
        return Subject(source, entry.operator, profile, fixed, parse_dtypes(entry.dtypes), settings)

    def swept(self, entry_id, *values):
        """Return the sweep of an entry of the panel, at values inside its range."""
        import numpy as np

        panel = self.study.panels["sweep"]
        assert entry_id in panel["entries"]
        assert all(panel["low"] <= one <= panel["high"] for one in values)
        axis = SweepAxis(self.swept_names, np.array(values, float))
        return sweep(self.subject(entry_id), [axis])
