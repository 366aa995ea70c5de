// Where boxes and lines of a picture are: in layers, each box to the right of those that
// lead to it, ordered so that few lines cross. This is the method of Sugiyama, with
// barycentres and transpositions; a line over several layers has a place of its own in each.

export interface Line { from: string; to: string }
export interface Spot { x: number; y: number }
export interface Sizes { width: number; height: number; across: number; down: number }

export interface Layout {
  spots: Map<string, Spot>;
  /** The curve of each line. */
  curves: string[];
  width: number;
  height: number;
}

const sweeps = 24;
const bend = 14; // how high the place of a line is that passes through a layer

export function layout(nodes: string[], lines: Line[], sizes: Sizes): Layout {
  const turned = acyclic(nodes, lines);
  const layers = split(nodes, turned.map((one) => one.line));
  const layerOf = new Map(layers.flatMap((layer, i) => layer.map((node) => [node, i] as const)));
  const steps: Line[] = [];
  const ways = turned.map(({ line, back }, n) => {
    const way = [line.from];
    for (let i = layerOf.get(line.from)! + 1; i < layerOf.get(line.to)!; i++) {
      const through = `${n}:${i}`;
      layers[i]!.push(through);
      way.push(through);
    }
    way.push(line.to);
    way.slice(1).forEach((to, i) => steps.push({ from: way[i]!, to }));
    return back ? way.reverse() : way;
  });
  order(layers, steps);
  const real = new Set(nodes);
  const tall = (node: string): number => (real.has(node) ? sizes.height : bend);
  const heights = layers.map((layer) => layer.reduce((sum, node) => sum + tall(node), 0) + (layer.length - 1) * sizes.down);
  const height = Math.max(0, ...heights);
  const all = new Map<string, Spot>();
  layers.forEach((layer, i) => {
    let y = (height - heights[i]!) / 2;
    for (const node of layer) {
      all.set(node, { x: i * (sizes.width + sizes.across), y });
      y += tall(node) + sizes.down;
    }
  });
  const curves = ways.map((way) => curve(way.map((node) => ({ ...all.get(node)!, box: real.has(node) })), sizes));
  return { spots: new Map(nodes.map((node) => [node, all.get(node)!])), curves, width: Math.max(0, layers.length * (sizes.width + sizes.across) - sizes.across), height };
}

/** The lines, with those turned that close a circle, so that all lead to the right. */
function acyclic(nodes: string[], lines: Line[]): { line: Line; back: boolean }[] {
  const state = new Map<string, "open" | "done">();
  const all = new Map<Line, { line: Line; back: boolean }>();
  const visit = (node: string): void => {
    state.set(node, "open");
    for (const line of lines.filter((one) => one.from === node)) {
      const back = state.get(line.to) === "open";
      all.set(line, back ? { line: { from: line.to, to: line.from }, back } : { line, back });
      if (!state.has(line.to)) visit(line.to);
    }
    state.set(node, "done");
  };
  for (const node of nodes) if (!state.has(node)) visit(node);
  return lines.map((line) => all.get(line)!);
}

/** Layers by the longest way to each node, the highest of them cut into several. */
function split(nodes: string[], lines: Line[]): string[][] {
  const rank = new Map(nodes.map((node) => [node, 0]));
  for (let i = 0; i < nodes.length; i++) {
    for (const { from, to } of lines) if (from !== to) rank.set(to, Math.max(rank.get(to)!, rank.get(from)! + 1));
  }
  // A node stands as near as it can to what it leads to.
  for (const node of nodes) {
    const next = lines.filter((line) => line.from === node && line.to !== node).map((line) => rank.get(line.to)!);
    if (next.length > 0 && !lines.some((line) => line.to === node)) rank.set(node, Math.min(...next) - 1);
  }
  const most = Math.max(4, Math.ceil(Math.sqrt(nodes.length * 2.4)));
  const layers: string[][] = [];
  for (const wanted of [...new Set(rank.values())].sort((a, b) => a - b)) {
    const members = nodes.filter((node) => rank.get(node) === wanted);
    for (let at = 0; at < members.length; at += most) layers.push(members.slice(at, at + most));
  }
  return layers;
}

