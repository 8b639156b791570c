"""What docs/scale.md claims, on real servers: parts that are left out, and a replica: python bench/replica.py"""

import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from engines import server
from modicum.memory.engines.postgres import PostgresDatabase
from modicum.memory.model import NoteDraft, Query, Unusable
from modicum.memory.store import Store

PLANS = (
    "SELECT id, title FROM modicum.notes WHERE project = 'shop' AND deleted_at = '' ORDER BY created_at DESC LIMIT 20",
    "SELECT id FROM modicum.passages WHERE project = 'shop' AND words @@ 'walrus'",
    "SELECT count(*) FROM modicum.passages WHERE words @@ 'walrus'",
)


def main() -> None:
    module = server()
    with module.running(("wal_level=replica", "max_wal_senders=4", "hot_standby=on")) as url:
        store = Store(PostgresDatabase(url))
        for turn in range(20):
            store.save_all(
                [
                    NoteDraft(f"note {turn} {n}", f"walrus {n}", project=("shop", "docs", "api")[n % 3])
                    for n in range(100)
                ]
            )
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            for sql in PLANS:
                print(f"\nEXPLAIN (COSTS OFF) {sql};")
                print(
                    "\n".join(line for (line,) in connection.execute(f"EXPLAIN (COSTS OFF) {sql}".encode()))
                )
        replicate(module, url, store)
        store.close()


def replicate(module: object, url: str, store: Store) -> None:
    """A standby made by pg_basebackup: it follows, answers, and refuses to be written."""
    folder = Path(tempfile.mkdtemp(prefix="modicum-pg-"))
    folder.chmod(0o777)
    user = module.plain_user()  # type: ignore[attr-defined]
    programs = module.programs(folder)  # type: ignore[attr-defined]
    data, host = folder / "data", url.split("host=")[1]

    def run(name: str, *words: str) -> None:
        with (folder / "said").open("w") as said:
            subprocess.run(
                [programs / name, *words],
                user=user,
                cwd="/",
                check=True,
                stdout=said,
                stderr=said,
                stdin=subprocess.DEVNULL,
            )

    run(
        "pg_basebackup",
        "-h",
        host,
        "-U",
        "postgres",
        "-D",
        str(data),
        "-R",
        "-X",
        "stream",
        "--checkpoint=fast",
    )
    run(
        "pg_ctl",
        "-D",
        str(data),
        "-w",
        "-l",
        str(data / "log"),
        "-o",
        f"-k {folder} -c listen_addresses='' -c hot_standby=on -c max_connections=200 -c max_wal_senders=4",
        "start",
    )
    try:
        replica = Store(PostgresDatabase(f"postgresql://postgres@/postgres?host={folder}"))
        store.save(NoteDraft("after the copy", "a seal", project="shop"))
        started = time.monotonic()
        while not replica.search("seal", Query(project="shop")).total and time.monotonic() < started + 30:
            time.sleep(0.01)
        print(
            f"\nreplica: {replica.stats().notes} notes; a new one is found after {time.monotonic() - started:.2f} s"
        )
        try:
            replica.save(NoteDraft("x", "y"))
        except Unusable as error:
            print(f"replica, saving: {error.message.partition(': ')[2]}; {error.remedy}")
        replica.close()
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        subprocess.run(["rm", "-r", str(folder)], check=False)


if __name__ == "__main__":
    main()
