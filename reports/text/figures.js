// Figures: values at the pointer, zoom, curves that can be switched off. Without it the same pictures stand still.
"use strict";
{
  const DEEPEST = 50, NEAR = 24, MOST_TICKS = 6, MINUS = "−";
  const POINT = /([ML])(-?[\d.]+) (-?[\d.]+)|V(-?[\d.]+)/g; // the marks' lines are relative: v
  // ---- an axis: its ends in the picture, and the values there (powers of ten of a logarithmic one)

  const axisOf = (text) => {
    const [start, stop, from, to, log] = text.split(" ").map(Number);
    return { start, stop, from, to, log: log === 1 };
  };
  const place = (a, value) => a.start + ((a.stop - a.start) * (value - a.from)) / (a.to - a.from);
  const valueAt = (a, at) => a.from + ((a.to - a.from) * (at - a.start)) / (a.stop - a.start);
  // Digits and power of ten, to a part of `step`.
  const split = (value, step) => {
    if (value === 0) return ["0", null];
    const size = Math.floor(Math.log10(Math.abs(value)) + 1e-12), far = size >= 5 || size < -3;
    const digits = Math.max(0, Math.min(15, Math.ceil(-Math.log10(step) - 1e-9) + (far ? size : 0)));
    const text = (value / (far ? 10 ** size : 1)).toFixed(digits);
    return [(digits > 0 ? text.replace(/\.?0+$/, "") : text).replace("-", MINUS), far ? size : null];
  };
  const raised = (power) => [...String(power)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");
  // Decades of a logarithmic axis; round values where it has less than two.
  const ticksOf = (a) => {
    const inDecades = a.log && a.to - a.from >= 2, real = a.log && !inDecades;
    const values = real ? nice(10 ** a.from, 10 ** a.to, MOST_TICKS) : nice(a.from, a.to, inDecades ? Math.min(MOST_TICKS, a.to - a.from) : MOST_TICKS);
    return values.map((v) => ({ at: place(a, real ? Math.log10(v) : v), label: inDecades ? ["", Math.round(v)] : split(v, values[1] - values[0]) }));
  };
  const written = ([digits, power]) => [digits + (power === null ? "" : digits ? "·10" : "10"),
    ...(power === null ? [] : [make("svg:tspan", { class: "up", dy: -5 }, String(power).replace("-", MINUS))])];
  const inWords = (label, a, value) => {
    const [name, unit] = label.replace(/\/ \((.*)\)$/, "/ $1").split(" / ");
    const real = a.log ? 10 ** value : value, [digits, power] = split(real, (a.log ? real : a.to - a.from) / 1000);
    return `${name} = ${digits}${power === null ? "" : `·10${raised(power)}`}${unit ? ` ${unit}` : ""}`;
  };

  const animate = (svg) => {
    const home = { x: axisOf(svg.dataset.x), y: axisOf(svg.dataset.y) };
    let now = { x: { ...home.x }, y: { ...home.y } }, chosen = null, hold = null;
    const inner = svg.querySelector("svg"), paths = [...inner.querySelectorAll("path[data-s]")].map((node) => ({ node, d: node.getAttribute("d"), s: node.dataset.s }));
    const labels = { x: svg.querySelector(".of-x").textContent, y: svg.querySelector(".of-y").textContent };
    const [grid, ticks] = ["grid", "ticks"].map((name) => svg.querySelector(`.${name}`)), keys = [...svg.querySelectorAll(".key")];
    const still = { grid: [...grid.childNodes], ticks: [...ticks.childNodes] }, off = new Set();
    const nameOf = (s) => keys.find((key) => key.dataset.s === s)?.textContent.trim() ?? "";
    const moved = (axis, at) => place(now[axis], valueAt(home[axis], at));
    const isHome = () => ["x", "y"].every((axis) => now[axis].from === home[axis].from && now[axis].to === home[axis].to);

    // ---- what a figure consists of: `M`, `L` and `V` are points of the series, all else is relative to them

    const pointsOf = (path) => {
      let x = 0;
      return (path.points ??= [...path.d.matchAll(POINT)].map(([, kind, along, y, below]) => ({ path, joined: kind !== "M", x: (x = along === undefined ? x : Number(along)), y: Number(y ?? below) })));
    };
    const shownPaths = () => paths.filter((path) => !off.has(path.s));
    // The nearest point of a series: on a line between two of its points.
    const nearest = (x, y) => {
      let best = null, least = Infinity;
      for (const path of shownPaths()) {
        pointsOf(path).forEach((point, i, all) => {
          const from = point.joined ? all[i - 1] : point, ax = moved("x", from.x), ay = moved("y", from.y), dx = moved("x", point.x) - ax, dy = moved("y", point.y) - ay;
          const part = dx || dy ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy))) : 0;
          const distance = Math.hypot(ax + part * dx - x, ay + part * dy - y);
          if (distance >= least) return;
          least = distance;
          best = { path, i, x: from.x + part * (point.x - from.x), y: from.y + part * (point.y - from.y) };
        });
      }
      return least < NEAR ? best : null;
    };

    // ---- what is drawn on top of it

    const dot = make("svg:circle", { class: "at", r: 4, visibility: "hidden" }), box = make("svg:rect", { class: "box", visibility: "hidden" });
    const said = make("output", {}), button = (text, name, act) => {
      const made = make("button", { type: "button", "aria-label": name, title: name }, text);
      made.addEventListener("click", act);
      return made;
    };
    const show = (point) => {
      chosen = point;
      dot.setAttribute("visibility", point ? "visible" : "hidden");
      if (!point) return said.replaceChildren();
      dot.setAttribute("cx", moved("x", point.x));
      dot.setAttribute("cy", moved("y", point.y));
      const name = nameOf(point.path.s), [x, y] = ["x", "y"].map((axis) => inWords(labels[axis], home[axis], valueAt(home[axis], point[axis])));
      said.replaceChildren(`${name ? `${name}: ` : ""}${x}, ${y}`);
    };
    const draw = () => {
      for (const { node, d } of paths) node.setAttribute("d", isHome() ? d : d.replace(POINT, (_, kind, x, y, below) => (kind ? `${kind}${moved("x", Number(x)).toFixed(2)} ${moved("y", Number(y)).toFixed(2)}` : `V${moved("y", Number(below)).toFixed(2)}`)));
      const xs = ticksOf(now.x), ys = ticksOf(now.y);
      grid.replaceChildren(...(isHome() ? still.grid : [...xs.map((t) => make("svg:path", { d: `M${t.at} ${home.y.stop}V${home.y.start}` })), ...ys.map((t) => make("svg:path", { d: `M${home.x.start} ${t.at}H${home.x.stop}` }))]));
      ticks.replaceChildren(...(isHome() ? still.ticks : [...xs.map((t) => make("svg:text", { x: t.at, y: home.y.start + 16, "text-anchor": "middle" }, ...written(t.label))), ...ys.map((t) => make("svg:text", { x: home.x.start - 6, y: t.at + 4, "text-anchor": "end" }, ...written(t.label)))]));
      for (const text of isHome() ? [] : ticks.children) if (text.getComputedTextLength() > 54) text.setAttribute("textLength", 54), text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      out.disabled = isHome();
      svg.classList.toggle("zoomed", !isHome());
      show(chosen);
    };
    const limit = (axis, from, to) => {
      const a = home[axis], span = Math.min(a.to - a.from, Math.max((a.to - a.from) / DEEPEST, to - from));
      const begin = Math.min(a.to - span, Math.max(a.from, (from + to - span) / 2));
      now[axis] = span === a.to - a.from ? { ...a } : { ...a, from: begin, to: begin + span };
    };
    const zoom = (factor) => {
      for (const axis of ["x", "y"]) {
        const a = now[axis], at = chosen ? valueAt(home[axis], chosen[axis]) : (a.from + a.to) / 2;
        limit(axis, at - (at - a.from) / factor, at + (a.to - at) / factor);
      }
      draw();
    };
    const whole = () => ((now = { x: { ...home.x }, y: { ...home.y } }), draw());
    const out = button("Whole", "Show the whole figure", whole);

    // ---- pointer: a rectangle is enlarged; with shift, or by a finger, what is enlarged is moved

    const at = (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(inner.getScreenCTM().inverse());
      return [Math.max(home.x.start, Math.min(home.x.stop, point.x)), Math.max(home.y.stop, Math.min(home.y.start, point.y))];
    };
    inner.addEventListener("pointerdown", (event) => {
      const [x, y] = at(event);
      hold = { x, y, view: now, moves: event.shiftKey || event.pointerType === "touch" };
      show(nearest(x, y));
      if (!hold.moves || !isHome()) inner.setPointerCapture(event.pointerId);
    });
    inner.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (!hold) return show(nearest(x, y));
      if (hold.moves) {
        for (const axis of ["x", "y"]) {
          const a = hold.view[axis], by = valueAt(a, hold[axis]) - valueAt(a, axis === "x" ? x : y);
          limit(axis, a.from + by, a.to + by);
        }
        return draw();
      }
      const size = { x: Math.min(x, hold.x), y: Math.min(y, hold.y), width: Math.abs(x - hold.x), height: Math.abs(y - hold.y), visibility: "visible" };
      for (const [key, value] of Object.entries(size)) box.setAttribute(key, value);
    });
    const drop = (event) => {
      const held = hold, [x, y] = at(event);
      hold = null;
      box.setAttribute("visibility", "hidden");
      if (!held || held.moves || event.type !== "pointerup" || Math.abs(x - held.x) < 6 || Math.abs(y - held.y) < 6) return;
      const view = now;
      now = { ...view };
      limit("x", valueAt(view.x, Math.min(x, held.x)), valueAt(view.x, Math.max(x, held.x)));
      limit("y", valueAt(view.y, Math.max(y, held.y)), valueAt(view.y, Math.min(y, held.y)));
      draw();
    };
    for (const name of ["pointerup", "pointercancel"]) inner.addEventListener(name, drop);
    inner.addEventListener("dblclick", whole);
    inner.addEventListener("pointerleave", () => hold || document.activeElement === svg || show(null));

    // ---- keys: along a series, from one to the next, nearer and farther

    const step = (by) => {
      const path = chosen?.path ?? shownPaths()[0], all = path ? pointsOf(path) : [];
      if (!all.length) return;
      const i = chosen ? Math.max(0, Math.min(all.length - 1, chosen.i + by)) : 0;
      show({ path, i, x: all[i].x, y: all[i].y });
    };
    const change = (by) => {
      const all = shownPaths(), path = all[(all.indexOf(chosen?.path) + by + all.length) % all.length];
      if (!path) return;
      const points = pointsOf(path), x = chosen?.x ?? points[0].x;
      const i = points.reduce((best, point, k) => (Math.abs(point.x - x) < Math.abs(points[best].x - x) ? k : best), 0);
      show({ path, i, x: points[i].x, y: points[i].y });
    };
    svg.addEventListener("keydown", (event) => {
      if (event.target !== svg || event.ctrlKey || event.altKey || event.metaKey) return;
      const far = event.shiftKey ? 10 : 1, act = { ArrowRight: () => step(far), ArrowLeft: () => step(-far), ArrowUp: () => change(-1), ArrowDown: () => change(1), "+": () => zoom(2), "-": () => zoom(0.5), 0: whole, Escape: () => show(null) }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    svg.addEventListener("blur", () => show(null));

    // ---- the legend: each name switches its series off and on

    const toggle = (key) => {
      const { s } = key.dataset, hidden = !off.delete(s);
      if (hidden) off.add(s);
      key.setAttribute("aria-pressed", String(!hidden));
      for (const path of paths) if (path.s === s) path.node.style.display = hidden ? "none" : "";
      if (chosen && off.has(chosen.path.s)) show(null);
    };
    for (const key of keys) {
      const box = key.getBBox();
      key.prepend(make("svg:rect", { x: box.x - 3, y: box.y - 1, width: box.width + 6, height: box.height + 2, fill: "transparent" }));
      for (const [name, value] of Object.entries({ tabindex: 0, role: "button", "aria-pressed": "true", "aria-label": key.textContent.trim() })) key.setAttribute(name, value);
      key.addEventListener("click", () => toggle(key));
      key.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), toggle(key)));
    }
    for (const [name, value] of Object.entries({ tabindex: 0, role: "group", "aria-roledescription": "figure", "aria-description": "arrow keys: along a curve and to the next one; plus, minus and 0: zoom" })) svg.setAttribute(name, value);
    inner.prepend(make("svg:rect", { x: home.x.start, y: home.y.stop, width: home.x.stop - home.x.start, height: home.y.start - home.y.stop, fill: "transparent" }));
    inner.append(box, dot);
    out.disabled = true;
    svg.after(make("div", { class: "tools" }, said, button("−", "Zoom out", () => zoom(0.5)), button("+", "Zoom in", () => zoom(2)), out));
  };
  document.querySelectorAll("svg.plot[data-x]").forEach(animate);
  document.querySelector(".tools output")?.append("Point at a curve for its values; drag to enlarge; press a name to hide its curve.");
}
