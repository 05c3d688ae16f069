"""What is said of a file that was imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rooflinestudio.core.importing.answer import ImportAnswer, ImportWish
    from rooflinestudio.ui.notices import NoticeArea, NoticeBanner

__all__ = ["tell_taken"]


def tell_taken(
    notices: NoticeArea, name: str, count: int, wish: ImportWish, answer: ImportAnswer
) -> NoticeBanner | None:
    """Tell how many kernels came, with the reader's sentences; return the banner where its columns can be changed."""
    has_columns = answer.proposal is not None or bool(wish.columns)
    texts = answer.warnings
    if wish.recalled:
        texts = ("The columns are those of the last table with these heads.", *texts)
    # Of a table the warnings say first what was taken for what.
    tone: Literal["info", "warn"] = "info" if has_columns or not answer.warnings else "warn"
    banner = notices.tell(tone, _success(name, count), "\n".join(texts), stays=has_columns)
    return banner if has_columns else None


def _success(name: str, count: int) -> str:
    return f"{count:,} measured kernel{'' if count == 1 else 's'} from {name}".replace(",", "\u202f")
