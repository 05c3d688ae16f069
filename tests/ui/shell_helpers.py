"""Small studies and sources for tests of the window's shell."""

from __future__ import annotations

from functools import cache

from rooflinestudio.core.study import Entry, PluginRef, Study, View
from rooflinestudio.plugins.host import PluginHost

H100, A100 = "nvidia-h100-sxm5", "nvidia-a100-sxm4-80gb"

NCU_LONG = """\
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",\
"Section Name","Metric Name","Metric Unit","Metric Value"
"0","71","app","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0",\
"Command line profiler metrics","dram__bytes_read.sum","byte","8388608"
"0","71","app","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0",\
"Command line profiler metrics","dram__bytes_write.sum","byte","4194304"
"0","71","app","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0",\
"Command line profiler metrics","gpu__time_duration.sum","nsecond","6000"
"0","71","app","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0",\
"Command line profiler metrics","smsp__sass_thread_inst_executed_op_fadd_pred_on.sum","inst","0"
"0","71","app","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0",\
"Command line profiler metrics","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum","inst","1048576"
"0","71","app","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0",\
"Command line profiler metrics","smsp__sass_thread_inst_executed_op_fmul_pred_on.sum","inst","0"
"""
"""One launch: 1 048 576 fused multiply-adds (2 097 152 FLOP), 12 582 912 bytes at dram, 6 µs."""


@cache
def registry():
    """Return the built-in operators and machines."""
    host = PluginHost.discover(disable="all")
    host.load_builtins()
    return host.registry


def gemm(id_="gemm-1", *, m=4096, n=4096, k=4096, **more):
    return Entry(
        id_,
        "gemm",
        PluginRef("rooflinestudio", ""),
        {"m": m, "n": n, "k": k},
        label=more.pop("label", "GEMM"),
        **more,
    )


def study(*entries, machines=(H100,), **view):
    profiles = {id_: registry().load_profile(id_) for id_ in machines}
    return Study(entries=entries, profiles=profiles, view=View(machines=machines, **view))


class Answers:
    """Stands for the user: answers every question with what the test laid down, and notes what was asked."""

    def __init__(self):
        self.open_path, self.save_path, self.export_path = "", "", ""
        self.import_paths, self.unsaved, self.profile_path = [], "cancel", ""
        self.table_path = ""
        self.asked = []

    def study_to_open(self, folder):
        self.asked.append(("open", folder))
        return str(self.open_path)

    def place_to_save(self, suggestion):
        self.asked.append(("save", suggestion))
        return str(self.save_path)

    def files_to_import(self, folder):
        self.asked.append(("import", folder))
        return [str(one) for one in self.import_paths]

    def place_to_export(self, suggestion, kinds):
        self.asked.append(("export", suggestion, kinds))
        return str(self.export_path)

    def profile_to_import(self, folder):
        self.asked.append(("profile", folder))
        return str(self.profile_path)

    def table_to_place(self, folder):
        self.asked.append(("table", folder))
        return str(self.table_path)

    def about_unsaved(self, name):
        self.asked.append(("unsaved", name))
        return self.unsaved


def large_csv(path, launches):
    """Write a long table of one kernel, launched so often."""
    head, *_ = NCU_LONG.splitlines()
    row = '"{0}","71","app","h","saxpy(int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0","s","{1}","{2}","{3}"'
    with path.open("w") as stream:
        stream.write(head + "\n")
        for launch in range(launches):
            for name, unit, value in (
                ("dram__bytes_read.sum", "byte", "8388608"),
                ("dram__bytes_write.sum", "byte", "4194304"),
                ("gpu__time_duration.sum", "nsecond", "6000"),
                ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst", "1048576"),
            ):
                stream.write(row.format(launch, name, unit, value) + "\n")
    return path


def is_alive(pid):
    """Tell whether a process runs; a dead one that was not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
