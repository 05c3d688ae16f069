"""README, CONTEXT and CONTRIBUTING say what is true."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
CONTEXT = (REPOSITORY / "CONTEXT.md").read_text(encoding="utf-8")
DOCUMENTS = sorted(REPOSITORY.glob("*.md"))

CASES = """
- {operator: gemm, parameters: {m: 4096, n: 4096, k: 4096}, hardware: nvidia-h100-sxm5, dtype: bf16}
- {operator: add, parameters: {tokens: 4096, width: 4096}, hardware: nvidia-h100-sxm5, dtype: bf16}
"""
NCU_CSV = """\
==PROF== Connected to process 4242 (/tmp/app)
"ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream",\
"Section Name","Metric Name","Metric Unit","Metric Value"
"0","4242","app","127.0.0.1","copy(float *, float *)","2026-Jan-01 00:00:00","1","7",\
"Command line profiler metrics","gpu__time_duration.sum","nsecond","1,000"
"0","4242","app","127.0.0.1","copy(float *, float *)","2026-Jan-01 00:00:00","1","7",\
"Command line profiler metrics","dram__bytes.sum","byte","2,000,000"
"""

COMMANDS = re.findall(r"^rooflinestudio (?:eval|import|operators|profiles|plugins).*$", README, re.MULTILINE)


def test_the_readme_shows_every_command():
    assert {command.split()[1] for command in COMMANDS} == {
        "eval",
        "import",
        "operators",
        "profiles",
        "plugins",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_runs(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(CASES)
    (tmp_path / "gemm.csv").write_text(NCU_CSV)

    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    if "--json" in command:
        json.loads(done.stdout)


def test_every_make_command_of_the_readme_exists():
    targets = set(
        re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    named = {
        command
        for document in DOCUMENTS
        for command in re.findall(
            r"(?:^|`)make ([a-z][a-z-]*)", document.read_text(encoding="utf-8"), re.MULTILINE
        )
    }

    assert {"run", "test", "check"} <= named
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_links_to_is_there(document):
    links = re.findall(r"\]\((?!https?://)([^)#]+)", document.read_text(encoding="utf-8"))

    assert [link for link in links if not (REPOSITORY / link).exists()] == []


def test_every_code_name_of_the_glossary_is_in_the_code():
    names = [name for row in CONTEXT.splitlines() if row.startswith("| ") for name in code_names(row)]
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for package in ("rooflinestudio", "plugins_builtin")
        for path in (REPOSITORY / package).rglob("*.py")
    )

    assert len(names) > 25
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


def code_names(row: str) -> list[str]:
    """Return what stands in backquotes in the second column of a table's row."""
    return re.findall(r"`([A-Za-z_]+)`", row.split("|")[2])
