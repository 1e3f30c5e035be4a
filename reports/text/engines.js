// What is behind a cell of the scoreboard: measured values, the motion, and why. Each row's data is a script of its own.
"use strict";
{
  const SIGNS = { pass: "✓", FAIL: "✗", "not promised": "○", "not offered": "–" };
  const CLASSES = { pass: "pass", FAIL: "fail", "not promised": "erratum" };
  const board = document.querySelector(".board");
  const short = (number, digits = 4) =>
    number === null ? "–" : number !== 0 && Math.abs(number) < 1e-4 ? number.toExponential(2).replace(/\.?0*e/, "e") : String(Number(number.toPrecision(digits)));
  // digits by which ticks differ
  const tickTexts = (ticks) => {
    const gap = Math.min(...ticks.slice(1).map((v, i) => Math.abs(v - ticks[i])));
    let digits = 3;
    while (digits < 15 && ticks.some((v) => Math.abs(Number(v.toPrecision(digits)) - v) > 0.01 * gap)) digits++;
    return new Map(ticks.map((v) => [v, short(v, digits)]));
  };
  const asWord = (text) => (/^[\w./:,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const withUnit = (text, unit) => (unit === "1" || unit === "" ? text : `${text} ${unit}`);
  const at = (series, i) => (Array.isArray(series) ? series[i] : series);

  // ---- settings: products of lists, the first list fastest

  const productsOf = (about) => {
    let first = 0;
    return (about.settings.length ? about.settings : [{}]).map((lists) => {
      const names = Object.keys(lists);
      const size = names.reduce((n, name) => n * lists[name].length, 1);
      first += size;
      return { lists, names, first: first - size, size };
    });
  };
  const valuesOf = (product, setting) => {
    let k = setting - product.first;
    const values = {};
    for (const name of product.names) {
      const list = product.lists[name];
      values[name] = list[k % list.length];
      k = Math.floor(k / list.length);
    }
    return values;
  };
  const inWords = (about, values) =>
    Object.entries(values).map(([name, v]) => withUnit(`${name} = ${short(v)}`, about.parameters.find((p) => p.name === name)?.unit ?? "")).join(", ");
  const settingInWords = (about, setting) => {
    const product = productsOf(about).find((p) => setting < p.first + p.size);
    return inWords(about, product ? valuesOf(product, setting) : {}) || "its only setting";
  };

  // ---- scales: linear, logarithmic, or both sides of zero where values span decades

  const decades = (low, high) => {
    const ticks = [];
    for (let k = Math.ceil(Math.log10(low) - 1e-9); 10 ** k <= high * (1 + 1e-9); k++) ticks.push(10 ** k);
    const every = Math.ceil(ticks.length / 4);
    return ticks.filter((_, i) => i % every === 0);
  };
  const scale = (from, to, low, high, map, ticks) => {
    const span = map(high) - map(low) || 1;
    return { place: (v) => from + ((map(v) - map(low)) / span) * (to - from), ticks: ticks.filter((v) => v >= low && v <= high), low, high };
  };
  const across = (from, to, list) => {
    const low = Math.min(...list), high = Math.max(...list);
    if (low > 0 && high / low >= 20) return scale(from, to, low, high, Math.log10, decades(low, high));
    return scale(from, to, low, high, (v) => v, nice(low, high, 5));
  };
  const upright = (from, to, numbers, tolerance) => {
    let low = Math.min(...numbers), high = Math.max(...numbers);
    const decadic = tolerance > 0 && high - low > 300 * tolerance;
    const map = decadic ? (v) => Math.asinh(v / tolerance) : (v) => v, back = decadic ? (u) => tolerance * Math.sinh(u) : (v) => v;
    const room = 0.06 * (map(high) - map(low)) || tolerance || 1;
    [low, high] = [back(map(low) - room), back(map(high) + room)];
    if (!decadic) {
      return scale(from, to, low, high, map, nice(low, high, 4));
    }
    const up = high > tolerance ? decades(tolerance, high) : [], down = low < -tolerance ? decades(tolerance, -low) : [];
    return scale(from, to, low, high, map, [...down.map((v) => -v).reverse(), 0, ...up]);
  };

  // ---- charts: a figure in a product of settings, over its longest list; a curve for each choice of the others

  const W = 340, H = 200, LEFT = 50, RIGHT = 8, TOP = 8, BOTTOM = 36;
  const MARKS = { p: "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0", F: "m-3-3l6 6m0-6l-6 6", u: "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0" };
  const chart = (about, figure, told, product) => {
    const along = product.names.reduce((a, b) => (product.lists[b].length > product.lists[a].length ? b : a), product.names[0]);
    const curves = new Map();
    for (let i = product.first; i < product.first + product.size; i++) {
      if (figure.verdicts[i] === "-") continue;
      const { [along]: x, ...others } = valuesOf(product, i);
      const key = inWords(about, others);
      if (!curves.has(key)) curves.set(key, []);
      curves.get(key).push({ x, y: at(figure.measured, i), exact: at(figure.exact, i), tolerance: at(figure.tolerance, i), verdict: figure.verdicts[i] });
    }
    const points = [...curves.values()].flat();
    if (points.length === 0) return [];
    const numbers = points.flatMap((p) => [p.y, p.exact - (told.bound === "below" ? 0 : p.tolerance), p.exact + (told.bound === "above" ? 0 : p.tolerance)]).filter((v) => v !== null);
    const xs = across(LEFT + 8, W - RIGHT - 8, points.map((p) => p.x)), ys = upright(H - BOTTOM, TOP, numbers, Math.max(...points.map((p) => p.tolerance)));
    const svg = make("svg:svg", { class: "plot", viewBox: `0 0 ${W} ${H}`, role: "img" });
    const grid = make("svg:g", { class: "grid" }), ticks = make("svg:g", { class: "ticks" });
    const clear = (list, gap, scaled) => list.filter((v, i) => i === 0 || Math.abs(scaled.place(v) - scaled.place(list[i - 1])) > gap);
    const texts = tickTexts(xs.ticks), heights = tickTexts(ys.ticks);
    for (const v of clear(xs.ticks, 24, xs)) ticks.append(make("svg:text", { x: xs.place(v), y: H - BOTTOM + 14, "text-anchor": "middle" }, texts.get(v)));
    for (const v of clear(ys.ticks, 9, ys)) {
      grid.append(make("svg:path", { d: `M${LEFT} ${ys.place(v)}H${W - RIGHT}` }));
      ticks.append(make("svg:text", { x: LEFT - 5, y: ys.place(v) + 4, "text-anchor": "end" }, heights.get(v)));
    }
    svg.append(grid, make("svg:rect", { class: "frame", x: LEFT, y: TOP, width: W - LEFT - RIGHT, height: H - TOP - BOTTOM }), ticks);
    svg.append(make("svg:text", { x: (LEFT + W) / 2, y: H - 4, "text-anchor": "middle" }, withUnit(along, about.parameters.find((p) => p.name === along)?.unit ?? "").replace(" ", ", ")));
    const keys = make("p", { class: "keys" }), drawn = new Set();
    let k = 0;
    for (const [key, curve] of [...curves].sort()) {
      curve.sort((a, b) => a.x - b.x);
      const style = k++ % 8, line = (of, list = curve) => list.map((p) => `${xs.place(p.x).toFixed(1)} ${Math.min(H, Math.max(-H, ys.place(of(p)))).toFixed(1)}`);
      const single = curve.length === 1 ? [{ ...curve[0] }] : [];
      const over = line((p) => (told.bound === "above" ? ys.high : p.exact + p.tolerance)), under = line((p) => (told.bound === "below" ? ys.low : p.exact - p.tolerance));
      const band = make("svg:path", { class: `band s${style}`, d: `M${over.join("L")}L${under.reverse().join("L")}Z` });
      if (single.length) band.setAttribute("d", `M${over[0]}h6V${under[0].split(" ")[1]}h-12V${over[0].split(" ")[1]}Z`);
      if (!drawn.has(band.getAttribute("d"))) svg.append(band);
      drawn.add(band.getAttribute("d"));
      svg.append(make("svg:path", { class: `exact s${style}`, d: `M${line((p) => p.exact).join("L")}` }));
      const seen = curve.filter((p) => p.y !== null);
      if (seen.length) svg.append(make("svg:path", { class: `line s${style}`, d: `M${line((p) => p.y, seen).join("L")}` }));
      for (const p of seen) svg.append(make("svg:path", { class: `marks ${p.verdict === "p" ? "full " : ""}s${style}`, d: `M${line((q) => q.y, [p])[0]}${MARKS[p.verdict]}` }));
      if (curves.size > 1) keys.append(make("span", {}, make("svg:svg", { viewBox: "0 0 26 8", width: 26, height: 8 }, make("svg:path", { class: `line s${style}`, d: "M0 4H26" })), ` ${key}`));
    }
    const bad = points.filter((p) => p.verdict !== "p").length;
    svg.setAttribute("aria-label", `${told.name} over ${along}: ${points.length} settings, ${bad} outside the tolerance; measured ${short(Math.min(...points.map((p) => p.y)))} to ${short(Math.max(...points.map((p) => p.y)))}`);
    return [make("figure", {}, svg, keys)];
  };

  // ---- the motion: bodies seen along z, or from above at an angle if they do not move in the plane of x and y

  const YAW = 0.5, RISE = 0.4;
  const OBLIQUE = [[Math.cos(YAW), 0, -Math.sin(YAW)], [-Math.sin(YAW) * Math.sin(RISE), Math.cos(RISE), -Math.cos(YAW) * Math.sin(RISE)]];
  const FACES = [[0, 1], [1, 2], [2, 0]].flatMap(([i, j]) => [-1, 1].map((side) => [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => {
    const corner = [side, side, side];
    corner[i] = a;
    corner[j] = b;
    return corner;
  })));
  const turn = ([w, x, y, z], v) => {
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
  };
  const film = (about, motion) => {
    const space = about.dimension === 3, moving = motion.bodies.filter((b) => !b.fixed);
    if (!moving.length) return [];
    const frames = moving[0].x.length;
    const flat = (p) => (space ? OBLIQUE.map((axis) => axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2]) : [p[0], p[1]]);
    // numbers of a frame; what stays the same stands there once
    const frame = (list, i, width = 1) => list.slice(list.length > width ? i * width : 0).slice(0, width);
    const seen = (body, i, own) => {
      const half = space ? 0 : frame(body.angle, i)[0] / 2;
      const moved = turn(!space ? [Math.cos(half), 0, 0, Math.sin(half)] : body.turned ? frame(body.turned, i, 4) : [1, 0, 0, 0], own);
      return flat(["x", "y", "z"].slice(0, about.dimension).map((axis, k) => frame(body[axis], i)[0] + moved[k]));
    };
    const reach = (body) => Math.max(0, ...body.shapes.map((s) => Math.hypot(...s.at) + Math.hypot(...s.size)));
    const exact = moving.filter((b) => b.exact).map((b) => ({ ...b.exact, name: b.name, shapes: b.shapes }));
    const corners = [...motion.bodies.filter((b) => b.shapes[0]?.kind !== "plane"), ...exact].flatMap((b) => {
      const r = reach(b);
      return b.x.flatMap((_, i) => [[-r, -r], [r, r]].map(([x, y]) => seen(b, i, [0, 0, 0]).map((v, k) => v + (k ? y : x))));
    });
    const [left, bottom] = [0, 1].map((k) => Math.min(...corners.map((c) => c[k]))), [right, top] = [0, 1].map((k) => Math.max(...corners.map((c) => c[k])));
    const height = 1.12 * Math.max(top - bottom, (right - left) / 2.2), width = Math.max(1.12 * (right - left), 1.6 * height);
    const middle = [(left + right) / 2, (top + bottom) / 2], far = (space ? 0.8 : 50) * width;
    const ring = (points) => `M${points.map((p) => p.join(" ")).join("L")}Z`;
    const outline = (body, i) => body.shapes.map((s) => {
      const place = (own) => seen(body, i, own.map((v, k) => v + s.at[k])), [x, y] = place([0, 0, 0]), r = s.size[0];
      // what carries a sphere off the centre, such as that at the tip of a bar
      const bar = s.at.some((v) => v !== 0) ? `M${seen(body, i, [0, 0, 0]).join(" ")}L${x} ${y}` : "";
      if (s.kind === "sphere") return `${bar}M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0${space && !body.turned ? "" : `M${x} ${y}L${place([r, 0, 0]).join(" ")}`}`;
      if (s.kind === "box") return FACES.map((face) => ring(face.map((c) => place(c.map((v, k) => v * s.size[k]))))).join("");
      return ring((space ? [[-far, 0, -far], [far, 0, -far], [far, 0, far], [-far, 0, far]] : [[-far, 0, 0], [far, 0, 0], [far, -far, 0], [-far, -far, 0]]).map(place));
    }).join("");
    const svg = make("svg:svg", { class: "film", role: "img", "aria-label": `motion of ${moving.map((b) => b.name).join(", ")}` });
    const stage = make("svg:g", { transform: "scale(1,-1)" });
    const draw = (kind, d) => stage.appendChild(make("svg:path", { class: kind, d }));
    motion.bodies.filter((b) => b.fixed).forEach((b) => draw("fixed", outline(b, 0)));
    moving.forEach((b) => draw("ghost", outline(b, 0)));
    const trace = (b) => `M${Array.from({ length: frames }, (_, i) => seen(b, i, [0, 0, 0]).join(" ")).join("L")}`;
    moving.forEach((b) => draw("trace", trace(b)));
    exact.forEach((b) => draw("exact-trace", trace(b)));
    const bodies = moving.map((b) => [b, draw("moving", ""), draw("dot", "")]), ideal = exact.map((b) => [b, draw("exact-body", "")]);
    svg.append(stage);
    const play = make("button", { type: "button" }, "Play"), time = make("input", { type: "range", min: 0, max: frames - 1, value: 0, "aria-label": "time" });
    const zoom = make("input", { type: "range", min: 0, max: 10, step: 0.1, value: 0 }), clock = make("output", {});
    const duration = (frames - 1) * motion.interval, shown = Math.min(8, Math.max(3, duration)), speed = duration / shown;
    let i = 0, since = null;
    const show = () => {
      const half = [width, height].map((v) => v / 2 / 2 ** Number(zoom.value));
      const centre = Number(zoom.value) > 0 ? seen(moving[0], i, [0, 0, 0]) : middle;
      svg.setAttribute("viewBox", `${centre[0] - half[0]} ${-centre[1] - half[1]} ${2 * half[0]} ${2 * half[1]}`);
      for (const [body, shape, dot] of bodies) {
        shape.setAttribute("d", outline(body, i));
        dot.setAttribute("d", `M${seen(body, i, [0, 0, 0]).join(" ")}h0`);
      }
      for (const [body, shape] of ideal) shape.setAttribute("d", outline(body, i));
      time.value = i;
      clock.textContent = `t = ${short(i * motion.interval, 3)} s of ${short(duration, 3)} s`;
      time.setAttribute("aria-valuetext", clock.textContent);
    };
    const stop = () => {
      since = null;
      play.textContent = "Play";
    };
    const step = () => {
      if (since === null || !svg.isConnected) return;
      i = Math.min(frames - 1, Math.floor(((performance.now() - since) / 1000) * speed / motion.interval));
      show();
      if (i === frames - 1) stop();
      else setTimeout(step, 30);
    };
    play.addEventListener("click", () => {
      if (since !== null) return stop();
      if (i === frames - 1) i = 0;
      since = performance.now() - ((i * motion.interval) / speed) * 1000;
      play.textContent = "Pause";
      setTimeout(step, 30);
    });
    time.addEventListener("input", () => (stop(), (i = Number(time.value)), show()));
    zoom.addEventListener("input", show);
    show();
    const pace = Math.abs(speed - 1) < 0.01 ? "" : speed < 1 ? `, slowed ${short(1 / speed, 2)} times` : `, hastened ${short(speed, 2)} times`;
    return [make("figure", { class: "wide" },
      make("figcaption", {}, make("b", {}, "Motion in the worst setting"), `: ${settingInWords(about, motion.setting)}${pace}.${exact.length ? " Dashed: the exact motion." : motion.exact_missing ? ` The exact motion is not known: ${motion.exact_missing}.` : ""}`),
      svg, make("div", { class: "controls" }, play, time, clock, make("label", {}, "Zoom ", zoom)))];
  };

  // ---- the texts

  const bounds = { is: "equal to", below: "at most", above: "at least" };
  const valuesTable = (about, figure, told) => {
    const details = make("details", {}, make("summary", {}, "All values"));
    details.addEventListener("toggle", () => {
      if (details.querySelector("table")) return;
      const body = make("tbody", {});
      for (let i = 0; i < figure.verdicts.length; i++) {
        if (figure.verdicts[i] === "-") continue;
        const kind = { p: "pass", F: "FAIL", u: "not promised" }[figure.verdicts[i]];
        body.append(make("tr", {}, make("td", {}, settingInWords(about, i)), ...[figure.measured, figure.exact, figure.tolerance].map((s) => make("td", { class: "n" }, short(at(s, i), 6))), make("td", { class: CLASSES[kind] }, `${SIGNS[kind]} ${kind}`)));
      }
      const heads = ["setting", "measured", told.bound === "is" ? "exact" : bounds[told.bound], "± tolerance", "verdict"];
      details.append(make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": `values of ${told.name}` }, make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((h, k) => make("th", k > 0 && k < 4 ? { class: "n" } : {}, h)))), body)));
    });
    return details;
  };
  const figureParts = (about, figure, told) => {
    const kind = figure.failed ? "FAIL" : figure.not_promised ? "not promised" : figure.passed ? "pass" : "undecided";
    const line = (name, text) => (text ? [make("dt", {}, name), make("dd", {}, text)] : []);
    const worst = figure.worst_setting, mistake = [figure.cause_text, figure.because].filter(Boolean).join("; ");
    const value = (v) => withUnit(short(v, 5), told.unit);
    const within = `${told.bound === "is" ? "exact is" : `must be ${bounds[told.bound]}`} ${value(at(figure.exact, worst))}, tolerance ${value(at(figure.tolerance, worst))}`;
    const counts = `${figure.passed} within, ${figure.failed + figure.not_promised} outside the tolerance`;
    return [
      make("h3", {}, make("span", { class: CLASSES[kind] ?? "none" }, `${SIGNS[kind] ?? "?"} ${kind}`), ` ${told.name} `, make("span", { class: "place" }, counts)),
      make("p", {}, `${told.meaning}${told.unit === "1" ? "" : `, ${told.unit}`}`),
      make("dl", {},
        ...(figure.passed + figure.failed + figure.not_promised ? line("worst", `${value(at(figure.measured, worst))}; ${within} (${settingInWords(about, worst)})`) : []),
        ...line("mistake", figure.cause && `${figure.cause}: ${mistake}`), ...line("tolerance", told.tolerance_because), ...line("not promised", figure.not_promised_because)),
      make("div", { class: "figures" }, ...productsOf(about).filter((p) => p.size > 1).flatMap((p) => chart(about, figure, told, p))),
      valuesTable(about, figure, told),
    ];
  };
  const owners = (cell) => {
    const causes = [...new Set(cell.figures.filter((f) => f.failed && f.cause_text).map((f) => `${f.cause_text} (${f.cause})`))];
    if (!causes.length) return [];
    return [make("h3", {}, "What its maintainer can do"), make("p", {}, `Find out why ${causes.join("; and why ")}. Correct it, or name the place in the documentation that says so, or better settings. Then send a corrected result: `, make("code", {}, "docs/engines.md"), ".")];
  };
  const parts = (cell) => {
    const { about } = cell;
    const figures = cell.figures.map((figure) => [figure, about.figures.find((f) => f.name === figure.name)]).filter(([, told]) => told);
    const bad = figures.filter(([f]) => f.failed + f.not_promised), good = figures.filter(([f]) => f.passed && !(f.failed + f.not_promised));
    const folded = make("details", bad.length ? {} : { open: "" }, make("summary", {}, `${good.length} figures without fault`), ...good.flatMap(([f, told]) => figureParts(about, f, told)));
    return [
      make("p", {}, `${about.title}: ${about.asks}`),
      make("p", { class: "command" }, make("code", {}, `impactcheck audit --engine ${asWord(cell.engine)} --scenes ${cell.scene} --config ${cell.config}`)),
      make("p", { class: "sum" }, `${cell.date}. ${cell.settings_in_words ? `Settings: ${cell.settings_in_words}.` : ""}`),
      ...(cell.broken ? [make("p", { class: "missing" }, `No motion in ${cell.broken} settings: ${cell.detail}`)] : []),
      ...(cell.motion ? film(about, cell.motion) : []),
      ...(bad.length + good.length === 0 ? [] : [make("p", { class: "sum" }, "Charts: marks are measured, ● within the tolerance, ✗ outside, ○ outside but not promised; thin lines are exact; shaded is what the tolerance allows.")]),
      ...bad.flatMap(([f, told]) => figureParts(about, f, told)),
      ...owners(cell),
      ...(good.length ? [folded] : []),
    ];
  };

  // ---- data, which a script brings: it can be loaded from a file

  const brought = {}, waiting = {};
  window.takeEngine = (key, cells) => waiting[key](cells);
  const bring = (key) =>
    (brought[key] ??= new Promise((good, bad) => {
      waiting[key] = good;
      const script = make("script", { src: `engines-${key}.js` });
      script.onerror = () => bad(new Error(`engines-${key}.js cannot be read`));
      document.head.append(script);
    }));

  // ---- the panel, whose cell is in the address

  const title = make("h2", { id: "opened-title" }), body = make("div", {});
  const panel = make("dialog", { "aria-labelledby": "opened-title" }, make("button", { class: "close", type: "button" }, "Close"), title, body);
  document.querySelector("main").append(panel);
  const open = async (td) => {
    const row = td.parentElement, scene = td.querySelector("a").dataset.l;
    title.textContent = `${row.querySelector("th").firstChild.data.trim()} ${row.dataset.version}`.trim() + `, ${row.dataset.config}: ${scene}`;
    body.replaceChildren("…");
    if (!panel.open) panel.showModal();
    panel.dataset.cell = td.id;
    try {
      const cell = (await bring(row.id)).find((c) => c.scene === scene);
      if (panel.dataset.cell !== td.id) return;
      body.replaceChildren(...parts(cell));
      title.prepend(make("span", { class: CLASSES[cell.verdict] ?? "none" }, `${SIGNS[cell.verdict] ?? "?"} ${cell.verdict}`), " ");
      panel.scrollTop = 0;
    } catch (error) {
      body.replaceChildren(make("p", { class: "missing" }, error.message));
    }
  };
  const follow = () => {
    const td = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (td?.matches(".board .cell")) open(td);
    else if (panel.open) panel.close();
  };
  const leave = () => {
    const td = document.getElementById(panel.dataset.cell);
    body.replaceChildren();
    if (location.hash.slice(1) === panel.dataset.cell) history.replaceState(null, "", location.href.split("#")[0]);
    td?.querySelector("a").focus();
  };
  panel.addEventListener("close", () => panel.open || leave()); // by the key Escape
  panel.addEventListener("click", (event) => {
    if (event.target !== panel && !event.target.matches(".close")) return;
    panel.close();
    leave();
  });
  addEventListener("hashchange", follow);

  // ---- which rows, and their order where the table is a list

  const choice = make("fieldset", { class: "choice" }, make("legend", { class: "hidden" }, "Settings"));
  for (const only of ["all", "default", "best"]) {
    const input = make("input", { type: "radio", name: "only", value: only });
    input.checked = only === "all";
    input.addEventListener("change", () => (board.dataset.only = only));
    choice.append(make("label", {}, input, ` ${only}`));
  }
  const heads = [...board.tHead.rows[0].cells];
  const order = make("select", {}, ...heads.map((head, i) => make("option", i === 1 ? { selected: "" } : {}, head.textContent)));
  order.addEventListener("change", () => heads[order.selectedIndex].querySelector("button").click());
  choice.append(make("label", { class: "order" }, "Sort by ", order));
  (board.previousElementSibling?.matches("label.filterbar") ? board.previousElementSibling : board).before(choice);
  for (const link of board.querySelectorAll(".cell a")) link.setAttribute("aria-label", `${link.closest("tr").querySelector("th").textContent}, ${link.dataset.l}: ${link.parentElement.title.replace(/: impactcheck.*/, "")}`);
  follow();
}
