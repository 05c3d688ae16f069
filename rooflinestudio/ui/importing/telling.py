"""What is said of a file that was imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis.device import DeviceMatch
    from rooflinestudio.core.importing.answer import ImportAnswer, ImportWish
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.ui.notices import NoticeArea, NoticeBanner
    from rooflinestudio.ui.session import Session

__all__ = ["above_roof", "has_columns_to_change", "other_machine", "tell_overlay", "tell_taken"]


def tell_taken(
    notices: NoticeArea,
    name: str,
    count: int,
    wish: ImportWish,
    answer: ImportAnswer,
    *,
    doubt: str = "",
) -> NoticeBanner:
    """Tell how many kernels came, with the reader's sentences.

    Parameters
    ----------
    doubt
        That they were measured on a machine that is not in view, or that some stand above the roof; else empty.
    """
    has_columns = has_columns_to_change(wish, answer)
    texts = answer.warnings
    if wish.recalled:
        texts = ("The columns are those of the last table with these heads.", *texts)
    # Of a table the warnings say first what was taken for what.
    tone: Literal["info", "warn"] = "warn" if doubt or (answer.warnings and not has_columns) else "info"
    texts = (*filter(None, (doubt,)), *texts)
    stays = has_columns or bool(doubt)
    return notices.tell(tone, _success(name, count), "\n".join(texts), stays=stays)


def tell_overlay(
    session: Session, notices: NoticeArea, name: str, overlay: Overlay, wish: ImportWish, answer: ImportAnswer
) -> tuple[NoticeBanner, DeviceMatch[Any] | None]:
    """Tell of a file that lies over the study now; return the banner, and the machine to offer there."""
    match, doubt = other_machine(session, overlay)
    doubt = doubt or above_roof(session, overlay)
    return tell_taken(notices, name, len(overlay), wish, answer, doubt=doubt), match


def has_columns_to_change(wish: ImportWish, answer: ImportAnswer) -> bool:
    """Whether the file is a table whose columns can be said anew."""
    return answer.proposal is not None or bool(wish.columns)


def other_machine(session: Session, overlay: Overlay) -> tuple[DeviceMatch[Any] | None, str]:
    """Return the machine that a file was measured on where it is not in view, and what to say of that."""
    from rooflinestudio.core.importing.devices import machine_to_show, other_machine_words
    from rooflinestudio.ui.ceilings.known import KnownMachines

    study, placed, source = session.study, session.placed, session.source
    shown = [placed.profiles[id_] for id_ in study.view.machines if id_ in placed.profiles]
    entries = getattr(getattr(source, "registry", source), "profiles", ())
    known = KnownMachines(entries, present={**study.profiles, **placed.profiles}).entries
    match = machine_to_show(overlay.texts("device")[1], shown, known)
    return match, "" if match is None else other_machine_words(match, shown)


def above_roof(session: Session, overlay: Overlay) -> str:
    """Say how many kernels stand above the roof that they are held against in the window."""
    from rooflinestudio.core.importing.above import above_roof_words
    from rooflinestudio.core.measured.held import strong_profile

    return above_roof_words(overlay, strong_profile(session.placed, session.machine))


def _success(name: str, count: int) -> str:
    return f"{count:,} measured kernel{'' if count == 1 else 's'} from {name}".replace(",", "\u202f")