/** Orders each layer by the barycentres of its neighbours and then swaps those side by side, and keeps the order with the fewest crossings. */
function order(layers: string[][], lines: Line[]): void {
  const place = new Map<string, number>();
  const note = (layer: string[]): void => layer.forEach((node, i) => place.set(node, i));
  layers.forEach(note);
  const [before, after] = [neighbours(lines, "to", "from"), neighbours(lines, "from", "to")];
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers, after, place);
  for (let i = 0; i < sweeps && fewest > 0; i++) {
    const [near, way] = i % 2 ? [after, [...layers].reverse()] : [before, layers];
    for (const layer of way) {
      const wanted = new Map(layer.map((node) => [node, middle(near.get(node) ?? [], place) ?? place.get(node)!]));
      if (i % 4 > 1) layer.reverse(); // those whose neighbours are the same change places
      layer.sort((a, b) => wanted.get(a)! - wanted.get(b)!);
      note(layer);
    }
    for (let better = true; better;) better = layers.filter((layer) => swap(layer, before, after, place)).length > 0;
    const now = crossings(layers, after, place);
    if (now >= fewest) continue;
    fewest = now;
    best = layers.map((layer) => [...layer]);
  }
  best.forEach((layer, i) => { layers[i] = layer; });
}

function neighbours(lines: Line[], of: "from" | "to", other: "from" | "to"): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const line of lines) all.set(line[of], [...(all.get(line[of]) ?? []), line[other]]);
  return all;
}

const middle = (nodes: string[], place: Map<string, number>): number | undefined =>
  nodes.length === 0 ? undefined : nodes.reduce((sum, one) => sum + place.get(one)!, 0) / nodes.length;

/** How often the lines of the upper node cross those of the lower one. */
function between(upper: string[], lower: string[], place: Map<string, number>): number {
  let n = 0;
  for (const a of upper) for (const b of lower) if (place.get(a)! > place.get(b)!) n++;
  return n;
}

/** Swaps neighbours where their lines cross less then, and says whether it has. */
function swap(layer: string[], before: Map<string, string[]>, after: Map<string, string[]>, place: Map<string, number>): boolean {
  let swapped = false;
  for (let i = 1; i < layer.length; i++) {
    const [a, b] = [layer[i - 1]!, layer[i]!];
    const gain = [before, after].reduce((sum, near) => {
      const [ofA, ofB] = [near.get(a) ?? [], near.get(b) ?? []];
      return sum + between(ofA, ofB, place) - between(ofB, ofA, place);
    }, 0);
    if (gain <= 0) continue;
    [layer[i - 1], layer[i]] = [b, a];
    place.set(a, i).set(b, i - 1);
    swapped = true;
  }
  return swapped;
}

function crossings(layers: string[][], after: Map<string, string[]>, place: Map<string, number>): number {
  let n = 0;
  for (const layer of layers) {
    layer.forEach((upper, i) => {
      for (const lower of layer.slice(i + 1)) n += between(after.get(upper) ?? [], after.get(lower) ?? [], place);
    });
  }
  return n;
}

/** A curve through places, from the side of the first that is nearer to the second. */
function curve(way: (Spot & { box: boolean })[], sizes: Sizes): string {
  const middle = (at: Spot & { box: boolean }): number => at.y + (at.box ? sizes.height : bend) / 2;
  const [first, last] = [way[0]!, way[way.length - 1]!];
  if (first.x === last.x) { // to itself, or within a layer
    const x = first.x + sizes.width;
    const [a, b] = first === last || first.y === last.y ? [middle(first) - 9, middle(first) + 9] : [middle(first), middle(last)];
    return `M${x} ${a}C${x + 34} ${a} ${x + 34} ${b} ${x} ${b}`;
  }
  const right = last.x > first.x;
  let text = `M${right ? first.x + sizes.width : first.x} ${middle(first)}`;
  let x = right ? first.x + sizes.width : first.x;
  let y = middle(first);
  for (const at of way.slice(1)) {
    const [enter, leave] = right ? [at.x, at.x + sizes.width] : [at.x + sizes.width, at.x];
    const half = (enter - x) / 2;
    text += `C${x + half} ${y} ${enter - half} ${middle(at)} ${enter} ${middle(at)}`;
    if (!at.box) text += `L${leave} ${middle(at)}`;
    [x, y] = [leave, middle(at)];
  }
  return text;
}
