"""Studies that no file of the user's holds: the empty one at the start, and the examples.

Their machines are read in another process first; the study is there when they are.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from rooflinestudio.ui.profile_reader import ProfileReader

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.study import Study
    from rooflinestudio.ui.studio import Studio

__all__ = ["Opening"]

FIRST_MACHINE: Final = "nvidia-h100-sxm5"


class Opening(QObject):
    """Puts studies with their machines into the session of a studio.

    Attributes
    ----------
    profiles
        Reads machines.
    is_waiting
        Whether the first study is still to come.

    Signals
    -------
    settled
        The first study is there, or it is known that none comes.
    """

    settled = Signal()

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self._studio = studio
        self.is_waiting = True
        self.profiles = ProfileReader(self._refuse, self, safe_mode=studio.options.safe_mode)

    def start(self) -> None:
        """Begin to read the machines of the first study before anything else is imported here."""
        wanted = self._studio.options.example
        if wanted:
            self.open_named(wanted)
        elif wanted is not None:
            self.open_example()
        else:
            self.profiles.read((self._studio.settings.settings.last_machine,), self._show_empty)

    def open_example(self) -> None:
        """Put the tour through everything in place of the open study."""
        from rooflinestudio.ui.example import EXAMPLE_MACHINES

        self.profiles.read(EXAMPLE_MACHINES, self._show_example)

    def open_named(self, id_: str) -> None:
        """Put an example of the gallery in place of the open study; a wrong id is told of."""
        from rooflinestudio.core.errors import StudyFileError
        from rooflinestudio.core.examples import load_example, machines_of

        try:
            study = load_example(id_)
        except StudyFileError as error:
            # At the start there is nobody yet to tell; an empty study comes instead.
            QTimer.singleShot(0, self, partial(self._refuse_example, str(error)))
            return
        self.profiles.read(machines_of(study), partial(self._show_named, study))

    def show_gallery(self) -> None:
        """Offer all examples, each with a picture."""
        from rooflinestudio.ui.gallery.dialog import GalleryDialog

        studio = self._studio
        registry = None if studio.host is None else studio.host.registry
        load = None if registry is None else registry.load_profile
        gallery = GalleryDialog(studio.window, source=registry, load_profile=load, theme=studio.themes.theme)
        gallery.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        gallery.exampleRequested.connect(self.open_named)
        gallery.open()

    # When the machines are there --------------------------------------------------------------------------------

    def _show_empty(self, profiles: tuple[HardwareProfile, ...]) -> None:
        from rooflinestudio.core.study import Study, View

        session = self._studio.session
        known = {one.id: one for one in profiles}
        if not session.study.profiles and not session.is_modified and not session.path:
            session.open(Study(profiles=known, view=View(machines=tuple(known))))
        self._settle()

    def _show_example(self, profiles: tuple[HardwareProfile, ...]) -> None:
        from rooflinestudio.ui.example import example_study

        host = self._studio.host
        self._show(example_study(profiles, host.registry if host is not None else None))

    def _show_named(self, study: Study, profiles: tuple[HardwareProfile, ...]) -> None:
        from rooflinestudio.core.examples import with_machines, with_origins

        study = with_machines(study, profiles)
        host = self._studio.host
        self._show(study if host is None else with_origins(study, host.registry))

    def _show(self, study: Study) -> None:
        first = study.entries[0].id if study.entries else None
        self._studio.inside.files.show(study, then=partial(self._studio.session.select, first))
        self._settle()

    def _refuse(self, id_: str, reason: str) -> None:
        studio = self._studio
        if studio.window.furnishing is not None:
            studio.inside.notices.tell("error", f"The machine {id_} cannot be used", reason)
        if self.is_waiting and id_ != FIRST_MACHINE and studio.options.example is None:
            self.profiles.read((FIRST_MACHINE,), self._show_empty)
        else:
            self._settle()

    def _refuse_example(self, reason: str) -> None:
        self._studio.inside.notices.tell("error", "The example cannot be opened", reason)
        if self.is_waiting:
            self.profiles.read((self._studio.settings.settings.last_machine,), self._show_empty)

    def _settle(self) -> None:
        self.is_waiting = False
        self.settled.emit()
