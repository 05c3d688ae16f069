"""What is said of a file that was imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rooflinestudio.core.importing.answer import ImportAnswer, ImportWish
    from rooflinestudio.ui.notices import NoticeArea, NoticeBanner

__all__ = ["has_columns_to_change", "tell_taken"]


def tell_taken(
    notices: NoticeArea,
    name: str,
    count: int,
    wish: ImportWish,
    answer: ImportAnswer,
    *,
    other_machine: str = "",
) -> NoticeBanner:
    """Tell how many kernels came, with the reader's sentences, and where they were measured if that is not in view."""
    has_columns = has_columns_to_change(wish, answer)
    texts = answer.warnings
    if wish.recalled:
        texts = ("The columns are those of the last table with these heads.", *texts)
    # Of a table the warnings say first what was taken for what.
    tone: Literal["info", "warn"] = "info" if has_columns or not answer.warnings else "warn"
    texts = (*filter(None, (other_machine,)), *texts)
    stays = has_columns or bool(other_machine)
    return notices.tell(tone, _success(name, count), "\n".join(texts), stays=stays)


def has_columns_to_change(wish: ImportWish, answer: ImportAnswer) -> bool:
    """Whether the file is a table whose columns can be said anew."""
    return answer.proposal is not None or bool(wish.columns)


def _success(name: str, count: int) -> str:
    return f"{count:,} measured kernel{'' if count == 1 else 's'} from {name}".replace(",", "\u202f")
