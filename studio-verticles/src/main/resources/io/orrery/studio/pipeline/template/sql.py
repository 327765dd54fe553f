"""Runs SQL on the inputs: the statements, then names and texts in turn."""

import csv
import os
import re
import shutil
import sqlite3
import subprocess
import sys

INPUTS = os.environ["ORRERY_INPUTS"]
OUTPUTS = os.environ["ORRERY_OUTPUTS"]
VALUES = {
    name[len("ORRERY_PARAM_") :].lower(): text
    for name, text in os.environ.items()
    if name.startswith("ORRERY_PARAM_")
}


def main(statements, words):
    given = dict(zip(words[0::2], words[1::2]))
    engine = given.get("--engine", "sqlite")
    rows = sqlite(statements) if engine == "sqlite" else duckdb(statements)
    with open(os.path.join(OUTPUTS, "rows"), "w") as file:
        file.write(str(rows))
    print(f"{rows} rows")


def inputs():
    """Each input by the name of its table."""
    for name in sorted(os.listdir(INPUTS)):
        yield re.sub(r"\W", "_", name.rsplit(".", 1)[0]), os.path.join(INPUTS, name)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def sqlite(statements):
    database = sqlite3.connect(os.path.join(OUTPUTS, "database"), isolation_level=None)
    for name, path in inputs():
        with open(path, "rb") as file:
            head = file.read(16)
        if head == b"SQLite format 3\0":
            database.execute(f"attach ? as {quoted(name)}", (path,))
        else:
            load(database, name, path)
    database.execute("begin")
    columns, found = [], []
    for statement in split(statements):
        cursor = database.execute(statement, VALUES)
        if cursor.description:
            columns, found = [column[0] for column in cursor.description], cursor.fetchall()
    database.execute("commit")
    database.close()
    write(columns, found)
    return len(found)


def load(database, name, path):
    """Makes a table of a CSV file; what looks like a number is one."""
    with open(path, newline="") as file:
        lines = csv.reader(file)
        head = next(lines, None)
        if not head:
            sys.exit(f"the input {name} is no SQLite database and no CSV file with a head")
        columns = ", ".join(quoted(column) + " numeric" for column in head)
        database.execute(f"create table {quoted(name)} ({columns})")
        marks = ", ".join("?" for _ in head)
        database.execute("begin")
        database.executemany(f"insert into {quoted(name)} values ({marks})", lines)
        database.execute("commit")


def split(statements):
    """The statements one by one, as SQLite itself tells where each ends."""
    text = ""
    for part in re.split(r"(?<=;)", statements):
        text += part
        if sqlite3.complete_statement(text):
            yield text
            text = ""
    if text.strip():
        yield text


def write(columns, found):
    with open(os.path.join(OUTPUTS, "result.csv"), "w", newline="") as file:
        lines = csv.writer(file)
        if columns:
            lines.writerow(columns)
        lines.writerows(found)


def duckdb(statements):
    """The command of DuckDB; its views have the names of the inputs."""
    program = shutil.which("duckdb")
    if program is None:
        sys.exit("there is no command duckdb on this machine: install it, or use --engine sqlite")
    views = "".join(
        f"create view {quoted(name)} as select * from '{path.replace(chr(39), chr(39) * 2)}';\n"
        for name, path in inputs()
    )
    values = "".join(
        f"set variable {quoted(name)} = '{text.replace(chr(39), chr(39) * 2)}';\n" for name, text in VALUES.items()
    )
    result = os.path.join(OUTPUTS, "result.csv")
    with open(result, "w") as file:
        ended = subprocess.run(
            [program, "-csv", os.path.join(OUTPUTS, "database")],
            input=views + values + statements,
            text=True,
            stdout=file,
        )
    if ended.returncode != 0:
        sys.exit(ended.returncode)
    with open(result) as file:
        return max(0, sum(1 for _ in csv.reader(file)) - 1)


main(sys.argv[1], sys.argv[2:])
