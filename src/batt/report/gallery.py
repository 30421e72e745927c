"""A deck for browsing: an HTML page with the idea, the task and the source of every solver, or a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from rich.table import Table

from batt.draw import palette
from batt.draw.html import html_document
from batt.draw.layout import thumbnail
from batt.draw.svg import svg_block
from batt.front import Deck, Solver
from batt.front.groups import SolverGroup, groups_of
from batt.jobs import own_task
from batt.tasks import Task, Tasks
from batt.tasks.model import counted

DRAWN_PAIRS = 2
"""The most demonstrations of a task that are drawn."""
THUMBNAIL_SIDE = 96

STYLE = f"""<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; --page: {palette.CARD}; --card: {palette.TILE}; --line: {palette.CARD_LINE};
  --text: {palette.TEXT}; --faint: {palette.FAINT_TEXT}; --link: #0969DA }}
@media (prefers-color-scheme: dark) {{
  :root {{ --page: #0D1117; --card: #161B22; --line: #30363D; --text: #E6EDF3; --faint: #8B949E; --link: #58A6FF }}
}}
body {{ margin: 0 auto; padding: 1rem; max-width: 90rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif }}
a {{ color: var(--link); text-decoration: none }}
h3, code, pre {{ font-family: ui-monospace, Menlo, Consolas, monospace }}
h3 {{ margin: 0; font-size: 1rem; overflow-wrap: anywhere }}
article p {{ margin: .4rem 0 }}
.faint, summary {{ color: var(--faint); font-size: .875rem }}
.cards {{ display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)) }}
article {{ min-width: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px }}
svg {{ display: block; margin: .5rem 0; max-width: 100%; height: auto }}
pre {{ margin: .5rem 0 0; overflow-x: auto; font-size: .8125rem }}
nav {{ margin: .75rem 0 }}
nav a {{ margin-right: .75rem; overflow-wrap: anywhere }}
input {{ width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 6px }}
[hidden] {{ display: none !important }}
</style>"""

SEARCH = """<input type="search" placeholder="Search names, ideas and sources" aria-label="Search" hidden>
<script>
const field = document.querySelector("input");
const texts = new Map();
field.hidden = false;
field.oninput = () => {
  const words = field.value.toLowerCase().split(/\\s+/);
  for (const section of document.querySelectorAll("section")) {
    const cards = [...section.querySelectorAll("article")];
    for (const card of cards) {
      if (!texts.has(card)) texts.set(card, card.textContent.toLowerCase());
      card.hidden = !words.every(word => texts.get(card).includes(word));
    }
    section.hidden = cards.every(card => card.hidden);
  }
};
</script>"""
"""A field that hides all cards without the words in it. Without scripts there is no field, and the page is whole."""


def gallery_table(deck: Deck) -> Table:
    """Return a table of the solvers by group, a line each."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("group", "solver", "steps", "idea"):
        table.add_column(heading, no_wrap=heading != "idea", justify="right" if heading == "steps" else "left")
    for group in groups_of(deck):
        for position, solver in enumerate(group.solvers):
            steps = f"{len(solver.program.steps):,}"
            table.add_row("" if position else group.title, solver.name, steps, solver.idea)
    return table


def gallery_page(deck: Deck, tasks: Tasks) -> str:
    """Return an HTML page with a card for every solver, which draws the task in its name if it is one of `tasks`."""
    groups, ids = groups_of(deck), frozenset(tasks.ids)
    own = {name: tasks[task] for name in deck.names if (task := own_task(name, ids)) is not None}
    counts = f"{counted(len(deck), 'solver')} in {counted(len(groups), 'group')}"
    head = [f"<h1>Deck {escape(deck.name)}</h1>", f'<p class="faint">{counts}</p>', SEARCH]
    sections = [_section(group, own) for group in groups]
    return html_document(f"Deck {deck.name}", "\n".join([*head, _contents(groups), *sections]), STYLE)


def _contents(groups: Sequence[SolverGroup]) -> str:
    """Return the table of contents: a link for each group, and on click for each of its solvers."""
    lines = ["<nav>"]
    for group in groups:
        links = [f'<a href="#{_anchor("solver", each.name)}">{escape(each.name)}</a>' for each in group.solvers]
        title = f'<a href="#{_anchor("group", group.title)}">{escape(group.title)}</a>'
        lines.append(f"<details><summary>{title} {len(links):,}</summary>{' '.join(links)}</details>")
    return "\n".join([*lines, "</nav>"])


def _section(group: SolverGroup, own: Mapping[str, Task]) -> str:
    lines = [f'<section id="{_anchor("group", group.title)}">', f"<h2>{escape(group.title)}</h2>"]
    if group.doc:
        lines.append(f"<p>{escape(group.doc)}</p>")
    cards = [_card(each, own.get(each.name)) for each in group.solvers]
    return "\n".join([*lines, '<div class="cards">', *cards, "</div></section>"])


def _card(solver: Solver, task: Task | None) -> str:
    facts = [counted(len(solver.program.steps), "step"), *([f"task {task.id}"] if task else [])]
    lines = [f'<article id="{_anchor("solver", solver.name)}">', f"<h3>{escape(solver.name)}</h3>"]
    if solver.idea:
        lines.append(f"<p>{escape(solver.idea)}</p>")
    lines.append(f'<p class="faint">{escape(" · ".join(facts))}</p>')
    if task:
        lines += _thumbnails(task)
    lines.append(f"<details><summary>Source</summary><pre>{escape(solver.source)}</pre></details></article>")
    return "\n".join(lines)


def _thumbnails(task: Task) -> list[str]:
    return [
        svg_block(thumbnail(pair, THUMBNAIL_SIDE), f"task {task.id} train {number}").rstrip()
        for number, pair in enumerate(task.demonstrations[:DRAWN_PAIRS])
    ]


def _anchor(kind: str, name: str) -> str:
    """Return an id for a part of the page, which is its own URL fragment."""
    return f"{kind}-{quote(name, safe='')}"
