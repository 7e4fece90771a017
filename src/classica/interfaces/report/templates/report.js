"use strict";
// Sorts and filters tables, opens folded parts that are linked to, marks the section in view, copies commands.
// Without it the page shows the same: tables in their order, everything else by links and folded parts.

const key = (row, place) => {
  const cell = row.cells[place];
  if (!cell || cell.dataset.value === "") return null;
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  const text = cell.textContent.trim();
  const number = Number.parseFloat(text);
  return cell.classList.contains("number") ? (Number.isNaN(number) ? null : number) : text.toLowerCase();
};

const compare = (a, b) => (typeof a === "string" ? a.localeCompare(String(b)) : a - b);

const sortBy = (table, heads, place) => {
  const head = heads[place];
  const first = head.dataset.sort;
  const other = first === "ascending" ? "descending" : "ascending";
  const order = head.getAttribute("aria-sort") === first ? other : first;
  heads.forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows].map((row) => [key(row, place), row]);
  rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : sign * compare(a, b)));
  table.tBodies[0].append(...rows.map(([, row]) => row));
};

document.querySelectorAll("table.sortable").forEach((table) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (!head.dataset.sort) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, heads, place));
  });
});

document.querySelectorAll(".tools").forEach((tools) => {
  const rows = [...document.getElementById(tools.dataset.table).tBodies[0].rows];
  const [words, close] = tools.querySelectorAll("input");
  const filter = () => {
    const asked = words.value.trim().toLowerCase();
    rows.forEach((row) => {
      const fits = row.textContent.toLowerCase().includes(asked) || (row.dataset.words || "").includes(asked);
      row.hidden = !fits || (close.checked && row.dataset.close !== "1");
    });
    const shown = rows.filter((row) => !row.hidden).length;
    tools.querySelector("output").value = shown < rows.length ? `${shown} of ${rows.length} models` : "";
  };
  [words, close].forEach((input) => input.addEventListener("input", filter));
  tools.hidden = false;
});

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target && target.closest("details");
  if (folded && !folded.open) {
    folded.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", openTarget);
openTarget();

const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver(
  (entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(entry.target.id).setAttribute("aria-current", "true");
    });
  },
  { rootMargin: "-15% 0px -80% 0px" },
);
links.forEach((link, id) => document.getElementById(id) && seen.observe(document.getElementById(id)));

if (navigator.clipboard) {
  document.querySelectorAll(".copy").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      button.textContent = "Copied";
    });
  });
}
